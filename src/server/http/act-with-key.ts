import { randomUUID } from 'node:crypto';
import type { EndpointName } from '#contract/every-endpoint.ts';
import { KEY_USE_OF } from '#contract/http/key-policies.ts';
import type { KeyInUse } from '#records/api-keys/api-keys.ts';
import { admitAct, type Admission, endAct, findSteered } from '#records/api-keys/key-acts.ts';
import { insertNotifications } from '#records/notifications/notifications-outbox.ts';
import { findDeployableStrategy } from '#records/strategies/strategies.ts';
import {
  budgetText,
  dayLimitText,
  KEY_SENTENCES,
  type KeyAct,
  missingScopeText,
  neededScope,
  waitsForOwner,
  waitsText,
} from '#rules/api-keys/act-rules.ts';
import { WAITING_HOURS } from '#rules/api-keys/key-terms.ts';
import type { DeploymentId, NotificationId } from '#units/identifiers.ts';
import { isoText } from '#units/instant.ts';
import { type Micro, toMicro, ZERO_MICRO } from '#units/money.ts';
import type { Dependencies } from './dependencies.ts';
import { isRefused, notFound, refuse, type Refused } from './refusal.ts';

type Asked = {
  readonly key: KeyInUse;
  readonly name: EndpointName;
  readonly params: unknown;
  readonly body: unknown;
};

/** What the act is about, besides its kind. */
type About = KeyAct & {
  readonly deploymentId: DeploymentId | null;
  readonly strategyName: string | null;
};

/**
 * An act of a program: admitted within the limits of its key, done at once or left to the person. All that the person may not do, it may
 * not either: the call itself makes every check.
 */
export async function actWithKey(
  asked: Asked,
  perform: () => Promise<unknown>,
  dependencies: Dependencies,
): Promise<unknown> {
  const { records, now } = dependencies;
  const about = await describe(asked, dependencies);
  if (isRefused(about)) return about;
  const scope = neededScope(about);
  if (!asked.key.scopes.includes(scope)) return refuse('key_refused', missingScopeText(scope));
  if (about.isWithdrawal) return refuse('key_refused', KEY_SENTENCES.withdrawal);
  const id = randomUUID();
  const waits = waitsForOwner(about);
  const admission = await records.database.transaction().execute(async (trx) => {
    const { key, name, params, body } = asked;
    const { deploymentId, strategyName, amount } = about;
    const act = {
      id,
      keyId: key.id,
      userId: key.userId,
      call: name,
      params,
      body,
      deploymentId,
      strategyName,
    };
    const admitted = await admitAct(trx, { ...act, amount, waits, at: now() });
    if (admitted.outcome === 'waits' && admitted.isNew)
      await insertNotifications(trx, [
        {
          id: randomUUID() as string as NotificationId,
          userId: key.userId,
          deploymentId: null,
          facts: {
            kind: 'key_asks',
            keyName: admitted.keyName,
            call: name,
            strategyName,
            amount,
            hours: WAITING_HOURS,
          },
          cause: `key_asks:${id}`,
          at: now(),
        },
      ]);
    return admitted;
  });
  if (admission.outcome !== 'admitted') return refuseAdmission(admission);
  return settle(id, perform, dependencies);
}

/** Carries out what was admitted, and notes what became of it. */
export async function settle(
  id: string,
  perform: () => Promise<unknown>,
  { records }: Pick<Dependencies, 'records'>,
): Promise<unknown> {
  const answer = await perform().catch((error: unknown) => {
    const refused = refusedByDatabase(error);
    if (refused === null) throw error;
    return refused;
  });
  const outcome = isRefused(answer) ? answer.message : null;
  await endAct(records.database, { id, status: outcome === null ? 'done' : 'refused', outcome });
  return answer;
}

/** Where the money would be committed the database keeps the budget of a key: see schema/api-keys.sql. */
export function refusedByDatabase(error: unknown): Refused | null {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code === 'BW001') return refuse('key_limit', KEY_SENTENCES.beyondBudget);
  return code === 'BW002' ? refuse('key_refused', KEY_SENTENCES.revoked) : null;
}

async function describe(
  { key, name, params, body }: Asked,
  { records: { database } }: Dependencies,
): Promise<About | Refused> {
  const sent = (body ?? {}) as {
    strategy?: string;
    investment_amount?: number;
    amount?: number;
    kind?: string;
  };
  const plain = {
    call: name,
    isWithdrawal: false,
    amount: ZERO_MICRO,
    deploymentId: null,
    strategyName: null,
  };
  if (name === 'createPracticeDeployment' || name === 'createDeployment' || name === 'deployStrategy') {
    const strategy = await findDeployableStrategy(database, {
      id: sent.strategy ?? '',
      userId: key.userId,
    });
    if (strategy === undefined) return refuse('not_found', 'Strategy not found', { field: 'strategy' });
    const mode = name === 'createPracticeDeployment' ? 'practice' : 'real';
    return { ...plain, mode, amount: toMicro(sent.investment_amount ?? 0), strategyName: strategy.name };
  }
  if (KEY_USE_OF[name] === 'practice') return { ...plain, mode: null };
  const { id } = params as { id: string };
  const steered = await findSteered(database, { id, userId: key.userId, keyId: key.id });
  if (steered === undefined) return notFound();
  if (!steered.isOfKey) return refuse('key_refused', KEY_SENTENCES.foreign);
  return {
    ...plain,
    mode: name === 'promoteDeployment' ? 'real' : steered.mode,
    deploymentId: steered.id,
    strategyName: steered.strategyName,
    isWithdrawal: sent.kind === 'withdrawal',
    amount: amountOf(name, steered.investment, sent.amount),
  };
}

function amountOf(name: EndpointName, investment: Micro, amount: number | undefined): Micro {
  if (name === 'promoteDeployment') return investment;
  return name === 'requestFlow' ? toMicro(amount ?? 0) : ZERO_MICRO;
}

function refuseAdmission(admission: Exclude<Admission, { outcome: 'admitted' }>): Refused {
  switch (admission.outcome) {
    case 'waits':
      return refuse('approval_required', waitsText(WAITING_HOURS), {
        details: { act: admission.id, expires_at: isoText(admission.expiresAt) },
      });
    case 'revoked':
      return refuse('key_refused', KEY_SENTENCES.revoked);
    case 'too many wait':
      return refuse('key_limit', KEY_SENTENCES.tooManyWaiting);
    case 'day limit':
      return refuse('key_limit', dayLimitText(admission.perDay));
    case 'budget':
      return refuse('key_limit', budgetText(admission.budget));
  }
}
