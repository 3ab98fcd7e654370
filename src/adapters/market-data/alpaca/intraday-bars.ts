// Bars of parts of a session, of shares of all exchanges and of coins: hours of shares are put together from half hours, because
// the vendor's hours begin at full hours and sessions do not.
import { hours } from '#engine/market/calendar.ts';
import type { IntradayInterval } from '#engine/market/instrument.ts';
import type { MarketDataFailure } from '#ports/market-data.ts';
import type { Symbol } from '#units/identifiers.ts';
import { addDays, instant, isoText, MINUTE_MS, SECOND_MS, utcDate } from '#units/instant.ts';
import { type PartSource, SETTLE_MS } from '../intraday-feed.ts';
import { failure } from '../read-answer.ts';
import { createSessionBars } from '../session-bars.ts';
import type { AlpacaFeed } from './config.ts';
import type { ReferenceData } from './reference-data.ts';
import type { Query, Requests } from './requests.ts';
import { parseBar, parseBarPage } from './rows.ts';

/** The vendor's name of each of our symbols; null where it is not one of this kind. */
type NameOf = (symbol: Symbol) => string | null;

const TIMEFRAMES = { '1m': '1Min', '5m': '5Min', '15m': '15Min', '30m': '30Min' } as const;
/** The free plan has the prices of all exchanges a quarter of an hour late. */
const FREE_DELAY_MS = 16 * MINUTE_MS;
/** Far below what an address may be long. */
const NAMES_MAX = 100;

export function shareParts(
  requests: Requests,
  {
    feed,
    reference,
    nameOf,
  }: { readonly feed: AlpacaFeed; readonly reference: ReferenceData; readonly nameOf: NameOf },
): PartSource {
  return {
    delayMs: feed === 'sip' ? SETTLE_MS : FREE_DELAY_MS,
    has: (symbol) => nameOf(symbol) !== null,
    async sessions() {
      const days = await reference.sessions();
      if (!days.ok) return days;
      // A session of shares lies within one day of UTC.
      return {
        ok: true,
        value: { all: days.value.values(), of: (at) => days.value.get(utcDate(at)) ?? null },
      };
    },
    list: lister(requests, {
      path: '/v2/stocks/bars',
      query: { adjustment: 'raw', feed: 'sip' },
      timeframes: { ...TIMEFRAMES, '1h': '30Min' },
      nameOf,
    }),
  };
}

export function coinParts(requests: Requests, nameOf: NameOf, now: () => number): PartSource {
  return {
    delayMs: SETTLE_MS,
    has: (symbol) => nameOf(symbol) !== null,
    async sessions() {
      const today = utcDate(instant(now()));
      const all = [hours('crypto', addDays(today, -1)), hours('crypto', today)];
      return { ok: true, value: { all, of: (at) => hours('crypto', utcDate(at)) } };
    },
    list: lister(requests, {
      path: '/v1beta3/crypto/us/bars',
      query: {},
      timeframes: { ...TIMEFRAMES, '1h': '1Hour' },
      nameOf,
    }),
  };
}

type Place = {
  readonly path: string;
  readonly query: Query;
  readonly timeframes: Readonly<Record<IntradayInterval, string>>;
  readonly nameOf: NameOf;
};

function lister(requests: Requests, { path, query, timeframes, nameOf }: Place): PartSource['list'] {
  return async ({ symbols, cut, from, through }) => {
    const series = symbols.map((symbol) => ({ symbol, bars: createSessionBars(cut) }));
    const named = new Map(series.map(({ symbol, bars }) => [nameOf(symbol)!, bars]));
    const names = [...named.keys()];
    for (let start = 0; start < names.length; start += NAMES_MAX) {
      const asked = {
        ...query,
        symbols: names.slice(start, start + NAMES_MAX).join(','),
        timeframe: timeframes[cut.interval],
        start: isoText(from),
        // The vendor's end is included: the part that begins then is not asked for.
        end: isoText(instant(through - SECOND_MS)),
        limit: '10000',
        sort: 'asc',
      };
      const failed = await readPages(requests, { path, query: asked }, named);
      if (failed !== null) return failed;
    }
    return { ok: true, value: new Map(series.map(({ symbol, bars }) => [symbol, bars.value()])) };
  };
}

/** A list that does not end is a failure: half a history would look like a whole one. */
async function readPages(
  requests: Requests,
  { path, query }: { readonly path: string; readonly query: Query },
  named: ReadonlyMap<string, ReturnType<typeof createSessionBars>>,
): Promise<MarketDataFailure | null> {
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
