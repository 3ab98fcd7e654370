// The end of a session, for those who hold something over it: splits, dividends, swaps, expiries and deliveries are
// applied to each deployment once, before anything is decided on the close. What was traded since then does not share in them.
import { nextTradingDay, previousSession, session } from '#engine/market/calendar.ts';
import { type PositionEvent, isDelivery } from '#engine/market/position-event.ts';
import type { CalendarId } from '#engine/market/instrument.ts';
import { parseOption } from '#engine/market/option-contract.ts';
import { optionClose } from '#engine/market/option-price.ts';
import { KIND_RULES } from '#engine/market/kinds/rules-of.ts';
import { dollarsPerQuote } from '#engine/portfolio/quote-rate.ts';
import {
  type Holder,
  listHoldersAt,
  listProcessedSessions,
  lockEndOfDay,
  saveProcessedSession,
} from '#records/portfolio/position-events.ts';
import { loadTradingDeployments } from '#records/deployments/trading-deployments.ts';
import { MARKET_SHARD } from '#records/operations/trading-shards.ts';
import type { DeploymentId, Symbol } from '#units/identifiers.ts';
import type { Instant, IsoDate } from '#units/instant.ts';
import { type Quantity, ZERO_QUANTITY } from '#units/quantity.ts';
import { bookPositionEvent } from './book-position-event.ts';
import type { BarHistory } from '../market-data/bar-history.ts';
import { isDatabaseAway } from '../rebalance/run-in-batches.ts';
import { LeaseLost } from '../leases/shard-lease.ts';
import { noteProblem, type TradingContext } from '../trading-context.ts';

const CALENDARS: readonly CalendarId[] = ['us-equity', 'forex', 'crypto'];

/** What has been read from the records; `passed` is kept between ticks. */
export type EndOfDayMemory = { passed: Map<CalendarId, IsoDate> | null };

export async function processEndOfDay(
  context: TradingContext,
  history: BarHistory,
  memory: EndOfDayMemory,
): Promise<void> {
  memory.passed ??= await listProcessedSessions(context.database, ownShards(context));
  const taken = context.lease.hasMarket
    ? null
    : await listProcessedSessions(context.database, [MARKET_SHARD]);
  for (const calendar of CALENDARS) {
    const last = lastSessionToProcess(context, calendar, taken);
    if (last === null) continue;
    const passed = memory.passed.get(calendar);
    let date = passed === undefined ? last : nextTradingDay(calendar, passed);
    try {
      for (; date <= last; date = nextTradingDay(calendar, date)) {
        await processSession(context, history, { calendar, date });
        memory.passed.set(calendar, date);
      }
    } catch (error) {
      // The night is tried again: what was applied is not applied twice.
      noteProblem(context, `end-of-day processing of ${date} (${calendar})`, error);
    }
  }
}

/** Not before the trader that takes in the bars has passed it: they are the closes that a night counts with. */
function lastSessionToProcess(
  { now }: TradingContext,
  calendar: CalendarId,
  taken: ReadonlyMap<CalendarId, IsoDate> | null,
): IsoDate | null {
  const { date } = previousSession(calendar, now);
  if (taken === null) return date;
  const limit = taken.get(calendar) ?? null;
  return limit === null || limit < date ? limit : date;
}

function ownShards({ lease }: TradingContext): readonly number[] {
  return lease.hasMarket ? [...lease.shards, MARKET_SHARD] : lease.shards;
}

/** The last session of each calendar whose end has been dealt with. */
export async function processedSessions(
  context: TradingContext,
  memory: EndOfDayMemory,
): Promise<ReadonlyMap<CalendarId, IsoDate>> {
  memory.passed ??= await listProcessedSessions(context.database, ownShards(context));
  return memory.passed;
}

type CalendarSession = { readonly calendar: CalendarId; readonly date: IsoDate };

async function processSession(
  context: TradingContext,
  history: BarHistory,
  closed: CalendarSession,
): Promise<void> {
  const closedAt = session(closed.calendar, closed.date)!.closesAt;
  const closes = new Map<Symbol, number | undefined>();
  const known = { ...closed, closedAt, history, closes, awaited: new Set<DeploymentId>() };
  const counted: Counted = new Map();
  let holders: readonly Holder[] = await listHoldersAt(context.database, closedAt, context.lease);
  for (let round = 0; round < ROUNDS_MAX; round++) {
    await applyToAll(context, known, { holders, counted });
    const { size } = known.awaited;
    if (size > 0) throw new Error(`it waits for ${size} ${size === 1 ? 'deployment' : 'deployments'}`);
    const left = await completeSession(context, known, counted);
    if (left.length === 0) return;
    holders = left;
  }
  throw new Error('what was held at its close changes again and again');
}

/** What each holding counted as when the night was applied to it. */
type Counted = Map<string, Quantity>;

function keyOf({ deploymentId, symbol }: Holder): string {
  return `${deploymentId} ${symbol}`;
}

async function applyToAll(
  context: TradingContext,
  known: ClosedSession,
  { holders, counted }: { readonly holders: readonly Holder[]; readonly counted: Counted },
): Promise<void> {
  for (const holder of holders) counted.set(keyOf(holder), holder.entitled);
  const [options, others] = partition(holders, ({ symbol }) => parseOption(symbol) !== null);
  const ofOptions = others.length === 0 ? NO_HOLDINGS : holdingsOf(others, options);
  // Options first: who held the shares that evening is known once they are delivered.
  let isDelivered = false;
  for (const holder of options) {
    const events = await applyOrAwait(context, known, holder, ofOptions);
    isDelivered ||= events.some(isDelivery);
  }
  const rest = isDelivered ? await listHoldersAt(context.database, known.closedAt, context.lease) : others;
  for (const holder of rest)
    if (parseOption(holder.symbol) === null) await applyOrAwait(context, known, holder, NO_HOLDINGS);
}

/**
 * Says that the night has passed, unless an execution from before its close was booked since the holders were listed:
 * then whoever holds something else now is answered. Who books such an execution later finds the night passed.
 */
async function completeSession(
  context: TradingContext,
  { calendar, date, closedAt }: ClosedSession,
  counted: Counted,
): Promise<readonly Holder[]> {
  return context.database.transaction().execute(async (trx) => {
    await lockEndOfDay(trx, calendar, 'alone');
    const held = await listHoldersAt(trx, closedAt, context.lease);
    const left = held.filter((holder) => counted.get(keyOf(holder)) !== holder.entitled);
    if (left.length === 0) await saveProcessedSession(trx, { calendar, date, shards: ownShards(context) });
    return left;
  });
}

/**
 * What fails for one deployment alone fails nobody else. It is tried again until it is set aside; then the night passes
 * without it, and people put right what it has missed.
 */
async function applyOrAwait(
  context: TradingContext,
  known: ClosedSession,
  holder: Holder,
  holdings: Holdings,
): Promise<readonly PositionEvent[]> {
  const { deploymentId: id, symbol } = holder;
  const failing = { task: 'end-of-day', symbol } as const;
  try {
    const events = await applyToHolder(context, known, holder, holdings);
    context.circuitBreaker.succeeded(id, failing);
    return events;
  } catch (error) {
    if (error instanceof NoClose || error instanceof LeaseLost || isDatabaseAway(error)) throw error;
    noteProblem(context, `end-of-day processing of ${symbol} after ${known.date} of deployment ${id}`, error);
    const [record] = await loadTradingDeployments(context.database, [id], 'unlocked');
    if (record?.status === 'failed') return [];
    context.circuitBreaker.failed(id, failing);
    known.awaited.add(id);
    return [];
  }
}

/** In one transaction, with what was held by all that is booked by then. What was applied before stays so. */
async function applyToHolder(
  context: TradingContext,
  known: ClosedSession,
  listed: Holder,
  holdings: Holdings,
): Promise<readonly PositionEvent[]> {
  const { deploymentId, symbol } = listed;
  if (eventsOf(context, known, listed, holdings).length === 0) return [];
  return context.database.transaction().execute(async (trx) => {
    await loadTradingDeployments(trx, [deploymentId], 'for update');
    const held = await listHoldersAt(trx, known.closedAt, { deploymentId });
    const holder = held.find((one) => one.symbol === symbol);
    if (holder === undefined) return [];
    const { entitled } = holder;
    const events = eventsOf(context, known, holder, holdings);
    for (const event of events)
      await bookPositionEvent(trx, context, {
        deploymentId,
        event,
        entitled,
        sessionDate: known.date,
        execution: '',
      });
    return events;
  });
}

/** Once for the holders, once more for those whose holding the night itself changed, and some for executions meanwhile. */
const ROUNDS_MAX = 6;

type ClosedSession = CalendarSession & {
  readonly closedAt: Instant;
  readonly history: BarHistory;
  /** By symbol, each looked up once a night. */
  readonly closes: Map<Symbol, number | undefined>;
  /** Those that could not take it and are not set aside. */
  readonly awaited: Set<DeploymentId>;
};

/** Of everybody who holds it: the night is tried again. */
class NoClose extends Error {}

type Holdings = ReadonlyMap<DeploymentId, ReadonlyMap<Symbol, Quantity>>;
const NO_HOLDINGS: Holdings = new Map();

function partition<Item>(items: readonly Item[], is: (item: Item) => boolean): [Item[], Item[]] {
  return [items.filter(is), items.filter((item) => !is(item))];
}

/** What those who hold options held of everything else. */
function holdingsOf(others: readonly Holder[], options: readonly Holder[]): Holdings {
  const asked = new Set(options.map(({ deploymentId }) => deploymentId));
  const theirs = Map.groupBy(
    others.filter(({ deploymentId }) => asked.has(deploymentId)),
    ({ deploymentId }) => deploymentId,
  );
  return new Map(
    [...theirs].map(([id, held]) => [id, new Map(held.map(({ symbol, entitled }) => [symbol, entitled]))]),
  );
}

function eventsOf(
  context: TradingContext,
  closed: ClosedSession,
  { symbol, deploymentId, entitled }: Holder,
  holdings: Holdings,
): readonly PositionEvent[] {
  const instrument = context.instruments.get(symbol);
  if (instrument?.calendar !== closed.calendar) return [];
  const { overnight } = KIND_RULES[instrument.kind];
  if (overnight === null) return [];
  const close = closeOf(context, closed, symbol);
  const option = parseOption(symbol);
  const underlying = option && {
    close: closeOf(context, closed, option.underlying),
    actions: context.actions.get(option.underlying) ?? [],
    held: holdings.get(deploymentId)?.get(option.underlying) ?? ZERO_QUANTITY,
  };
  return overnight({
    instrument,
    held: entitled,
    date: closed.date,
    next: nextTradingDay(instrument.calendar, closed.date),
    close,
    rate: dollarsPerQuote(instrument, close, context.marks),
    actions: context.actions.get(symbol) ?? [],
    underlying,
  });
}

/** Throws NoClose when there is none. */
function closeOf(context: TradingContext, closed: ClosedSession, symbol: Symbol): number {
  const { closes } = closed;
  if (!closes.has(symbol)) closes.set(symbol, findClose(context, closed, symbol));
  const close = closes.get(symbol);
  if (close === undefined) throw new NoClose(`${symbol} has no price at the close of ${closed.date}`);
  return close;
}

/** An option's follows from its underlying's bars; what has no bars of its own is taken at its last price. */
function findClose(
  context: TradingContext,
  { history, closedAt }: ClosedSession,
  symbol: Symbol,
): number | undefined {
  const option = parseOption(symbol);
  if (option === null) return history.closeAt(symbol, closedAt) ?? context.marks.get(symbol);
  if (history.closeAt(option.underlying, closedAt) === undefined) return undefined;
  const bars = history.series(option.underlying);
  return optionClose(option, bars, bars.closedAt.indexOf(closedAt));
}
