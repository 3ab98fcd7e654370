// I7, checked on the executions in the broker's order: a position never exceeds its decided target, only a strategy of both
// directions is ever short, and an order that closes a position never reverses it.
import { previousTradingDay, session } from '#engine/market/calendar.ts';
import { type Instant, parseInstant } from '#units/instant.ts';
import type { AtBroker } from './at-the-broker.ts';
import type { World } from './world.ts';

export async function beyondDecided(world: World, atBroker: readonly AtBroker[]): Promise<string[]> {
  const walked = await walkPositions(world);
  const shortfalls = await suspenseUnits(world);
  const found = walked.flatMap(({ violations }) => violations);
  for (const { account, positions } of atBroker) {
    for (const { symbol, quantity } of positions) {
      const short = walked
        .filter((one) => one.account === account && one.symbol === symbol)
        .reduce((sum, { decidedShort }) => sum + decidedShort, shortfalls.get(`${account} ${symbol}`) ?? 0);
      if (quantity / 1e8 < -short - ROUNDING)
        found.push(`I7 ${symbol} was sold beyond what is held and decided in ${account}`);
    }
  }
  return found;
}

/** By account and symbol, what was sold before the broker took its purchase back, in the units of now. */
async function suspenseUnits(world: World): Promise<ReadonlyMap<string, number>> {
  const { rows } = await world.records.pool.query<{
    account: string;
    symbol: string;
    units: number;
    at: Date;
  }>(
    `select account_id as account, symbol, quantity::float as units, executed_at as at from suspense_entries
     where kind = 'shortfall'`,
  );
  const kept = new Map<string, number>();
  for (const { account, symbol, units, at } of rows) {
    const key = `${account} ${symbol}`;
    kept.set(key, (kept.get(key) ?? 0) + units * splitSince(world, symbol, at.getTime() as Instant));
  }
  return kept;
}

/** How often a position was short after a fill, for all of a world. */
export async function countShorts(world: World): Promise<number> {
  return (await walkPositions(world)).reduce((sum, { shorts }) => sum + shorts, 0);
}

type Walked = {
  readonly account: string;
  readonly symbol: string;
  readonly violations: readonly string[];
  /** Fills after which it was short. */
  readonly shorts: number;
  /** The largest short that any order of the deployment was sent for, and what people took back of it, in the units of now. */
  readonly decidedShort: number;
};

async function walkPositions(world: World): Promise<Walked[]> {
  const orders = Map.groupBy(await sentOrders(world), ({ deployment, symbol }) => `${deployment} ${symbol}`);
  return [...orders.values()].map((own) => walk(own, world));
}

function walk(orders: readonly SentOrder[], world: World): Walked {
  const { account, symbol, direction } = orders[0]!;
  const violations: string[] = [];
  let decidedShort = 0;
  for (const order of orders) {
    const { low } = decided(order);
    decidedShort = Math.max(decidedShort, -low * splitSince(world, symbol, order.decidedAt));
  }
  if (decidedShort > 0 && direction !== 'long_short')
    violations.push(`I7 ${symbol} was decided short by a long one`);
  const fills = orders
    .flatMap((order) => order.fills.map((fill) => ({ ...fill, order })))
    .filter((fill, nth, all) => !fill.isAdjustment || all.findIndex(({ id }) => id === fill.id) === nth)
    .toSorted((one, other) => (inBrokersOrder(one) < inBrokersOrder(other) ? -1 : 1));
  let held = 0;
  let shorts = 0;
  let takenBack = 0;
  let at: Instant | null = null;
  for (const { order, executedAt, signed, isAdjustment } of fills) {
    if (at !== null) held *= splitSince(world, symbol, at) / splitSince(world, symbol, executedAt);
    at = executedAt;
    const before = held;
    held += signed;
    // What two people agreed on follows the broker, wherever that leads.
    if (isAdjustment) {
      takenBack += Math.max(0, -signed) * splitSince(world, symbol, executedAt);
      continue;
    }
    const { low, high } = order.purpose === 'rebalance' ? decided(order) : { low: 0, high: 0 };
    if (held < Math.min(before, low) - ROUNDING || held > Math.max(before, high) + ROUNDING)
      violations.push(
        `I7 ${order.purpose} order ${order.clientOrderId} took ${symbol} from ${before} to ${held}, decided were ${low} to ${high}`,
      );
    if (held < -ROUNDING) shorts += 1;
    if (held < -ROUNDING && direction !== 'long_short')
      violations.push(
        `I7 order ${order.clientOrderId} sold ${symbol} short for a strategy that is long only`,
      );
  }
  return { account, symbol, violations, shorts, decidedShort: decidedShort + takenBack };
}

/** What a rebalancing order may leave: nothing, or up to the weight of its target in all that there ever was. */
function decided({ purpose, weight, peak, referencePrice, symbol }: SentOrder): {
  low: number;
  high: number;
} {
  const price = symbol === DOLLARS_PER_FRANC ? 1 : referencePrice;
  const most = purpose === 'rebalance' ? (weight * peak * PEAK_MAY_HAVE_PASSED) / price : 0;
  return { low: Math.min(0, most), high: Math.max(0, most) };
}

/** How many units one of `at` has become. */
export function splitSince({ prices, now }: World, symbol: string, at: Instant): number {
  let ratio = 1;
  for (const { symbol: split, kind, exDate, amount } of prices.actions?.(now()) ?? []) {
    if (split !== symbol || kind !== 'split') continue;
    const { closesAt } = session('us-equity', previousTradingDay('us-equity', exDate))!;
    if (at <= closesAt && closesAt <= now()) ratio *= amount;
  }
  return ratio;
}

type SentOrder = {
  readonly deployment: string;
  readonly account: string;
  readonly direction: string;
  readonly symbol: string;
  readonly clientOrderId: string;
  readonly purpose: string;
  readonly decidedAt: Instant;
  readonly referencePrice: number;
  /** Of its target; 0 where it has none. */
  readonly weight: number;
  /** The most that the deployment was ever worth, in the money that was in it at the decision. */
  readonly peak: number;
  readonly fills: readonly Fill[];
};

type Fill = {
  readonly id: string;
  readonly executedAt: Instant;
  /** Microseconds of the database's clock: what happened at one instant of the market happened in this order. */
  readonly bookedAt: number;
  readonly signed: number;
  readonly isAdjustment: boolean;
};

const inBrokersOrder = ({ id, executedAt, bookedAt }: Fill) =>
  `${String(executedAt).padStart(20, '0')} ${String(bookedAt).padStart(20, '0')} ${id}`;

async function sentOrders({ records }: World): Promise<SentOrder[]> {
  const { rows } = await records.pool.query<SentRow>(
    `select o.deployment_id as deployment, c.account_id as account, o.symbol,
       coalesce(v.definition ->> 'direction', 'long') as direction, o.client_order_id as "clientOrderId", o.purpose,
       o.decided_at as "decidedAt", o.reference_price::float as "referencePrice",
       coalesce((select (w ->> 'weight')::float from jsonb_array_elements(t.weights) w
         where w ->> 'symbol' = o.symbol), 0) as weight,
       -- As it was at the decision: each later flow moved it in proportion.
       d.peak_equity_micro::float / 1e6 * coalesce((
         select exp(sum(ln(w.value_before_micro::float / (w.value_before_micro
           + case w.kind when 'deposit' then w.moved_micro else -w.moved_micro end))))
         from deployment_flows w where w.deployment_id = d.id and w.status = 'done'
           and (w.ended_at > o.decided_at or (w.ended_at = o.decided_at and w.kind = 'withdrawal'))), 1) as peak,
       coalesce((select json_agg(json_build_object('id', f.execution_id, 'executedAt', f.executed_at,
           'bookedAt', (extract(epoch from f.booked_at) * 1e6)::bigint, 'signed', f.signed, 'isAdjustment', f.is_adjustment)) from (
         select execution_id, executed_at, booked_at, case side when 'buy' then quantity else -quantity end as signed,
           false as is_adjustment from fills where order_id = o.id
         union all
         select id::text, applied_at, ended_at, net_units, true from adjustments
         where deployment_id = o.deployment_id and symbol = o.symbol and status = 'applied') f), '[]') as fills
     from orders o join deployments d on d.id = o.deployment_id
     join strategy_versions v on v.id = d.strategy_version_id
     join broker_connections c on c.id = o.broker_connection_id
     left join targets t on t.id = o.target_id where o.sent_at is not null`,
  );
  return rows.map(({ decidedAt, fills, ...row }) => ({
    ...row,
    decidedAt: decidedAt.getTime() as Instant,
    fills: fills.map(({ executedAt, ...fill }) => ({ ...fill, executedAt: parseInstant(executedAt) })),
  }));
}

type SentRow = Omit<SentOrder, 'decidedAt' | 'fills'> & {
  readonly decidedAt: Date;
  readonly fills: readonly (Omit<Fill, 'executedAt'> & { readonly executedAt: string })[];
};

/** It is counted in dollars. */
const DOLLARS_PER_FRANC = 'USDCHF';
/** A decision may come at an equity that no mark has written down as the highest yet. */
const PEAK_MAY_HAVE_PASSED = 1.05;
const ROUNDING = 1e-6;
