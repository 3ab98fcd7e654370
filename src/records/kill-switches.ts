// Switches by which staff halt trading for everybody, for a broker, a strategy or a client. They are durable, and read
// in the transaction that marks an order as sending.
import { type Kysely, sql } from 'kysely';
import { tradingHaltedText } from '#rules/deployments/trading-halted-text.ts';
import type { DeploymentId } from '#units/identifiers.ts';
import type { Tables } from './tables.ts';

export const KILL_SWITCH_SCOPES = ['global', 'broker', 'strategy', 'client'] as const;
export type KillSwitchScope = (typeof KILL_SWITCH_SCOPES)[number];

export type KillSwitch = {
  readonly id: string;
  readonly scope: KillSwitchScope;
  /** The name of what it halts; empty for the global one. */
  readonly name: string;
  readonly cancelsWorking: boolean;
  readonly because: string;
  readonly setBy: string;
  readonly setAt: Date;
};

export type NewKillSwitch = {
  readonly id: string;
  readonly scope: KillSwitchScope;
  readonly target: string | null;
  readonly cancelsWorking: boolean;
  readonly because: string;
  readonly setBy: string;
};

/** 'set already' when one of the same scope and target is on. */
export async function setKillSwitch(
  trx: Kysely<Tables>,
  { id, scope, target, cancelsWorking, because, setBy }: NewKillSwitch,
): Promise<'set' | 'set already'> {
  const { numAffectedRows } = await sql`
    insert into kill_switches (id, scope, target, cancels_working, because, set_by)
    values (${id}, ${scope}, ${target}, ${cancelsWorking}, ${because}, ${setBy})
    on conflict do nothing`.execute(trx);
  return numAffectedRows === 1n ? 'set' : 'set already';
}

export async function liftKillSwitch(
  trx: Kysely<Tables>,
  { id, by }: { readonly id: string; readonly by: string },
): Promise<'lifted' | 'not on'> {
  const { numAffectedRows } = await sql`
    update kill_switches set lifted_by = ${by}, lifted_at = clock_timestamp()
    where id::text = ${id} and lifted_at is null`.execute(trx);
  return numAffectedRows === 1n ? 'lifted' : 'not on';
}

/** Those that are on, oldest first. */
export async function listKillSwitches(database: Kysely<Tables>): Promise<readonly KillSwitch[]> {
  const { rows } = await sql<KillSwitch>`
    select k.id, k.scope, k.because, k.cancels_working as "cancelsWorking", k.set_by as "setBy", k.set_at as "setAt",
      coalesce(b.name, s.name, u.email, '') as name
    from kill_switches k
    left join brokers b on k.scope = 'broker' and b.id = k.target
    left join strategies s on k.scope = 'strategy' and s.id = k.target
    left join users u on k.scope = 'client' and u.id = k.target
    where k.lifted_at is null order by k.set_at, k.id`.execute(database);
  return rows;
}

/** Undefined when there is no such broker, strategy (by slug or id) or client (by e-mail or id). */
export async function findKillSwitchTarget(
  database: Kysely<Tables>,
  scope: Exclude<KillSwitchScope, 'global'>,
  name: string,
): Promise<string | undefined> {
  const query = {
    broker: sql<{ id: string }>`select id from brokers where slug = ${name} or id::text = ${name}`,
    strategy: sql<{ id: string }>`select id from strategies where slug = ${name} or id::text = ${name}`,
    client: sql<{ id: string }>`select id from users where email = lower(${name}) or id::text = ${name}`,
  }[scope];
  return (await query.execute(database)).rows[0]?.id;
}

/** Why trading of a deployment d over a connection c is halted; null when it is not. One that cancels comes first. */
export const HALTING_SWITCH = sql`(
  select json_build_object('because', k.because, 'cancelsWorking', k.cancels_working) from kill_switches k
  where k.lifted_at is null and (k.scope = 'global' or k.target = case k.scope
    when 'broker' then c.broker_id when 'strategy' then d.strategy_id when 'client' then d.user_id end)
  order by k.cancels_working desc, k.scope = 'global' desc, k.set_at limit 1)`;

export type Halt = { readonly because: string; readonly cancelsWorking: boolean };

/** Which of these are halted. */
export async function listHalted(
  database: Kysely<Tables>,
  ids: readonly DeploymentId[],
): Promise<ReadonlyMap<DeploymentId, Halt>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ id: string; halt: Halt | null }>`
    select d.id, ${HALTING_SWITCH} as halt from deployments d
    join broker_connections c on c.id = d.broker_connection_id
    where d.id = any(${ids}::uuid[]) and exists (select from kill_switches where lifted_at is null)`.execute(
    database,
  );
  return new Map(rows.flatMap(({ id, halt }) => (halt === null ? [] : [[id as DeploymentId, halt]])));
}

/** Makes every deployment that has not ended say why it is halted, or no longer say so. Answers how many changed. */
export async function showHalts(trx: Kysely<Tables>): Promise<number> {
  const [before, after] = tradingHaltedText('\n').split('\n') as [string, string];
  const { numAffectedRows } = await sql`
    with halted as (
      select d.id, ${HALTING_SWITCH} ->> 'because' as because from deployments d
      join broker_connections c on c.id = d.broker_connection_id
      where d.status not in ('stopped', 'liquidated') order by d.id for update of d),
    said as (
      select id, case when because is null then null else ${before} || because || ${after} end as reason from halted)
    update deployments d set status_reason = said.reason, revision = d.revision + 1
    from said
    where d.id = said.id and d.status_reason is distinct from said.reason
      and (said.reason is not null or starts_with(d.status_reason, ${before}))`.execute(trx);
  return Number(numAffectedRows ?? 0n);
}
