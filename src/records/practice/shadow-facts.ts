// What a shadow and the real deployment beside it did: all that explains why their values differ, from one snapshot.
import { sql } from 'kysely';
import { previousTradingDay, session } from '#engine/market/calendar.ts';
import type { CorporateAction } from '#engine/market/corporate-action.ts';
import type { Instrument } from '#engine/market/instrument.ts';
import { actionsSince, ratioOf } from '#engine/market/split-ratio.ts';
import type { Side } from '#engine/order/order.ts';
import { dollarsPerQuote } from '#engine/portfolio/quote-rate.ts';
import type { ShadowFill, ShadowPair, ShadowSide } from '#engine/practice/explain-shadow.ts';
import type { DeploymentId, Symbol, UserId } from '#units/identifiers.ts';
import { type Instant, parseInstant } from '#units/instant.ts';
import { parseMicro, ZERO_MICRO } from '#units/money.ts';
import { parseQuantity, type Quantity, quantity } from '#units/quantity.ts';
import { roundHalfEven } from '#units/round.ts';
import { listActionsOf } from '../market/corporate-actions.ts';
import { findInstruments } from '../market/instruments.ts';
import type { Database, Transaction } from '../postgres/database.ts';
import { isUuid } from '../postgres/is-uuid.ts';

type ShadowFacts = {
  readonly practiceId: DeploymentId;
  readonly realId: DeploymentId;
  /** Up to when both are valued at the latest. */
  readonly asOf: Instant;
  readonly pair: ShadowPair;
};

/** Null when neither the deployment nor its pair is a shadow of this person. */
export async function findShadowFacts(
  database: Database,
  { id, userId }: { readonly id: string; readonly userId: UserId },
): Promise<ShadowFacts | null> {
  if (!isUuid<DeploymentId>(id)) return null;
  return database
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (snapshot) => {
      const { rows } = await sql<{ practice: DeploymentId; real: DeploymentId }>`
        select id as practice, shadow_of as real from deployments
        where user_id = ${userId} and shadow_of is not null and (id = ${id} or shadow_of = ${id})`.execute(
        snapshot,
      );
      const [found] = rows;
      return found === undefined ? null : readPair(snapshot, found);
    });
}

async function readPair(
  snapshot: Transaction,
  { practice, real }: { readonly practice: DeploymentId; readonly real: DeploymentId },
): Promise<ShadowFacts> {
  const rows = await readRows(snapshot, [practice, real]);
  const asOf = Math.max(...rows.sides.map(({ as_of }) => parseInstant(as_of))) as Instant;
  const symbols = [...rows.fills, ...rows.adjustments].map(({ symbol }) => symbol);
  const traded = await readTraded(snapshot, [...new Set(symbols)]);
  const sideOf = (id: DeploymentId): ShadowSide => {
    const own = <Row extends { readonly deployment_id: string }>(all: readonly Row[]) =>
      all.filter(({ deployment_id }) => deployment_id === id);
    const side = rows.sides.find((one) => one.id === id)!;
    return {
      value: parseMicro(side.equity_micro),
      invested: parseMicro(side.investment_micro),
      fills: own(rows.fills).map((row) => inUnitsOfNow(row, traded.get(row.symbol)!, asOf)),
      financing: parseMicro(own(rows.financing)[0]?.amount ?? String(ZERO_MICRO)),
      adjustments: own(rows.adjustments).map(({ symbol, net_units, cash_micro, applied_at }) => {
        const ratio = splitsSince(traded.get(symbol)!, parseInstant(applied_at), asOf);
        return { symbol, units: times(parseQuantity(net_units), ratio), cash: parseMicro(cash_micro) };
      }),
      marks: new Map(own(rows.positions).map(({ symbol, mark }) => [symbol, mark])),
    };
  };
  const pair = { practice: sideOf(practice), real: sideOf(real) };
  const began = rows.sides.find(({ id }) => id === real)!.deployed_at;
  return {
    practiceId: practice,
    realId: real,
    asOf,
    pair: { ...pair, realSince: parseInstant(began), dollarsPerPoint: perPointOf(pair, traded, rows.rates) },
  };
}

type Traded = { readonly instrument: Instrument; readonly actions: readonly CorporateAction[] };

async function readTraded(
  snapshot: Transaction,
  symbols: readonly Symbol[],
): Promise<ReadonlyMap<Symbol, Traded>> {
  const instruments = await findInstruments(snapshot, symbols);
  const actions = await listActionsOf(snapshot, symbols);
  return new Map(
    instruments.map((instrument) => {
      const { symbol } = instrument;
      return [symbol, { instrument, actions: actions.get(symbol) ?? [] }];
    }),
  );
}

/** A fill keeps its price and quantity as reported; here both count in the units that it has become. */
function inUnitsOfNow(row: FillRow, traded: Traded, asOf: Instant): ShadowFill {
  const at = parseInstant(row.executed_at);
  const ratio = splitsSince(traded, at, asOf);
  return {
    symbol: row.symbol,
    side: row.side,
    quantity: times(parseQuantity(row.quantity), ratio),
    price: row.price / ratio,
    commission: parseMicro(row.commission_micro),
    at,
    decision: row.decision,
  };
}

function splitsSince({ instrument, actions }: Traded, at: Instant, asOf: Instant): number {
  const { calendar } = instrument;
  const passed = actions.filter(
    ({ exDate }) => session(calendar, previousTradingDay(calendar, exDate))!.closesAt <= asOf,
  );
  return ratioOf(actionsSince(passed, 'split', { calendar, at }));
}

function times(units: Quantity, ratio: number): Quantity {
  return quantity(roundHalfEven(units * ratio));
}

function perPointOf(
  { practice, real }: Pick<ShadowPair, 'practice' | 'real'>,
  traded: ReadonlyMap<Symbol, Traded>,
  rates: readonly RateRow[],
): ReadonlyMap<Symbol, number> {
  const marks = new Map(rates.map(({ symbol, close }) => [symbol, close]));
  const newest = new Map([...practice.fills, ...real.fills].map(({ symbol, price }) => [symbol, price]));
  return new Map(
    [...traded].map(([symbol, { instrument }]) => {
      const price = real.marks.get(symbol) ?? practice.marks.get(symbol) ?? newest.get(symbol) ?? 1;
      return [symbol, instrument.multiplier * dollarsPerQuote(instrument, price, marks)];
    }),
  );
}

type FillRow = {
  readonly deployment_id: DeploymentId;
  readonly symbol: Symbol;
  readonly side: Side;
  readonly quantity: string;
  readonly price: number;
  readonly commission_micro: string;
  readonly executed_at: Date;
  readonly decision: string;
};
type RateRow = { readonly symbol: Symbol; readonly close: number };

async function readRows(snapshot: Transaction, both: readonly DeploymentId[]) {
  const sides = await sql<{
    id: DeploymentId;
    equity_micro: string;
    investment_micro: string;
    deployed_at: Date;
    as_of: Date;
  }>`select id, equity_micro, investment_micro, deployed_at, coalesce(marked_at, deployed_at) as as_of
     from deployments where id = any(${both}::uuid[])`.execute(snapshot);
  // A stop of ours and one at the broker are one decision of their day.
  const fills = await sql<FillRow>`
    select f.deployment_id, f.symbol, f.side, f.quantity, f.price::float8 as price, f.commission_micro, f.executed_at,
      coalesce(o.target_id::text, case when o.purpose in ('protective', 'stop_loss') then 'stop' else o.purpose end
        || (f.executed_at at time zone 'UTC')::date) as decision, f.execution_id
    from fills f join orders o on o.id = f.order_id where f.deployment_id = any(${both}::uuid[])
    union all
    -- The broker keeps coins as its fee: as if sold to it at the price of their purchase, for the commission.
    select h.deployment_id, h.symbol, case when h.entitled < 0 then 'sell' else 'buy' end, abs(h.entitled),
      (h.event ->> 'price')::float8, 0, h.at, 'fee ' || h.execution, h.execution
    from position_events h where h.kind = 'coin_fee' and h.deployment_id = any(${both}::uuid[])
    order by executed_at, execution_id`.execute(snapshot);
  // Those of late executions and of what people changed by hand are kept as adjustments.
  const financing = await sql<{ deployment_id: DeploymentId; amount: string }>`
    select t.deployment_id, sum(e.amount_micro)::text as amount from ledger_transactions t
    join ledger_entries e on e.transaction_id = t.id and e.ledger_account = 'cash'
    where t.deployment_id = any(${both}::uuid[])
      and split_part(t.cause, ':', 1) in ('dividend', 'dividend_figure', 'swap', 'swap_figure')
    group by t.deployment_id`.execute(snapshot);
  const adjustments = await sql<{
    deployment_id: DeploymentId;
    symbol: Symbol;
    net_units: string;
    cash_micro: string;
    applied_at: Date;
  }>`select deployment_id, symbol, net_units, cash_micro, applied_at from adjustments
     where deployment_id = any(${both}::uuid[]) and status = 'applied' and closes_as = 'adjustment'`.execute(
    snapshot,
  );
  const positions = await sql<{ deployment_id: DeploymentId; symbol: Symbol; mark: number }>`
    select deployment_id, symbol, mark_price::float8 as mark from positions
    where deployment_id = any(${both}::uuid[])`.execute(snapshot);
  const rates = await sql<RateRow>`
    select i.symbol, b.close from instruments i cross join lateral (
      select close from bars where symbol = i.symbol and interval = '1d' and source = i.source
      order by closed_at desc limit 1) b
    where i.kind = 'forex'`.execute(snapshot);
  return {
    sides: sides.rows,
    fills: fills.rows,
    financing: financing.rows,
    adjustments: adjustments.rows,
    positions: positions.rows,
    rates: rates.rows,
  };
}
