// What API keys ask for beyond reading. Each is admitted under the lock of its key's row, so that limits hold however many come
// at once; what waits for the owner is the same row until somebody decides.
import { sql } from 'kysely';
import type { DeploymentId, UserId } from '#units/identifiers.ts';
import { HOUR_MS, type Instant, isoText, MINUTE_MS } from '#units/instant.ts';
import { add, type Micro, parseMicro } from '#units/money.ts';
import { WAITING_HOURS, WAITING_MAX } from '#rules/api-keys/key-terms.ts';
import { isUuid } from '../postgres/is-uuid.ts';
import type { Database, Transaction } from '../postgres/database.ts';
import { countsOn } from './api-keys.ts';

export type ActStatus = 'running' | 'done' | 'refused' | 'waiting' | 'declined' | 'expired' | 'withdrawn';

export type KeyActRecord = {
  readonly id: string;
  readonly keyId: string;
  readonly keyName: string;
  readonly call: string;
  readonly params: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly deploymentId: DeploymentId | null;
  readonly strategyName: string | null;
  readonly amount: Micro;
  readonly status: ActStatus;
  readonly requestedAt: Date;
  readonly expiresAt: Date | null;
  readonly decidedAt: Date | null;
  readonly outcome: string | null;
};

type NewAct = {
  readonly id: string;
  readonly keyId: string;
  readonly userId: UserId;
  readonly call: string;
  readonly params: unknown;
  readonly body: unknown;
  readonly deploymentId: DeploymentId | null;
  readonly strategyName: string | null;
  readonly amount: Micro;
  readonly waits: boolean;
  readonly at: Instant;
};

export type Admission =
  | { readonly outcome: 'admitted' }
  | {
      readonly outcome: 'waits';
      readonly id: string;
      readonly keyName: string;
      readonly isNew: boolean;
      readonly expiresAt: Instant;
    }
  | { readonly outcome: 'revoked' | 'too many wait' }
  | { readonly outcome: 'day limit'; readonly perDay: number }
  | { readonly outcome: 'budget'; readonly budget: Micro };

/**
 * Writes the act, or says which limit it would pass. The budget is looked at here so that nothing is begun in vain; what keeps it
 * is the database, where the money is committed. The same act that waits already is not asked twice.
 */
export async function admitAct(trx: Transaction, act: NewAct): Promise<Admission> {
  const { rows: keys } = await sql<{
    name: string;
    budget: string | null;
    per_day: number | null;
    revoked_at: Date | null;
  }>`
    select name, budget_micro::text as budget, acts_per_day as per_day, revoked_at from api_keys
    where id = ${act.keyId} and user_id = ${act.userId} for update`.execute(trx);
  const [key] = keys;
  if (key === undefined || key.revoked_at !== null || key.per_day === null || key.budget === null)
    return { outcome: 'revoked' };
  const [params, body] = [JSON.stringify(act.params ?? {}), JSON.stringify(act.body ?? {})];
  const { rows: waiting } = await sql<{ id: string; is_same: boolean; expires_at: Date }>`
    select id, expires_at, call = ${act.call} and params = ${params}::jsonb and body = ${body}::jsonb as is_same
    from api_key_acts where api_key_id = ${act.keyId} and status = 'waiting' and expires_at > ${isoText(act.at)}`.execute(
    trx,
  );
  const same = act.waits ? waiting.find(({ is_same: isSame }) => isSame) : undefined;
  if (same)
    return {
      outcome: 'waits',
      id: same.id,
      keyName: key.name,
      isNew: false,
      expiresAt: same.expires_at.getTime() as Instant,
    };
  const { rows: counted } = await sql<{ today: number; held: string }>`
    select (select count(*)::int from api_key_acts a where a.api_key_id = ${act.keyId} and ${countsOn(act.at)}) as today,
      held_by_key(${act.keyId})::text as held`.execute(trx);
  const { today, held } = counted[0]!;
  if (today >= key.per_day) return { outcome: 'day limit', perDay: key.per_day };
  const budget = parseMicro(key.budget);
  if (act.amount > 0 && add(parseMicro(held), act.amount) > budget) return { outcome: 'budget', budget };
  if (act.waits && waiting.length >= WAITING_MAX) return { outcome: 'too many wait' };
  const expiresAt = (act.at + WAITING_HOURS * HOUR_MS) as Instant;
  await sql`
    insert into api_key_acts (id, user_id, api_key_id, call, params, body, deployment_id, strategy_name, amount_micro, status,
      requested_at, expires_at)
    values (${act.id}, ${act.userId}, ${act.keyId}, ${act.call}, ${params}, ${body}, ${act.deploymentId},
      ${act.strategyName}, ${act.amount}, ${act.waits ? 'waiting' : 'running'}, ${isoText(act.at)},
      ${act.waits ? isoText(expiresAt) : null})`.execute(trx);
  return act.waits
    ? { outcome: 'waits', id: act.id, keyName: key.name, isNew: true, expiresAt }
    : { outcome: 'admitted' };
}

/** What became of an act that ran. Back to waiting where a service did not answer, so that its owner may try again. */
export async function endAct(
  database: Database,
  {
    id,
    status,
    outcome,
  }: {
    readonly id: string;
    readonly status: 'done' | 'refused' | 'waiting';
    readonly outcome: string | null;
  },
): Promise<void> {
  await sql`update api_key_acts set status = ${status}, outcome = ${outcome} where id = ${id} and status = 'running'`.execute(
    database,
  );
}

export type OwnAct = { readonly id: string; readonly userId: UserId; readonly at: Instant };

/**
 * Decides what waits, once: of two taps at once one finds it waiting. One that was accepted and has said nothing for minutes, after a
 * crash, may be accepted again: what it makes has its id, so that it is made once.
 */
export async function decideAct(
  trx: Transaction,
  { id, userId, at }: OwnAct,
  verdict: 'running' | 'declined',
): Promise<'decided' | 'absent' | 'too late'> {
  const found = await findAct(trx, { id, userId, at });
  if (found === undefined) return 'absent';
  const { rows } = await sql<{ id: string }>`
    update api_key_acts a set status = ${verdict}, decided_at = ${isoText(at)}
    from api_keys k where a.id = ${id} and a.user_id = ${userId} and k.id = a.api_key_id
      and k.revoked_at is null and k.expires_at > ${isoText(at)}
      and a.expires_at > ${isoText(at)}
      and (a.status = 'waiting' or (a.status = 'running' and ${verdict} = 'running'
        and a.decided_at < ${isoText((at - ABANDONED_MS) as Instant)}))
    returning a.id`.execute(trx);
  return rows.length === 1 ? 'decided' : 'too late';
}

/** Longer than any call may take. */
const ABANDONED_MS = 5 * MINUTE_MS;

type Row = {
  id: string;
  key_id: string;
  key_name: string;
  call: string;
  params: Record<string, string>;
  body: unknown;
  deployment_id: DeploymentId | null;
  strategy_name: string | null;
  amount: string;
  status: ActStatus;
  requested_at: Date;
  expires_at: Date | null;
  decided_at: Date | null;
  outcome: string | null;
};

type Wanted = {
  readonly userId: UserId;
  readonly at: Instant;
  readonly id?: string;
  /** Of this key alone. */
  readonly keyId?: string | undefined;
  readonly onlyWaiting?: boolean;
};

/** The newest first. */
export async function listActs(database: Database, wanted: Wanted): Promise<readonly KeyActRecord[]> {
  const { userId, at, id = null, keyId = null, onlyWaiting = false } = wanted;
  const { rows } = await sql<Row>`
    select a.id, k.id as key_id, k.name as key_name, a.call, a.params, a.body, a.deployment_id, a.strategy_name,
      a.amount_micro::text as amount,
      case when a.status = 'waiting' and (a.expires_at <= ${isoText(at)} or k.expires_at <= ${isoText(at)}) then 'expired'
        else a.status end as status,
      a.requested_at, a.expires_at, a.decided_at, a.outcome
    from api_key_acts a join api_keys k on k.id = a.api_key_id
    where a.user_id = ${userId} and (${id}::uuid is null or a.id = ${id}::uuid)
      and (${keyId}::uuid is null or a.api_key_id = ${keyId}::uuid)
      and (not ${onlyWaiting}::boolean or (a.status = 'waiting' and a.expires_at > ${isoText(at)} and k.expires_at > ${isoText(at)}))
    order by a.requested_at desc, a.id limit 200`.execute(database);
  return rows.map((row) => ({
    id: row.id,
    keyId: row.key_id,
    keyName: row.key_name,
    call: row.call,
    params: row.params,
    body: row.body,
    deploymentId: row.deployment_id,
    strategyName: row.strategy_name,
    amount: parseMicro(row.amount),
    status: row.status,
    requestedAt: row.requested_at,
    expiresAt: row.expires_at,
    decidedAt: row.decided_at,
    outcome: row.outcome,
  }));
}

/** Undefined where this person, or this key, has no such act. */
export async function findAct(
  database: Database,
  { id, userId, at, keyId }: OwnAct & { readonly keyId?: string | undefined },
): Promise<KeyActRecord | undefined> {
  return isUuid(id) ? (await listActs(database, { id, userId, at, keyId }))[0] : undefined;
}

export type SteeredByKey = {
  readonly id: DeploymentId;
  readonly mode: 'practice' | 'real';
  readonly strategyName: string;
  readonly investment: Micro;
  /** Made by the key, or listed for it. */
  readonly isOfKey: boolean;
};

/** Undefined where the person has no such deployment. */
export async function findSteered(
  database: Database,
  { id, userId, keyId }: { readonly id: string; readonly userId: UserId; readonly keyId: string },
): Promise<SteeredByKey | undefined> {
  if (!isUuid<DeploymentId>(id)) return undefined;
  const { rows } = await sql<{
    mode: 'practice' | 'real';
    name: string;
    investment: string;
    of_key: boolean;
  }>`
    select d.mode, s.name, d.investment_micro::text as investment, exists (
      select from api_key_deployments k where k.api_key_id = ${keyId} and k.deployment_id = d.id) as of_key
    from deployments d join strategies s on s.id = d.strategy_id where d.id = ${id} and d.user_id = ${userId}`.execute(
    database,
  );
  const [row] = rows;
  return (
    row && {
      id,
      mode: row.mode,
      strategyName: row.name,
      investment: parseMicro(row.investment),
      isOfKey: row.of_key,
    }
  );
}
