// What a market feed answers now, judged: its clock, its instruments, their prices and their newest bars.
import { acceptBars } from '#engine/market-data/accept-bars.ts';
import {
  type CalendarExceptions,
  createExceptionMemory,
  heldCalendar,
} from '#engine/market/calendar-exceptions.ts';
import { hasOwnBars, missingBars } from '#engine/market-data/missing-bars.ts';
import { quotedSymbols } from '#engine/market-data/accept-quotes.ts';
import { isPriceTooOld, marketSpeed, seenAt } from '#engine/market/kinds/price-age.ts';
import type { Instrument } from '#engine/market/instrument.ts';
import { session } from '#engine/market/calendar.ts';
import type {
  FeedBars,
  ListedAction,
  MarketClock,
  MarketDataFailure,
  MarketDataFeed,
} from '#ports/market-data.ts';
import { barFaultText } from '#rules/reasons/market-data-fault.ts';
import { addDays, type IsoDate, isoText, MINUTE_MS, SECOND_MS } from '#units/instant.ts';
import { type Finding, fit, unfit } from './finding.ts';

export async function checkMarket(feed: MarketDataFeed): Promise<readonly Finding[]> {
  const clock = await feed.clock();
  if (!clock.ok) return [unfit('clock', `${clock.message.replace(/\.$/, '')}${WAYS_OUT[clock.code] ?? ''}`)];
  const instruments = await feed.instruments();
  const timed = fit('clock', `${isoText(clock.value.now)} on the market${differenceText(clock.value)}`);
  const renamed = await listRenamed(feed);
  if (!instruments.ok) return [timed, unfit('instruments', `${instruments.message}${renamed}`)];
  const listed = fit('instruments', `${instruments.value.length} listed${renamed}`);
  return [
    timed,
    listed,
    await checkPrices(feed, clock.value, instruments.value),
    await checkBars(feed, clock.value, instruments.value),
  ];
}

function differenceText({ aheadMs }: MarketClock): string {
  if (aheadMs === undefined) return '';
  const seconds = (Math.abs(aheadMs) / SECOND_MS).toFixed(3);
  return `; this machine is ${seconds} seconds ${aheadMs < 0 ? 'behind' : 'ahead'}, of 2 allowed`;
}

/** What our shares are called since they were renamed, as a sentence; empty where none was, or nobody says. */
async function listRenamed(feed: MarketDataFeed): Promise<string> {
  const changes = await feed.vendors?.[0]?.changes?.();
  if (changes?.ok !== true) return '';
  const newest = new Map(
    changes.value
      .toSorted((left, right) => (left.date < right.date ? -1 : 1))
      .flatMap(({ symbol, event, date, ticker }) =>
        event === 'rename' && ticker !== undefined ? [[symbol, `${ticker} since ${date}`] as const] : [],
      ),
  );
  const called = [...newest].map(([symbol, name]) => `${symbol} is called ${name}`);
  return called.length === 0 ? '' : `. ${called.join(', ')}`;
}

async function checkPrices(
  feed: MarketDataFeed,
  { now, daySeconds, delayMs }: MarketClock,
  instruments: readonly Instrument[],
): Promise<Finding> {
  const asked = quotedSymbols(instruments, now);
  const quotes = await feed.quotes(asked);
  if (!quotes.ok) return unfit('prices', quotes.message);
  const found = new Map(instruments.map((one) => [one.symbol, one]));
  const speed = marketSpeed(daySeconds);
  const late = quotes.value.filter(({ symbol, at, delayMs }) => {
    const instrument = found.get(symbol);
    if (instrument === undefined || hasNoPriceAtTimes(instrument)) return false;
    return isPriceTooOld({ instrument, pricedAt: at, now: seenAt(now, delayMs), speed });
  });
  const priced = new Set(quotes.value.map(({ symbol }) => symbol));
  const missing = asked.filter((symbol) => !priced.has(symbol) && !hasNoPriceAtTimes(found.get(symbol)!));
  if (missing.length > 0) return unfit('prices', `none of ${missing.join(', ')}`);
  if (late.length > 0)
    return unfit(
      'prices',
      `too old while the market is open: ${late.map(({ symbol }) => symbol).join(', ')}`,
    );
  const delay = delayMs === undefined ? '' : `, those of shares delayed by ${delayMs / MINUTE_MS} minutes`;
  return fit('prices', `${priced.size} of ${asked.length}${delay}`);
}

/** Contracts of options that nobody asks for have none, which is no fault of the feed. */
function hasNoPriceAtTimes({ kind }: Instrument): boolean {
  return kind === 'options';
}

/** The bars of two weeks up to the last session that has closed. The newest one may come some time after the close. */
async function checkBars(
  feed: MarketDataFeed,
  { now }: MarketClock,
  instruments: readonly Instrument[],
): Promise<Finding> {
  const listed = await feed.corporateActions();
  if (!listed.ok) return unfit('bars', listed.message);
  const days = await feed.calendarDays?.();
  if (days?.ok === false) return unfit('bars', days.message);
  const exceptions = createExceptionMemory()(days?.value ?? []);
  const faults: string[] = [];
  const barred = instruments.filter(({ expiry }) => expiry === null).filter(hasOwnBars);
  for (const instrument of barred) {
    const { symbol } = instrument;
    const range = missingBars(instrument, null, { now, exceptions });
    if (range === null) continue;
    const answer = await feed.dailyBars(symbol, addDays(range.to, -DAYS), range.to);
    if (!answer.ok) return unfit('bars', answer.message);
    const actions = listed.value.filter((one) => one.symbol === symbol);
    const fault = faultOf(answer.value, { instrument, actions, now, to: range.to, exceptions });
    if (fault !== null) faults.push(`${symbol}: ${fault}`);
  }
  if (faults.length > 0) return unfit('bars', `${faults.join('; ')}. ${BARS_WAY_OUT}`);
  return fit('bars', `of ${barred.length} instruments`);
}

type Asked = {
  readonly instrument: Instrument;
  readonly actions: readonly ListedAction[];
  readonly now: MarketClock['now'];
  readonly to: IsoDate;
  readonly exceptions: CalendarExceptions;
};

function faultOf(
  { bars, malformed, check }: FeedBars,
  { instrument, actions, now, to, exceptions }: Asked,
): string | null {
  if (malformed !== null) return malformed;
  const newest = bars.at(-1);
  if (newest === undefined) return 'none in two weeks';
  const { refused } = acceptBars(bars, { instrument, known: [], actions, now, check });
  if (refused !== null) return `the bar of ${refused.bar.date} is refused: ${barFaultText(refused.fault)}`;
  const calendar = heldCalendar(instrument.calendar, exceptions);
  let sessions = 0;
  for (let date = addDays(newest.date, 1); date <= to; date = addDays(date, 1))
    if (session(calendar, date) !== null) sessions += 1;
  return sessions >= SESSIONS_LATE
    ? `they end on ${newest.date}, and sessions until ${to} have closed`
    : null;
}

const WAYS_OUT: { readonly [Code in MarketDataFailure['code']]?: string } = {
  unreachable:
    ': check the network, and the addresses of the feed where they are set (ALPACA_DATA_URL, ALPACA_TRADING_URL, MASSIVE_URL)',
  unauthorized: '; copy again from the vendor what it refuses',
};

/** The last one may still come, and the exchange may have been closed on a day that no rule names. */
const SESSIONS_LATE = 3;
const BARS_WAY_OUT =
  'Nothing is decided on such a symbol: take it out of MARKET_SYMBOLS, or report the day to the vendor';
const DAYS = 14;
