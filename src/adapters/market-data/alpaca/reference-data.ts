// What the vendor says about the shares of the market besides prices: assets, sessions, corporate actions. Kept, because they
// change once a day and are needed at each look.
import type { Session } from '#engine/market/calendar.ts';
import type { MarketDataAnswer } from '#ports/market-data.ts';
import { calendarOf } from '#engine/market/exchange-calendars.ts';
import { addDays, HOUR_MS, instant, type IsoDate, MINUTE_MS, utcDate } from '#units/instant.ts';
import { type ActionPage, parseActionPage } from './actions.ts';
import { HISTORY_FROM, type Sessions } from './daily-bars.ts';
import { keepAnswer } from '../keep-answer.ts';
import { type Asset, endedAsset, ownAsset, parseAsset, parseSessions } from './listings.ts';
import { failure } from '../read-answer.ts';
import type { VendorNames } from '../vendor-names.ts';
import type { Requests } from './requests.ts';

export type ReferenceData = {
  assets(): Promise<MarketDataAnswer<readonly Asset[]>>;
  /** Every trading day since the history begins, and those of the next two weeks. */
  sessions(): Promise<MarketDataAnswer<Sessions>>;
  /** Up to the next opening. */
  actions(): Promise<MarketDataAnswer<ActionPage>>;
};

export function keepReferenceData(
  requests: Requests,
  { names, now }: { readonly names: VendorNames; readonly now: () => number },
): ReferenceData {
  const sessions = keepAnswer(HOUR_MS, now, () =>
    listSessions(requests, addDays(utcDate(instant(now())), CALENDAR_DAYS)),
  );
  return {
    assets: keepAnswer(HOUR_MS, now, () => listAssets(requests, names)),
    sessions,
    actions: keepAnswer(10 * MINUTE_MS, now, async () => {
      const days = await sessions();
      return days.ok ? listActions(requests, names, nextDay(days.value, now())) : days;
    }),
  };
}

async function listAssets(
  requests: Requests,
  names: VendorNames,
): Promise<MarketDataAnswer<readonly Asset[]>> {
  await names.refresh();
  const date = names.today();
  const { isListedOn, symbolOn } = names.tickers();
  const shared = names.symbols.find(
    (symbol) => isListedOn(symbol, date) && symbolOn(names.tickerOf(symbol), date) !== symbol,
  );
  if (shared !== undefined)
    return failure(
      'refused',
      `two symbols are ${names.tickerOf(shared)} at the vendor today: correct MARKET_SYMBOLS`,
    );
  const assets: Asset[] = [];
  for (const symbol of names.symbols) {
    const ticker = names.tickerOf(symbol);
    const answer = await requests.trading(`/v2/assets/${encodeURIComponent(ticker)}`, {}, parseAsset);
    if (!answer.ok) {
      if (answer.code !== 'unknown_symbol') return answer;
      const ended = endedAsset(names.facts(), { symbol, ticker, date });
      if (ended === null)
        return failure('unknown_symbol', `the vendor has no share called ${ticker}: correct MARKET_SYMBOLS`);
      assets.push(ended);
      continue;
    }
    if (answer.value.ticker !== ticker)
      return failure('malformed', `asked for ${ticker}, the vendor answers about ${answer.value.ticker}`);
    if (answer.value.class !== 'us_equity')
      return failure(
        'refused',
        `${ticker} is ${answer.value.class}; the live market has shares and funds: correct MARKET_SYMBOLS`,
      );
    const { exchange } = answer.value;
    if (exchange !== null && calendarOf(exchange) !== 'us-equity')
      return failure(
        'refused',
        `${ticker} is listed at ${exchange}, whose trading days are not known: correct MARKET_SYMBOLS`,
      );
    assets.push(ownAsset(answer.value, names.facts(), { symbol, date }));
  }
  return { ok: true, value: assets };
}

async function listSessions(requests: Requests, end: IsoDate): Promise<MarketDataAnswer<Sessions>> {
  const answer = await requests.trading('/v2/calendar', { start: HISTORY_FROM, end }, parseSessions);
  if (!answer.ok) return answer;
  return { ok: true, value: new Map(answer.value.map((one) => [one.date, one])) };
}

/** The trading day of the next opening, whose splits and dividends are known already. */
function nextDay(sessions: Sessions, now: number): IsoDate {
  const next = [...sessions.values()].find(({ opensAt }: Session) => opensAt > now);
  return next?.date ?? utcDate(instant(now));
}

async function listActions(
  requests: Requests,
  names: VendorNames,
  end: IsoDate,
): Promise<MarketDataAnswer<ActionPage>> {
  // Without symbols the vendor would list those of the whole market.
  if (names.symbols.length === 0) return { ok: true, value: { actions: [], changes: [], nextToken: null } };
  await names.refresh();
  const tickers = names.tickers();
  const asked = [...new Set(names.symbols.flatMap((symbol) => tickers.everOf(symbol)))];
  const query = { symbols: asked.join(','), start: HISTORY_FROM, end, limit: '1000', sort: 'asc' };
  const pages: ActionPage[] = [];
  const seen = new Set<string>();
  let token: string | null = null;
  do {
    const paged: Readonly<Record<string, string>> = token === null ? query : { ...query, page_token: token };
    const page: MarketDataAnswer<ActionPage> = await requests.data('/v1/corporate-actions', paged, (body) =>
      parseActionPage(body, tickers),
    );
    if (!page.ok) return page;
    pages.push(page.value);
    token = page.value.nextToken;
    if (token !== null && seen.has(token))
      return failure('malformed', 'the vendor repeats a page: the list has no end');
    if (token !== null) seen.add(token);
  } while (token !== null);
  const actions = pages
    .flatMap((page) => page.actions)
    .filter(({ exDate }) => exDate <= end)
    .toSorted((left, right) => (left.exDate < right.exDate ? -1 : 1));
  return {
    ok: true,
    value: {
      actions,
      changes: pages.flatMap((page) => page.changes),
      nextToken: null,
    },
  };
}

const CALENDAR_DAYS = 14;
