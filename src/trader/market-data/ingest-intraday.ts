// Stores new closed bars of parts of a session: those of the intervals that a strategy reads, of the instruments that it
// reads them of, and no others. They are asked for once for each close, together.
import { acceptBars } from '#engine/market-data/accept-bars.ts';
import { heldCalendar } from '#engine/market/calendar-exceptions.ts';
import { isTradingDay } from '#engine/market/calendar.ts';
import type { Instrument, IntradayInterval } from '#engine/market/instrument.ts';
import { previousPart } from '#engine/market/session-parts.ts';
import type { StrategyDefinition } from '#engine/strategy/definition.ts';
import { symbolsRead } from '#engine/strategy/feature-column.ts';
import type { FeedBars, IntradayFeed } from '#ports/market-data.ts';
import { saveBars } from '#records/market/bars.ts';
import type { BarSource } from '#records/market/instruments.ts';
import { barFaultText, feedDoubtText } from '#rules/reasons/market-data-fault.ts';
import type { Symbol } from '#units/identifiers.ts';
import { type Instant, instantOfDate, isoText } from '#units/instant.ts';
import { noteProblem, type TickContext } from '../trading-context.ts';
import { type BarHistory, createBarHistory } from './bar-history.ts';

/** The bars of one interval that are in memory. */
export type IntradayBook = {
  readonly history: BarHistory;
  /** Until when every bar of an instrument is here: a part without one had no trade. */
  readonly through: Map<Symbol, Instant>;
};

export type IntradayBooks = Map<IntradayInterval, IntradayBook>;

type IngestContext = Pick<
  TickContext,
  | 'marketData'
  | 'database'
  | 'logger'
  | 'problemLog'
  | 'realNow'
  | 'now'
  | 'instruments'
  | 'actions'
  | 'exceptions'
  | 'report'
  | 'versions'
>;

/** `drafts` are read too, so that they can be tested before they are traded. */
export async function ingestIntraday(
  context: IngestContext,
  books: IntradayBooks,
  { source, drafts }: { readonly source: BarSource; readonly drafts: readonly StrategyDefinition[] },
): Promise<void> {
  const { intraday } = context.marketData;
  if (intraday === undefined) return;
  for (const [interval, symbols] of readOfParts(context.versions.values(), drafts)) {
    const book = books.get(interval) ?? openBook(context, interval, source);
    books.set(interval, book);
    const instruments = symbols.flatMap((symbol) => context.instruments.get(symbol) ?? []);
    await book.history.load(
      instruments.map(({ symbol }) => symbol),
      context.now,
    );
    book.history.learn(context.actions);
    for (const group of groupsDue(context, { book, interval, instruments }))
      await ingest(context, intraday, { ...group, book, interval, source });
  }
}

/** What strategies of parts of a session read, by interval, with what they are compared with. */
function readOfParts(
  versions: Iterable<{ readonly definition: StrategyDefinition }>,
  drafts: readonly StrategyDefinition[],
): ReadonlyMap<IntradayInterval, readonly Symbol[]> {
  const read = new Map<IntradayInterval, Set<Symbol>>();
  for (const definition of [...Array.from(versions, (one) => one.definition), ...drafts]) {
    const { interval, benchmark } = definition;
    if (interval === undefined) continue;
    const symbols = read.get(interval) ?? new Set();
    for (const symbol of [...symbolsRead(definition), benchmark]) symbols.add(symbol);
    read.set(interval, symbols);
  }
  return new Map([...read].map(([interval, symbols]) => [interval, [...symbols].sort()]));
}

function openBook({ database, instruments }: IngestContext, interval: IntradayInterval, source: BarSource) {
  return {
    history: createBarHistory(database, source, { interval, instruments }),
    through: new Map<Symbol, Instant>(),
  };
}

type Group = { readonly instruments: readonly Instrument[]; readonly after: Instant | null };

/** Those for which a part has ended since, with what is asked for: the same request for all of a kind that are equally far. */
function groupsDue(
  { now, exceptions }: IngestContext,
  {
    book: { history, through },
    interval,
    instruments,
  }: {
    readonly book: IntradayBook;
    readonly interval: IntradayInterval;
    readonly instruments: readonly Instrument[];
  },
): Iterable<Group> {
  const groups = new Map<string, { readonly instruments: Instrument[]; readonly after: Instant | null }>();
  for (const instrument of instruments) {
    const { symbol, kind, calendar } = instrument;
    const ended = previousPart(heldCalendar(calendar, exceptions), interval, now).closesAt;
    const known = through.get(symbol);
    if (known !== undefined && known >= ended) continue;
    const last = history.newestBar(symbol);
    // What is kept may end at different parts of one day.
    const after = known ?? (last === null ? null : instantOfDate(last.date));
    const key = `${kind} ${after}`;
    const group = groups.get(key) ?? { instruments: [], after };
    // Years of bars take a while, and orders do not wait for them: the others follow at the next looks.
    if (after === null && group.instruments.length >= FIRST_MAX) continue;
    group.instruments.push(instrument);
    groups.set(key, group);
  }
  return groups.values();
}

const FIRST_MAX = 5;

type Due = Group & {
  readonly book: IntradayBook;
  readonly interval: IntradayInterval;
  readonly source: BarSource;
};

async function ingest(
  context: IngestContext,
  intraday: IntradayFeed,
  { instruments, after, book, interval, source }: Due,
): Promise<void> {
  const symbols = instruments.map(({ symbol }) => symbol);
  const fail = (error: unknown) => {
    for (const symbol of symbols)
      noteProblem(context, `bars of ${interval} of ${symbol}`, error, failing(symbol, interval));
  };
  try {
    const answer = await intraday.bars({ symbols, interval, after });
    if (!answer.ok) return fail(new Error(`${answer.code}: ${answer.message}`));
    for (const instrument of instruments) {
      const { symbol } = instrument;
      const listed = answer.value.bars.get(symbol);
      if (listed === undefined) continue;
      const isWhole = await keep(context, { book, interval, source, instrument, listed });
      if (isWhole && answer.value.through !== null) book.through.set(symbol, answer.value.through);
    }
  } catch (error) {
    fail(error);
  }
}

type Listed = Pick<Due, 'book' | 'interval' | 'source'> & {
  readonly instrument: Instrument;
  readonly listed: FeedBars;
};

/** Whether everything that the feed gave is kept: behind a bad bar its instrument stays where it was. */
async function keep(
  context: IngestContext,
  { book: { history }, interval, source, instrument, listed: { bars, malformed, check } }: Listed,
): Promise<boolean> {
  const { symbol, calendar } = instrument;
  const last = history.newestBar(symbol)?.closedAt ?? 0;
  // A session on a day that our rules do not know is not traded.
  const fresh = bars.filter(({ closedAt, date }) => closedAt > last && isTradingDay(calendar, date));
  const actions = context.actions.get(symbol) ?? [];
  const around = { instrument, known: history.lastBars(symbol), actions, now: context.now, check };
  const { accepted, refused, doubted } = acceptBars(fresh, around);
  const where = (closedAt: Instant) => `bar of ${symbol} at ${isoText(closedAt)}`;
  const refuse = (place: string, fault: string) => {
    context.report.barsRefused += 1;
    noteProblem(context, place, new Error(`refused: ${fault}`), refusedBar(symbol, interval));
  };
  if (refused !== null) refuse(where(refused.bar.closedAt), barFaultText(refused.fault));
  else if (doubted !== null) {
    const error = new Error(`waits: ${feedDoubtText(doubted.doubt)}`);
    noteProblem(context, where(doubted.bar.closedAt), error, doubtedBar(symbol, interval));
  } else if (malformed !== null) refuse(`a bar of ${interval} of ${symbol}`, malformed);
  if (accepted.length > 0) {
    const saved = await saveBars(context.database, { symbol, interval, source }, accepted);
    context.report.barsIngested += saved.added;
    // Another trader has written some of them: what is stored counts.
    if (saved.added < accepted.length) {
      history.forget(symbol);
      return false;
    }
    history.append(symbol, accepted);
  }
  return refused === null && doubted === null && malformed === null;
}

const failing = (symbol: Symbol, interval: IntradayInterval) =>
  ({ kind: 'market_data_failing', subject: symbol, symbol, task: `bars of ${interval}` }) as const;

const refusedBar = (symbol: Symbol, interval: IntradayInterval) =>
  ({ kind: 'price_refused', subject: symbol, symbol, task: `bar of ${interval}` }) as const;

const doubtedBar = (symbol: Symbol, interval: IntradayInterval) =>
  ({ kind: 'price_doubted', subject: symbol, symbol, task: `bar of ${interval}` }) as const;
