// Bars of parts of a session, of shares of all exchanges and of coins: hours of shares are put together from half hours, because
// the vendor's hours begin at full hours and sessions do not.
import { hours, type Session } from '#engine/market/calendar.ts';
import { type InstrumentKind, INTRADAY_INTERVALS, type IntradayInterval } from '#engine/market/instrument.ts';
import { INTERVAL_MS } from '#engine/market/session-parts.ts';
import type { IntradayBars, IntradayFeed, MarketDataAnswer } from '#ports/market-data.ts';
import type { Symbol } from '#units/identifiers.ts';
import {
  addDays,
  type Instant,
  instant,
  instantOfDate,
  isoText,
  MINUTE_MS,
  SECOND_MS,
  utcDate,
} from '#units/instant.ts';
import { failure } from '../read-answer.ts';
import { completeThrough, createSessionBars, KEPT_DAYS } from '../session-bars.ts';
import { noInstrument } from '../us-shares.ts';
import type { AlpacaFeed } from './config.ts';
import type { ReferenceData } from './reference-data.ts';
import type { Query, Requests } from './requests.ts';
import { parseBar, parseBarPage } from './rows.ts';

/** What is asked for, by kind: the vendor's name of each symbol, its address and its lengths. */
export type PartSource = {
  readonly path: string;
  readonly query: Query;
  readonly timeframes: Readonly<Record<IntradayInterval, string>>;
  /** After the end of a part its last trades still arrive; and a plan may have them later. */
  readonly delayMs: number;
  /** Null: not one of its own. */
  readonly nameOf: (symbol: Symbol) => string | null;
  readonly sessions: () => Promise<MarketDataAnswer<SessionsOf>>;
};

export type SessionsOf = { readonly all: Iterable<Session>; readonly of: (at: Instant) => Session | null };

const TIMEFRAMES = { '1m': '1Min', '5m': '5Min', '15m': '15Min', '30m': '30Min' } as const;
/** A part is corrected for as long: the vendor's stream sends a minute again half a minute later. */
const SETTLE_MS = 35 * SECOND_MS;
/** The free plan has the prices of all exchanges a quarter of an hour late. */
const FREE_DELAY_MS = 16 * MINUTE_MS;
/** Far below what an address may be long. */
const NAMES_MAX = 100;

export function shareParts(
  feed: AlpacaFeed,
  reference: ReferenceData,
  nameOf: PartSource['nameOf'],
): PartSource {
  return {
    path: '/v2/stocks/bars',
    query: { adjustment: 'raw', feed: 'sip' },
    timeframes: { ...TIMEFRAMES, '1h': '30Min' },
    delayMs: feed === 'sip' ? SETTLE_MS : FREE_DELAY_MS,
    nameOf,
    async sessions() {
      const days = await reference.sessions();
      if (!days.ok) return days;
      // A session of shares lies within one day of UTC.
      return { ok: true, value: { all: days.value.values(), of: (at) => days.value.get(utcDate(at)) ?? null } };
    },
  };
}

export function coinParts(now: () => number, nameOf: PartSource['nameOf']): PartSource {
  return {
    path: '/v1beta3/crypto/us/bars',
    query: {},
    timeframes: { ...TIMEFRAMES, '1h': '1Hour' },
    delayMs: SETTLE_MS,
    nameOf,
    async sessions() {
      const today = utcDate(instant(now()));
      const all = [hours('crypto', addDays(today, -1)), hours('crypto', today)];
      return { ok: true, value: { all, of: (at) => hours('crypto', utcDate(at)) } };
    },
  };
}

/** Only intervals that are known before the next one ends: a decision on any other comes too late to be traded. */
export function intradayFeed(
  requests: Requests,
  sources: ReadonlyMap<InstrumentKind, PartSource>,
  now: () => number,
): IntradayFeed {
  /** The last answer to each question that was asked: one that does not help is not asked again at every look. */
  const kept = new Map<string, { readonly until: number; readonly answer: MarketDataAnswer<IntradayBars> }>();
  return {
    intervals(kind) {
      const source = sources.get(kind);
      return source === undefined ? [] : INTRADAY_INTERVALS.filter((one) => isInTime(one, source));
    },
    async bars(asked) {
      const source = [...sources.values()].find(({ nameOf }) => asked.symbols.every((one) => nameOf(one) !== null));
      if (source === undefined) return noInstrument(asked.symbols[0]!);
      const sessions = await source.sessions();
      if (!sessions.ok) return sessions;
      const { interval, after, symbols } = asked;
      const through = completeThrough(sessions.value.all, { interval, delayMs: source.delayMs, now: now() });
      const cut = { interval, after, through, sessionOf: sessions.value.of };
      if (through === null || (after !== null && after >= through))
        return { ok: true, value: { through, bars: new Map(symbols.map((one) => [one, NONE])) } };
      const key = `${source.path} ${interval} ${after} ${symbols.join(',')}`;
      for (const [other, { until }] of kept) if (until <= now()) kept.delete(other);
      const same = kept.get(key);
      if (same !== undefined) return same.answer;
      const from = after ?? instantOfDate(addDays(utcDate(instant(now())), -KEPT_DAYS[interval]));
      const answer = await listParts(requests, source, { symbols, cut, from, through });
      kept.set(key, { until: now() + (answer.ok ? MINUTE_MS : AGAIN_MS), answer });
      return answer;
    },
  };
}

const NONE = { bars: [], malformed: null };
const AGAIN_MS = 5 * SECOND_MS;

function isInTime(interval: IntradayInterval, { delayMs }: PartSource): boolean {
  return delayMs < INTERVAL_MS[interval];
}

type Wanted = {
  readonly symbols: readonly Symbol[];
  readonly cut: Parameters<typeof createSessionBars>[0];
  readonly from: Instant;
  readonly through: Instant;
};

async function listParts(
  requests: Requests,
  source: PartSource,
  { symbols, cut, from, through }: Wanted,
): Promise<MarketDataAnswer<IntradayBars>> {
  const series = symbols.map((symbol) => ({ symbol, bars: createSessionBars(cut) }));
  const named = new Map(series.map(({ symbol, bars }) => [source.nameOf(symbol)!, bars]));
  const names = [...named.keys()];
  for (let start = 0; start < names.length; start += NAMES_MAX) {
    const query = {
      ...source.query,
      symbols: names.slice(start, start + NAMES_MAX).join(','),
      timeframe: source.timeframes[cut.interval],
      start: isoText(from),
      // The vendor's end is included: the part that begins then is not asked for.
      end: isoText(instant(through - SECOND_MS)),
      limit: '10000',
      sort: 'asc',
    };
    const failed = await readPages(requests, { path: source.path, query }, named);
    if (failed !== null) return failed;
  }
  return { ok: true, value: { through, bars: new Map(series.map(({ symbol, bars }) => [symbol, bars.value()])) } };
}

/** A list that does not end is a failure: half a history would look like a whole one. */
async function readPages(
  requests: Requests,
  { path, query }: { readonly path: string; readonly query: Query },
  named: ReadonlyMap<string, ReturnType<typeof createSessionBars>>,
) {
  const seen = new Set<string>();
  let token: string | null = null;
  do {
    const paged: Query = token === null ? query : { ...query, page_token: token };
    const page = await requests.data(path, paged, parseBarPage);
    if (!page.ok) return page;
    for (const [name, rows] of page.value.rows) {
      const bars = named.get(name);
      for (const row of rows) bars?.add(parseBar(row));
    }
    token = page.value.nextToken;
    if (token !== null && seen.has(token))
      return failure('malformed', 'the vendor repeats a page: the list has no end');
    if (token !== null) seen.add(token);
  } while (token !== null);
  return null;
}
