import type { ApiKey, KeyActView } from '#contract/api-keys.ts';
import type { ApiKeyRecord } from '#records/api-keys/api-keys.ts';
import type { KeyActRecord } from '#records/api-keys/key-acts.ts';
import { actText } from '#rules/api-keys/act-rules.ts';
import { fromMicro } from '#units/money.ts';

export function showApiKey(key: ApiKeyRecord): ApiKey {
  return {
    id: key.id,
    name: key.name,
    prefix: key.prefix,
    scopes: [...key.scopes],
    budget: key.budget === null ? null : fromMicro(key.budget),
    held: fromMicro(key.held),
    acts_per_day: key.actsPerDay,
    acts_today: key.actsToday,
    deployments: [...key.deployments],
    created_at: key.createdAt.toISOString(),
    expires_at: key.expiresAt.toISOString(),
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
    revoked_at: key.revokedAt?.toISOString() ?? null,
  };
}

export function showKeyAct(act: KeyActRecord): KeyActView {
  return {
    id: act.id,
    key: act.keyId,
    key_name: act.keyName,
    call: act.call,
    text: actText(act),
    deployment: act.deploymentId,
    amount: fromMicro(act.amount),
    status: act.status,
    requested_at: act.requestedAt.toISOString(),
    expires_at: act.expiresAt?.toISOString() ?? null,
    decided_at: act.decidedAt?.toISOString() ?? null,
    outcome: act.outcome,
  };
}
