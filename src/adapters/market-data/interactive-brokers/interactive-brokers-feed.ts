// Interactive Brokers as a feed that checks another: bars and prices of shares over a session that somebody else holds. It
// signs in nowhere: one user name has one session, and the trader's is the one. The vendor lists no splits and dividends and
// tells no time, so it is no first feed.
import { sessionAt, previousSession, session } from '#engine/market/calendar.ts';
import type { Bar, Instrument } from '#engine/market/instrument.ts';
import type { BrokerAnswer, BrokerBars, BrokerMarketData, BrokerQuote } from '#ports/broker.ts';
import type {
  FeedBars,
  MarketDataAnswer,
  MarketDataFailure,
  MarketDataFeed,
  MarketQuote,
} from '#ports/market-data.ts';
import type { Symbol } from '#units/identifiers.ts';
import {
  DAY_MS,
  HOUR_MS,
  type Instant,
  instant,
  instantOfDate,
  type IsoDate,
  isoText,
  MINUTE_MS,
  SECOND_MS,
  utcDate,
} from '#units/instant.ts';
import { keepAnswer } from '../keep-answer.ts';
import { failure } from '../read-answer.ts';
import { noInstrument, shareOf } from '../us-shares.ts';
import { lentPrices } from './lent-quotes.ts';

export type InteractiveBrokersFeedConfig = {
  readonly symbols: readonly string[];
  /** The prices of a session that is held anyway; null while there is none. */
  readonly borrow: () => Promise<BrokerMarketData | null>;
  readonly now?: () => number;
};

export function interactiveBrokersFeed(config: InteractiveBrokersFeedConfig): MarketDataFeed {
  const listed = config.symbols as readonly Symbol[];
  const now = () => instant((config.now ?? Date.now)());
  const ask = <Value>(question: (prices: BrokerMarketData) => Promise<BrokerAnswer<Value>>) =>
    within(ANSWER_MS, askBorrowed(config.borrow, question));
  const instruments = keepAnswer(HOUR_MS, now, () => listInstruments(listed, ask));
  const lent = lentPrices({ symbols: listed, now, ask });
  const findUnknown = (symbols: readonly Symbol[]) => symbols.find((symbol) => !listed.includes(symbol));

  return {
    instruments,
    async clock() {
      const clock = { now: now(), daySeconds: 86_400, mode: 'live', paused: false, endsAt: null } as const;
      return { ok: true, value: clock };
    },
    async dailyBars(symbol, from, to) {
      if (findUnknown([symbol]) !== undefined) return noInstrument(symbol);
      if (from > to) return { ok: true, value: { bars: [], malformed: null } };
      const days = Math.ceil((now() - instantOfDate(from)) / DAY_MS) + 1;
      const answer = await ask((prices) => prices.dailyBars(symbol, Math.max(1, Math.min(days, DAYS_MAX))));
      return answer.ok ? { ok: true, value: barsOf(answer.value, { from, to, now: now() }) } : answer;
    },
    async corporateActions() {
      return failure(
        'refused',
        'no splits and dividends are listed by Interactive Brokers: name another feed first',
      );
    },
    async quotes(symbols) {
      const unknown = findUnknown(symbols);
      if (unknown !== undefined) return noInstrument(unknown);
      const answer = await lent.read();
      if (!answer.ok) return answer;
      const { quotes, asOf } = answer.value;
      return { ok: true, value: symbols.flatMap((symbol) => quoteOf(quotes.get(symbol), asOf) ?? []) };
    },
    stop: lent.stop,
  };
}

type Ask = <Value>(
  question: (prices: BrokerMarketData) => Promise<BrokerAnswer<Value>>,
) => Promise<MarketDataAnswer<Value>>;

async function askBorrowed<Value>(
  borrow: InteractiveBrokersFeedConfig['borrow'],
  question: (prices: BrokerMarketData) => Promise<BrokerAnswer<Value>>,
): Promise<MarketDataAnswer<Value>> {
  const prices = await borrow();
  if (prices === null)
    return failure('unreachable', 'the trader holds no session at Interactive Brokers that has prices');
  const answer = await question(prices);
  return answer.outcome === 'ok' ? { ok: true, value: answer.value } : failedAs(answer);
}

function failedAs({ code, reason }: { readonly code: string; readonly reason: string }): MarketDataFailure {
  switch (code) {
    case 'rate_limited':
    case 'refused':
    case 'unauthorized':
      return failure(code, reason);
    case 'unreadable':
      return failure('malformed', reason);
    default:
      return failure('unreachable', reason);
  }
}

/** A session that is being renewed holds up no look at the market. */
async function within<Value>(
  ms: number,
  asked: Promise<MarketDataAnswer<Value>>,
): Promise<MarketDataAnswer<Value>> {
  const { promise: late, resolve } = Promise.withResolvers<MarketDataFailure>();
  const timer = setTimeout(
    () =>
      resolve(failure('unreachable', `no answer from Interactive Brokers within ${ms / SECOND_MS} seconds`)),
    ms,
  );
  try {
    return await Promise.race([asked, late]);
  } finally {
    clearTimeout(timer);
  }
}

async function listInstruments(
  symbols: readonly Symbol[],
  ask: Ask,
): Promise<MarketDataAnswer<readonly Instrument[]>> {
  const instruments: Instrument[] = [];
  for (const symbol of symbols) {
    const answer = await ask((prices) => prices.search(symbol));
    if (!answer.ok) return answer;
    const found = answer.value.find((one) => one.symbol === symbol);
    if (found === undefined)
      return failure(
        'unknown_symbol',
        `no share called ${symbol} is listed by Interactive Brokers: correct MARKET_SYMBOLS`,
      );
    instruments.push(shareOf({ symbol, name: found.name }));
  }
  return { ok: true, value: instruments };
}

/** The vendor sends the day that is not over too. */
function barsOf(
  { bars: rows, malformed }: BrokerBars,
  { from, to, now }: { readonly from: IsoDate; readonly to: IsoDate; readonly now: Instant },
): FeedBars {
  const bars: Bar[] = [];
  for (const { at, open, high, low, close, volume } of rows) {
    const date = utcDate(at);
    if (date < from || date > to) continue;
    const day = session('us-equity', date);
    if (day === null) return { bars, malformed: `a bar of ${isoText(at)}, when our calendar has no session` };
    if (day.closesAt + BAR_DELAY_MS > now) continue;
    bars.push({ date, openedAt: day.opensAt, closedAt: day.closesAt, open, high, low, close, volume });
  }
  return { bars, malformed };
}

/** A price has no time of its trade: marked as real-time it is of now, as delayed of a quarter of an hour ago. */
function quoteOf(quote: BrokerQuote | undefined, now: Instant): MarketQuote | null {
  if (quote === undefined || quote.last === null) return null;
  const { symbol, last, bid, ask, status } = quote;
  const open = status !== 'close' && sessionAt('us-equity', now) !== null;
  const at =
    status === 'close'
      ? previousSession('us-equity', now).closesAt
      : instant(status === 'delayed' ? now - DELAY_MS : now);
  const shown = { symbol, last, bid: bid ?? last, ask: ask ?? last, open, at };
  return status === 'halted' ? { ...shown, halt: { since: now, said: '' } } : shown;
}

const ANSWER_MS = 5 * SECOND_MS;
const DELAY_MS = 15 * MINUTE_MS;
const BAR_DELAY_MS = 20 * MINUTE_MS;
/** The vendor gives no more bars than about so many at once. */
const DAYS_MAX = 1_000;
