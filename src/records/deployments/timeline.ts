// What happened to a deployment, newest first: each decision with its orders and their fills, each exit, and the notices
// that belong to neither. A decision on a target has all orders of that target until the next one.
import type { Pool } from 'pg';
import { isLimit } from '#engine/decision/checks.ts';
import { signalSymbol } from '#engine/market/derivatives/signal-symbol.ts';
import type { OrderPurpose, RefusedOrder } from '#engine/order/order.ts';
import type { EvaluationReceipt } from '#engine/strategy/evaluate.ts';
import type { NoticeFacts } from '#rules/notifications/notice-text.ts';
import type { DeploymentId, Symbol } from '#units/identifiers.ts';
import { parseReason, type ReasonColumns } from '../execution/orders.ts';
import { parseNoticeFacts } from '../notifications/notifications.ts';
import { ORDER_COLUMNS, ORDER_FILLS, type TradeRow } from './deployment-views.ts';

export type TimelineRow = {
  readonly at: Date;
  /** Names the entry among those of its moment; sorts after `at`. */
  readonly key: string;
  readonly orders: readonly OrderOfEntry[];
} & (
  | {
      readonly kind: 'decision';
      readonly id: string;
      /** What the strategy's evaluation read; null where its record is gone. */
      readonly evaluation: Evaluation | null;
      /** Decisions made before receipts were kept have none. */
      readonly hasReceipt: boolean;
      /** The last reason for each symbol, of this decision and what followed from it. */
      readonly refusals: readonly RefusedOrder[];
    }
  | {
      readonly kind: 'exit';
      readonly purpose: Exclude<OrderPurpose, 'rebalance'>;
      /** What was told of it; empty where nothing was. */
      readonly notices: readonly NoticeFacts[];
    }
  | { readonly kind: 'notice'; readonly notices: readonly NoticeFacts[] }
);

export type OrderOfEntry = TradeRow & { readonly ordered_symbol: string };

type Evaluation = {
  readonly asOf: Date;
  readonly definition: unknown;
  readonly receipt: Pick<EvaluationReceipt, 'instruments'>;
};

export type TimelinePlace = { readonly at: string; readonly key: string };

type EntryRow = {
  readonly at: Date;
  readonly kind: 'decision' | 'exit' | 'notice';
  readonly key: string;
  readonly ref: string;
  readonly until: Date | null;
  readonly target_id: string | null;
  readonly has_receipt: boolean | null;
  readonly notice: Parameters<typeof parseNoticeFacts>[0] | null;
};

/** Each part stops at the last entry that can be wanted; orders and their notices are told by their decision. */
const ENTRIES_SQL = `
  select * from (
    (select r.at, 'decision' as kind, ('d' || lpad(r.id::text, 20, '0')) collate "C" as key, r.id::text as ref,
      (select min(n.at) from receipts n where n.deployment_id = $1 and n.target_id is not null and n.at > r.at) as until,
      r.target_id, r.decision is not null as has_receipt, null::json as notice
    from receipts r
    where r.deployment_id = $1 and r.target_id is not null and (r.at, ('d' || lpad(r.id::text, 20, '0')) collate "C") < ($2, $3)
    order by r.at desc, r.id desc limit $4)
    union all
    (select o.decided_at, 'exit', ('e' || o.purpose) collate "C", o.purpose, null, null, null, null from orders o
    where o.deployment_id = $1 and o.purpose <> 'rebalance' and (o.purpose <> 'protective' or o.filled_quantity > 0)
      and (o.decided_at, ('e' || o.purpose) collate "C") < ($2, $3)
    group by o.decided_at, o.purpose order by o.decided_at desc, o.purpose desc limit $4)
    union all
    (select n.created_at, 'notice', ('n' || n.id::text) collate "C", n.id::text, null, null, null,
      json_build_object('kind', n.kind, 'facts', n.facts)
    from notifications n
    where n.deployment_id = $1 and n.kind <> all('{order_filled,order_not_filled}'::text[])
      and (n.kind <> all('{stop_loss,margin_call}'::text[]) or n.decision is null)
      and (n.created_at, ('n' || n.id::text) collate "C") < ($2, $3)
    order by n.created_at desc, 3 desc limit $4)
  ) e order by at desc, key desc limit $4`;

const ORDERS_SQL = `
  select e.place, o.symbol as ordered_symbol, ${ORDER_COLUMNS}
  from unnest($2::int[], $3::timestamptz[], $4::timestamptz[], $5::text[]) as e (place, at, until, purpose)
  join orders o on o.deployment_id = $1 and o.decided_at >= e.at and o.purpose = e.purpose
    and (e.until is null or o.decided_at < e.until) and (e.purpose = 'rebalance' or o.decided_at = e.at)
    and (o.purpose <> 'protective' or o.filled_quantity > 0)
  ${ORDER_FILLS}
  order by e.place, o.decided_at, o.created_at, o.id`;

const REFUSALS_SQL = `
  select e.place, r.refusals
  from unnest($2::int[], $3::timestamptz[], $4::timestamptz[], $5::bigint[]) as e (place, at, until, id)
  join receipts r on r.deployment_id = $1 and r.refusals is not null and r.at >= e.at and (e.until is null or r.at < e.until)
    and (r.id = e.id or r.cause ~ '^(fill|order_ended|resize_exit):')
  order by e.place, r.at, r.id`;

/** Of the instruments that were ordered alone: a strategy may read many. */
const EVALUATIONS_SQL = `
  select t.id, t.as_of as "asOf", v.definition, jsonb_build_object('instruments', coalesce((
      select jsonb_agg(one) from jsonb_array_elements(t.receipt -> 'instruments') as one where one ->> 'symbol' = any($2::text[])
    ), '[]')) as receipt
  from targets t join strategy_versions v on v.id = t.strategy_version_id where t.id = any($1::uuid[])`;

const NOTICES_SQL = `
  select kind, facts, decision from notifications
  where deployment_id = $1 and decision = any($2::text[]) and kind = any('{stop_loss,margin_call}'::text[])
  order by created_at, id`;

/** At most `limit` entries before a place. */
export async function readTimeline(
  pool: Pool,
  {
    id,
    before,
    limit,
  }: { readonly id: DeploymentId; readonly before: TimelinePlace; readonly limit: number },
): Promise<readonly TimelineRow[]> {
  const { rows } = await pool.query<EntryRow>(ENTRIES_SQL, [id, before.at, before.key, limit]);
  const placed = rows.map((row, place) => ({ ...row, place }));
  const decisions = placed.filter(({ kind }) => kind === 'decision');
  const [orders, refusals, notices] = await readParts(pool, id, placed);
  const ordersOf = Map.groupBy(orders.rows, ({ place }) => place);
  const refusalsOf = Map.groupBy(refusals.rows, ({ place }) => place);
  const ordered = new Set(orders.rows.map((order) => signalSymbol(order.ordered_symbol as Symbol)));
  const evaluations = await pool.query<Evaluation & { id: string }>(EVALUATIONS_SQL, [
    decisions.map((row) => row.target_id),
    [...ordered],
  ]);
  const evaluationOf = new Map(evaluations.rows.map((row) => [row.id, row]));
  const noticesOf = Map.groupBy(notices.rows, ({ decision }) => decision);
  return placed.map((row): TimelineRow => {
    const { at, key, ref, place, kind } = row;
    const own = (ordersOf.get(place) ?? []).map((order) => ({ ...order, reason: parseReason(order) }));
    const common = { at, key, orders: own };
    if (kind === 'notice')
      return { ...common, kind, notices: row.notice ? [parseNoticeFacts(row.notice)] : [] };
    if (kind === 'exit') {
      const told = (noticesOf.get(keyOf(row)) ?? []).map(parseNoticeFacts);
      return { ...common, kind, purpose: ref as Exclude<OrderPurpose, 'rebalance'>, notices: told };
    }
    return {
      ...common,
      kind,
      id: ref,
      evaluation: evaluationOf.get(row.target_id ?? '') ?? null,
      hasReceipt: row.has_receipt === true,
      refusals: lastReasons((refusalsOf.get(place) ?? []).flatMap((found) => found.refusals)),
    };
  });
}

type Placed = EntryRow & { readonly place: number };

const keyOf = ({ ref, at }: EntryRow) => `${ref}:${at.toISOString()}`;

function readParts(pool: Pool, id: DeploymentId, placed: readonly Placed[]) {
  const decisions = placed.filter(({ kind }) => kind === 'decision');
  const traded = placed.filter(({ kind }) => kind !== 'notice');
  const exits = placed.filter(({ kind }) => kind === 'exit');
  return Promise.all([
    pool.query<Omit<OrderOfEntry, 'reason'> & ReasonColumns & { place: number }>(ORDERS_SQL, [
      id,
      traded.map(({ place }) => place),
      traded.map(({ at }) => at),
      traded.map(({ until }) => until),
      traded.map(({ kind, ref }) => (kind === 'decision' ? 'rebalance' : ref)),
    ]),
    pool.query<{ place: number; refusals: readonly RefusedOrder[] }>(REFUSALS_SQL, [
      id,
      decisions.map(({ place }) => place),
      decisions.map(({ at }) => at),
      decisions.map(({ until }) => until),
      decisions.map(({ ref }) => ref),
    ]),
    pool.query<NonNullable<EntryRow['notice']> & { decision: string }>(NOTICES_SQL, [id, exits.map(keyOf)]),
  ]);
}

/** A limit stays said; of what stopped an instrument only the last counts. */
function lastReasons(refusals: readonly RefusedOrder[]): readonly RefusedOrder[] {
  const last = new Map<string, RefusedOrder>();
  for (const one of refusals) last.set(isLimit(one.code) ? `${one.symbol} ${one.code}` : one.symbol, one);
  return [...last.values()];
}
