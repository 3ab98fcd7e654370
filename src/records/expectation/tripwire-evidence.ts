// The evidence against each deployment's live days, loaded and saved in bulk by the trader at each close.
import { type Kysely, sql, type Transaction } from 'kysely';
import type { ClosedDay, Judgement } from '#engine/expectation/judge-day.ts';
import { type EvidenceAgainst, NO_EVIDENCE } from '#engine/expectation/evidence-against.ts';
import type { PublishedReturns } from '#engine/expectation/published-returns.ts';
import type { TripwireChoice, TripwireState } from '#engine/risk/tripwire.ts';
import type { BrokerConnectionId, DeploymentId, StrategyVersionId, UserId } from '#units/identifiers.ts';
import { type Instant, type IsoDate, isoText } from '#units/instant.ts';
import { NAME_IN_NOTICES } from '../deployments/name-in-notices.ts';
import { idList } from '../postgres/id-list.ts';
import type { Tables } from '../tables.ts';

/** Running deployments of these versions with a range, whose days until this one are not judged yet. */
export async function listUnjudged(
  database: Kysely<Tables>,
  versions: readonly StrategyVersionId[],
  { until, shards }: { readonly until: IsoDate; readonly shards: readonly number[] },
): Promise<DeploymentId[]> {
  const { rows } = await sql<{ id: DeploymentId }>`
    select d.id from live_deployments d join tripwire_evidence t on t.deployment_id = d.id
    where d.strategy_version_id = any(${versions}::uuid[]) and (t.judged_until is null or t.judged_until < ${until}::date)
      and shard_of(d.broker_connection_id) = any(${shards}::int[])
    order by d.id`.execute(database);
  return rows.map(({ id }) => id);
}

export type JudgedDeployment = {
  readonly id: DeploymentId;
  readonly userId: UserId;
  readonly connectionId: BrokerConnectionId;
  readonly strategyName: string;
  readonly choice: TripwireChoice;
  /** How often its owner has acknowledged red. */
  readonly acknowledged: number;
  readonly judgement: Judgement;
  readonly published: PublishedReturns;
  /** Its closed days after the last that was judged, oldest first. */
  readonly days: readonly JudgedDay[];
};

type JudgedDay = ClosedDay & { readonly flowFactor: number };

/** What flows since the day before have multiplied the value by. */
const FLOW_FACTOR = `coalesce((
  select exp(sum(ln((f.value_before_micro + case f.kind when 'deposit' then f.moved_micro else -f.moved_micro end)::float8
    / f.value_before_micro)))
  from deployment_flows f where f.deployment_id = m.deployment_id and f.status = 'done' and f.ended_at > m.since
    and f.ended_at <= m.at), 1)`;

/** Locks the deployments until the transaction ends, in order of their ids. */
export async function lockJudged(
  trx: Transaction<Tables>,
  ids: readonly DeploymentId[],
  until: IsoDate,
): Promise<JudgedDeployment[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<Row>`
    select d.id, d.user_id, d.broker_connection_id, ${sql.raw(NAME_IN_NOTICES)} as strategy_name, d.tripwire_choice, d.tripwire_state,
      t.judged_until::text, t.judged_at::text, t.equity_micro::float8 as equity, t.follows, t.evidence, t.acknowledged, e.published,
      coalesce((
        select json_agg(json_build_object('date', m.date, 'equity', m.equity_micro, 'at', m.at, 'follows', m.follows,
          'flowFactor', ${sql.raw(FLOW_FACTOR)}) order by m.date)
        from (select k.*, coalesce(lag(k.at) over (order by k.date), t.judged_at, k.at) as since from equity_marks k
          where k.deployment_id = d.id and k.date <= ${until}::date and (t.judged_until is null or k.date > t.judged_until)) m
      ), '[]'::json) as days
    from deployments d join strategies s on s.id = d.strategy_id
    join expected_ranges e on e.deployment_id = d.id
    join tripwire_evidence t on t.deployment_id = d.id
    where d.id = any(${idList(ids)}::uuid[])
    order by d.id for update of d, t`.execute(trx);
  return rows.map((row) => ({
    id: row.id,
    userId: row.user_id,
    connectionId: row.broker_connection_id,
    strategyName: row.strategy_name,
    choice: row.tripwire_choice,
    acknowledged: row.acknowledged,
    judgement: {
      state: row.tripwire_state,
      evidence: row.evidence,
      last:
        row.judged_until === null
          ? null
          : { date: row.judged_until, equity: row.equity!, at: row.judged_at!, follows: row.follows! },
    },
    published: row.published,
    days: row.days,
  }));
}

/** The caller holds the locks. `at`: trading clock, since when a new state holds. */
export async function saveJudgements(
  trx: Transaction<Tables>,
  judged: readonly { readonly before: JudgedDeployment; readonly after: Judgement }[],
  at: Instant,
): Promise<void> {
  const moved = judged.filter(({ after }) => after.last !== null);
  if (moved.length === 0) return;
  await sql`
    update tripwire_evidence as t set judged_until = c.judged_until, judged_at = c.at, equity_micro = c.equity, follows = c.follows,
      evidence = c.evidence
    from unnest(
      ${moved.map(({ before }) => before.id)}::uuid[],
      ${moved.map(({ after }) => after.last!.date)}::date[],
      ${moved.map(({ after }) => after.last!.at)}::timestamptz[],
      ${moved.map(({ after }) => after.last!.equity)}::bigint[],
      ${moved.map(({ after }) => after.last!.follows)}::boolean[],
      ${moved.map(({ after }) => JSON.stringify(after.evidence))}::jsonb[]
    ) as c (id, judged_until, at, equity, follows, evidence)
    where t.deployment_id = c.id`.execute(trx);
  const turned = moved.filter(({ before, after }) => before.judgement.state !== after.state);
  if (turned.length === 0) return;
  await sql`
    update deployments as d set tripwire_state = c.state, tripwire_since = ${isoText(at)}, revision = d.revision + 1
    from unnest(
      ${turned.map(({ before }) => before.id)}::uuid[],
      ${turned.map(({ after }) => after.state)}::text[]
    ) as c (id, state)
    where d.id = c.id`.execute(trx);
}

/** Red ends, and the evidence begins anew with the next day. The caller holds the lock of the deployment. */
export async function acknowledgeTripwire(
  trx: Transaction<Tables>,
  { id, at }: { readonly id: DeploymentId; readonly at: Instant },
): Promise<void> {
  await sql`
    update tripwire_evidence set evidence = ${JSON.stringify(NO_EVIDENCE)}::jsonb, acknowledged = acknowledged + 1
    where deployment_id = ${id}`.execute(trx);
  await sql`
    update deployments set tripwire_state = 'green', tripwire_since = ${isoText(at)}, revision = revision + 1
    where id = ${id}`.execute(trx);
}

type Row = {
  readonly id: DeploymentId;
  readonly user_id: UserId;
  readonly broker_connection_id: BrokerConnectionId;
  readonly strategy_name: string;
  readonly tripwire_choice: TripwireChoice;
  readonly tripwire_state: TripwireState;
  readonly judged_until: IsoDate | null;
  readonly judged_at: string | null;
  readonly equity: number | null;
  readonly follows: boolean | null;
  readonly evidence: EvidenceAgainst;
  readonly acknowledged: number;
  readonly published: PublishedReturns;
  readonly days: readonly JudgedDay[];
};
