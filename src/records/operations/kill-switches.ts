// Switches that halt trading: staff's for all users, a broker, a strategy, a client or a deployment, and a client's for everything
// they own. They are durable, and read in the transaction that marks an order as sending.
import { type Kysely, sql } from 'kysely';
import type { KillSwitchScope } from '#rules/operations/kill-switch.ts';
import type { DeploymentId, UserId } from '#units/identifiers.ts';
import { idArray } from '../postgres/id-list.ts';
import type { Tables } from '../tables.ts';

export type KillSwitch = {
  readonly id: string;
  readonly scope: KillSwitchScope;
  /** Id of the broker, strategy, client or deployment; null for the global switch. */
  readonly target: string | null;
  /** The name of what it halts; empty for the global switch. */
  readonly name: string;
  readonly cancelsWorking: boolean;
  readonly because: string;
  readonly setBy: string;
  readonly setAt: Date;
  /** How many live deployments it halts. */
  readonly deployments: number;
};

type NewKillSwitch = {
  readonly id: string;
  readonly scope: KillSwitchScope;
  readonly target: string | null;
  readonly cancelsWorking: boolean;
  readonly because: string;
  readonly setBy: string;
};

/** 'set already' when one of the same scope and target is on, or when this one was set before. */
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

/** Staff's switch, on or lifted; until the end of the transaction nobody else changes it. */
export async function lockKillSwitch(
  trx: Kysely<Tables>,
  id: string,
): Promise<{ readonly isOn: boolean; readonly cancelsWorking: boolean } | undefined> {
  const { rows } = await sql<{ isOn: boolean; cancelsWorking: boolean }>`
    select lifted_at is null as "isOn", cancels_working as "cancelsWorking" from kill_switches
    where id::text = ${id} and scope <> 'own' for update`.execute(trx);
  return rows[0];
}

/** Staff's switch. */
export async function liftKillSwitch(
  trx: Kysely<Tables>,
  { id, by }: { readonly id: string; readonly by: string },
): Promise<'lifted' | 'not on'> {
  const { numAffectedRows } = await sql`
    update kill_switches set lifted_by = ${by}, lifted_at = clock_timestamp()
    where id::text = ${id} and scope <> 'own' and lifted_at is null`.execute(trx);
  return numAffectedRows === 1n ? 'lifted' : 'not on';
}

/** From now on it also cancels working orders. */
export async function widenKillSwitch(trx: Kysely<Tables>, id: string): Promise<void> {
  await sql`
    update kill_switches set cancels_working = true
    where id::text = ${id} and scope <> 'own' and lifted_at is null and not cancels_working`.execute(trx);
}

const HALTS = `(k.scope = 'global' or k.target = case k.scope
  when 'broker' then c.broker_id when 'strategy' then d.strategy_id when 'deployment' then d.id else d.user_id end)`;

const SWITCHES = sql`
  select k.id, k.scope, k.target, k.because, k.cancels_working as "cancelsWorking", k.set_by as "setBy",
    k.set_at as "setAt", coalesce(b.name, s.name, u.email, o.name, '') as name,
    (select count(*)::int from live_deployments d join broker_connections c on c.id = d.broker_connection_id
      where ${sql.raw(HALTS)}) as deployments
  from kill_switches k
  left join brokers b on k.scope = 'broker' and b.id = k.target
  left join strategies s on k.scope = 'strategy' and s.id = k.target
  left join users u on k.scope = 'client' and u.id = k.target
  left join lateral (select st.name || ' in ' || coalesce(bc.account_id, u.email) as name from deployments dd
    join strategies st on st.id = dd.strategy_id join broker_connections bc on bc.id = dd.broker_connection_id
    join users u on u.id = dd.user_id where k.scope = 'deployment' and dd.id = k.target) o on true
  where k.lifted_at is null and k.scope <> 'own'`;

/** Staff's active switches, oldest first. */
export async function listKillSwitches(database: Kysely<Tables>): Promise<readonly KillSwitch[]> {
  const { rows } = await sql<KillSwitch>`${SWITCHES} order by k.set_at, k.id`.execute(database);
  return rows;
}

/** Staff's switch, while it is on. */
export async function findKillSwitch(
  database: Kysely<Tables>,
  key: { readonly id: string } | { readonly scope: KillSwitchScope; readonly target: string | null },
): Promise<KillSwitch | undefined> {
  const which =
    'id' in key
      ? sql`k.id::text = ${key.id}`
      : sql`k.scope = ${key.scope} and k.target is not distinct from ${key.target}`;
  const { rows } = await sql<KillSwitch>`${SWITCHES} and ${which}`.execute(database);
  return rows[0];
}

export type LiftedKillSwitch = { readonly liftedBy: string; readonly liftedAt: Date };

/** Staff's switch, once it is off. */
export async function findLifted(
  database: Kysely<Tables>,
  id: string,
): Promise<LiftedKillSwitch | undefined> {
  const { rows } = await sql<LiftedKillSwitch>`
    select lifted_by as "liftedBy", lifted_at as "liftedAt" from kill_switches
    where id::text = ${id} and scope <> 'own' and lifted_at is not null`.execute(database);
  return rows[0];
}

type OwnHalt = { readonly id: string; readonly cancelsWorking: boolean; readonly setAt: Date };

/** The client's own switch, while it is on. */
export async function findOwnHalt(database: Kysely<Tables>, user: UserId): Promise<OwnHalt | undefined> {
  const { rows } = await sql<OwnHalt>`
    select id, cancels_working as "cancelsWorking", set_at as "setAt" from kill_switches
    where scope = 'own' and target = ${user} and lifted_at is null`.execute(database);
  return rows[0];
}

/** A second call may turn on cancelling as well; it never turns it off. */
export async function setOwnHalt(
  trx: Kysely<Tables>,
  {
    id,
    user,
    cancelsWorking,
  }: { readonly id: string; readonly user: UserId; readonly cancelsWorking: boolean },
): Promise<void> {
  await sql`
    insert into kill_switches as k (id, scope, target, cancels_working, because, set_by)
    values (${id}, 'own', ${user}, ${cancelsWorking}, 'the client asked for it', ${`client:${user}`})
    on conflict (scope, target) where lifted_at is null do update set cancels_working = true
    where excluded.cancels_working and not k.cancels_working`.execute(trx);
}

export async function liftOwnHalt(trx: Kysely<Tables>, user: UserId): Promise<'lifted' | 'not on'> {
  const { numAffectedRows } = await sql`
    update kill_switches set lifted_by = ${`client:${user}`}, lifted_at = clock_timestamp()
    where scope = 'own' and target = ${user} and lifted_at is null`.execute(trx);
  return numAffectedRows === 1n ? 'lifted' : 'not on';
}

/** Undefined when no such broker, strategy (by slug or id), client (by e-mail or id) or deployment (by id) exists. */
export async function findKillSwitchTarget(
  database: Kysely<Tables>,
  scope: Exclude<KillSwitchScope, 'global'>,
  name: string,
): Promise<string | undefined> {
  const query = {
    broker: sql<{ id: string }>`select id from brokers where slug = ${name} or id::text = ${name}`,
    strategy: sql<{ id: string }>`select id from strategies where slug = ${name} or id::text = ${name}`,
    client: sql<{
      id: DeploymentId;
    }>`select id from users where email = lower(${name}) or id::text = ${name}`,
    deployment: sql<{ id: string }>`select id from deployments where id::text = lower(${name})`,
  }[scope];
  return (await query.execute(database)).rows[0]?.id;
}

type HaltableTarget = { readonly id: string; readonly name: string; readonly deployments: number };

/** Brokers and strategies with live deployments, by name. */
export async function listHaltable(
  database: Kysely<Tables>,
): Promise<{ readonly brokers: readonly HaltableTarget[]; readonly strategies: readonly HaltableTarget[] }> {
  const brokers = await sql<HaltableTarget>`
    select b.id, b.name, count(*)::int as deployments from live_deployments d
    join broker_connections c on c.id = d.broker_connection_id join brokers b on b.id = c.broker_id
    group by b.id order by b.name, b.id`.execute(database);
  const strategies = await sql<HaltableTarget>`
    select s.id, s.name, count(*)::int as deployments from live_deployments d join strategies s on s.id = d.strategy_id
    group by s.id order by s.name, s.id`.execute(database);
  return { brokers: brokers.rows, strategies: strategies.rows };
}

/** SQL: why trading of a deployment d over a connection c is halted; null when it is not. Cancelling switches come first. */
export const HALT_JSON = `(
  select json_build_object('scope', k.scope, 'because', k.because, 'cancelsWorking', k.cancels_working)
  from kill_switches k where k.lifted_at is null and ${HALTS}
  order by k.cancels_working desc, k.scope = 'global' desc, k.set_at limit 1)`;

/** SQL: a text that changes whenever a switch is turned on or off. */
export const SWITCHES_VERSION = `(select count(*) || '-' || count(lifted_at) from kill_switches)`;

export type Halt = {
  readonly scope: KillSwitchScope | 'own';
  readonly because: string;
  readonly cancelsWorking: boolean;
};

/** Which of these are halted. */
export async function listHalted(
  database: Kysely<Tables>,
  ids: readonly DeploymentId[],
): Promise<ReadonlyMap<DeploymentId, Halt>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ id: DeploymentId; halt: Halt | null }>`
    select d.id, ${sql.raw(HALT_JSON)} as halt from deployments d
    join broker_connections c on c.id = d.broker_connection_id
    where d.id = any(${idArray(ids)}) and exists (select from kill_switches where lifted_at is null)`.execute(
    database,
  );
  return new Map(rows.flatMap(({ id, halt }) => (halt === null ? [] : [[id, halt]])));
}
