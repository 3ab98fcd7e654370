// The end of a session, for those who hold something over it: splits, dividends, swaps and expiries are applied to each
// deployment once, before anything is decided on the close. What was traded since then does not share in them.
import { nextTradingDay, previousSession, session } from '#engine/market/calendar.ts';
import type { HoldingEvent } from '#engine/market/holding-event.ts';
import type { CalendarId, Instrument } from '#engine/market/instrument.ts';
import { intrinsicValue, parseOption } from '#engine/market/option-contract.ts';
import { KIND_RULES } from '#engine/market/kinds/rules-of.ts';
import { applyHoldingEvent } from '#engine/portfolio/apply-holding-event.ts';
import { dollarsPerQuote } from '#engine/portfolio/quote-rate.ts';
import {
  type Holder,
  insertHoldingEvent,
  listHoldersAt,
  listNightsPassed,
  saveNightPassed,
} from '#records/holding-events.ts';
import { MARKET_SHARD } from '#records/trading-shards.ts';
import { postTransaction } from '#records/ledger.ts';
import type { Symbol } from '#units/identifiers.ts';
import { type Instant, type IsoDate, utcDate } from '#units/instant.ts';
import type { BarHistory } from './bar-history.ts';
import { writeChanges } from './change.ts';
import { react } from './react.ts';
import { loadStandings } from './standing.ts';
import { noteProblem, type TradingContext } from './trading-context.ts';

const CALENDARS: readonly CalendarId[] = ['us-equity', 'forex', 'crypto'];

/** What has been read from the records; `passed` is kept between ticks. */
export type NightMemory = { passed: Map<CalendarId, IsoDate> | null };

export async function passNights(
  context: TradingContext,
  history: BarHistory,
  memory: NightMemory,
): Promise<void> {
  memory.passed ??= await listNightsPassed(context.database, ownShards(context));
  const taken = context.hold.hasMarket ? null : await listNightsPassed(context.database, [MARKET_SHARD]);
  for (const calendar of CALENDARS) {
    const last = lastNight(context, calendar, taken);
    if (last === null) continue;
    const passed = memory.passed.get(calendar);
    let date = passed === undefined ? last : nextTradingDay(calendar, passed);
    try {
      for (; date <= last; date = nextTradingDay(calendar, date)) {
        await passNight(context, history, { calendar, date });
        await saveNightPassed(context.database, { calendar, date, shards: ownShards(context) });
        memory.passed.set(calendar, date);
      }
    } catch (error) {
      // The night is tried again: what was applied is not applied twice.
      noteProblem(context, `the night after ${date} (${calendar})`, error);
    }
  }
}

/** Not before the trader that takes in the bars has passed it: they are the closes that a night counts with. */
function lastNight(
  { now }: TradingContext,
  calendar: CalendarId,
  taken: ReadonlyMap<CalendarId, IsoDate> | null,
): IsoDate | null {
  const { date } = previousSession(calendar, now);
  if (taken === null) return date;
  const limit = taken.get(calendar) ?? null;
  return limit === null || limit < date ? limit : date;
}

function ownShards({ hold }: TradingContext): readonly number[] {
  return hold.hasMarket ? [...hold.shards, MARKET_SHARD] : hold.shards;
}

/**
 * The context without the prices of what has a split or a dividend still to be applied: what is quoted already counts
 * with it, so that holdings keep their last value until their night has passed.
 */
export async function beforeNights(context: TradingContext, memory: NightMemory): Promise<TradingContext> {
  memory.passed ??= await listNightsPassed(context.database, ownShards(context));
  const pending = [...context.actions].filter(([symbol, actions]) => {
    const calendar = context.instruments.get(symbol)?.calendar;
    const passed = calendar && memory.passed?.get(calendar);
    return passed !== undefined && actions.some(({ exDate }) => exDate > nextTradingDay(calendar!, passed));
  });
  if (pending.length === 0) return context;
  const marks = new Map(context.marks);
  for (const [symbol] of pending) marks.delete(symbol);
  return { ...context, marks };
}

type Night = { readonly calendar: CalendarId; readonly date: IsoDate };

async function passNight(context: TradingContext, history: BarHistory, night: Night): Promise<void> {
  const closedAt = session(night.calendar, night.date)!.closesAt;
  for (const holder of await listHoldersAt(context.database, closedAt, context.hold.shards)) {
    const instrument = context.instruments.get(holder.symbol);
    if (instrument?.calendar !== night.calendar) continue;
    for (const event of eventsOf(context, history, { instrument, holder, night, closedAt })) {
      await applyToHolder(context, event, { holder, night });
    }
  }
}

type Question = {
  readonly instrument: Instrument;
  readonly holder: Holder;
  readonly night: Night;
  readonly closedAt: Instant;
};

function eventsOf(
  context: TradingContext,
  history: BarHistory,
  { instrument, holder, night: { date }, closedAt }: Question,
): readonly HoldingEvent[] {
  const { overnight } = KIND_RULES[instrument.kind];
  if (overnight === null) return [];
  const close = closeOf(context, history, instrument.symbol, closedAt);
  if (close === undefined) throw new Error(`${instrument.symbol} has no price at the close of ${date}`);
  return overnight({
    instrument,
    side: holder.entitled > 0 ? 'long' : 'short',
    date,
    next: nextTradingDay(instrument.calendar, date),
    close,
    rate: dollarsPerQuote(instrument, close, context.marks),
    actions: context.actions.get(instrument.symbol) ?? [],
  });
}

/** An option ends at what its underlying's close makes it worth; what has no bars of its own, at its last price. */
function closeOf(
  context: TradingContext,
  history: BarHistory,
  symbol: Symbol,
  closedAt: Instant,
): number | undefined {
  const option = parseOption(symbol);
  if (option?.expiry === utcDate((closedAt - 1) as Instant)) {
    const spot = history.closeAt(option.underlying, closedAt);
    return spot === undefined ? undefined : intrinsicValue(option, spot);
  }
  return history.closeAt(symbol, closedAt) ?? context.marks.get(symbol);
}

async function applyToHolder(
  context: TradingContext,
  event: HoldingEvent,
  { holder, night }: Pick<Question, 'holder' | 'night'>,
): Promise<void> {
  const { deploymentId, entitled } = holder;
  const { symbol } = event;
  const instrument = context.instruments.get(symbol)!;
  await context.database.transaction().execute(async (trx) => {
    const [standing] = await loadStandings(trx, [deploymentId], context, { lock: 'for update' });
    if (standing === undefined) throw new Error(`no deployment ${deploymentId}`);
    const { portfolio, marks } = standing.state;
    const at = context.now;
    const applied = applyHoldingEvent(portfolio, event, { instrument, marks, at, entitled });
    if (applied === null) return;
    const { booking, realizedPnl: realized } = applied;
    const record = { deploymentId, date: night.date, event, entitled, realized, at };
    if ((await insertHoldingEvent(trx, record)) === 'repeated') return;
    if (booking.cash !== 0 || booking.holdings !== 0 || booking.realized !== 0) {
      await postTransaction(trx, {
        deploymentId,
        kind: 'holding',
        cause: `${event.type}:${deploymentId}:${symbol}:${night.date}`,
        at,
        entries: [
          { account: 'cash', amount: booking.cash },
          { account: 'holdings', amount: booking.holdings },
          { account: 'realized', amount: booking.realized },
        ],
      });
    }
    const change = react(standing, { type: 'holding', at, event, entitled }, context);
    await writeChanges(trx, [change]);
  });
}
