// The tickers that a share has had, which the vendor lists by its number in the registry (FIGI): under its former ticker the
// vendor may know another company by now.
import { z } from 'zod';
import { type SecurityChange, UNDATED } from '#engine/market/security-change.ts';
import type { MarketDataAnswer } from '#ports/market-data.ts';
import type { Symbol } from '#units/identifiers.ts';
import { HOUR_MS, type IsoDate } from '#units/instant.ts';
import { keepAnswer } from '../keep-answer.ts';
import { parse } from '../read-answer.ts';
import type { Requests } from './requests.ts';

/** The first day of a ticker. */
export type TickerEvent = { readonly date: IsoDate; readonly ticker: string };

/** Oldest first; null where one of them cannot be read. */
export type TickerEvents = readonly TickerEvent[] | null;

export type ListTickerEvents = (figi: string) => Promise<MarketDataAnswer<TickerEvents>>;

/** Renames are rare and take effect before the opening: those of each share are asked for once an hour. */
export function keepTickerEvents(requests: Requests, now: () => number): ListTickerEvents {
  const kept = new Map<string, () => Promise<MarketDataAnswer<TickerEvents>>>();
  return (figi) => {
    const list = kept.get(figi) ?? keepAnswer(HOUR_MS, now, () => listTickerEvents(requests, figi));
    kept.set(figi, list);
    return list();
  };
}

async function listTickerEvents(requests: Requests, figi: string): Promise<MarketDataAnswer<TickerEvents>> {
  const path = `/vX/reference/tickers/${encodeURIComponent(figi)}/events`;
  const answer = await requests.get(path, { types: 'ticker_change' }, parseTickerEvents);
  // The vendor does not know a share without an event here.
  return !answer.ok && answer.code === 'unknown_symbol' ? { ok: true, value: [] } : answer;
}

/** Events of other types say nothing about the ticker. */
export function parseTickerEvents(body: unknown): TickerEvents {
  const { events = [] } = parse(ANSWER, body).results;
  const changes = events
    .filter((event) => !('type' in event) || event.type === 'ticker_change')
    .map((event) => CHANGE.safeParse(event).data);
  if (changes.includes(undefined)) return null;
  return changes
    .flatMap((change) => (change ? [{ date: change.date, ticker: change.ticker_change.ticker }] : []))
    .toSorted((left, right) => (left.date < right.date ? -1 : 1));
}

/** The ticker on a day; null before the first event. */
export function tickerAt(events: TickerEvents, date: IsoDate): string | null {
  return events?.findLast((event) => event.date <= date)?.ticker ?? null;
}

/**
 * The first ticker is an event too, so that the days before a rename have theirs. A share with one ticker was never renamed; what
 * cannot be read stops it.
 */
export function renamesOf(symbol: Symbol, events: TickerEvents, until: IsoDate): readonly SecurityChange[] {
  if (events === null) return [{ symbol, event: 'unread', date: UNDATED }];
  const named = events.filter(({ date, ticker }, i) => date <= until && ticker !== events[i - 1]?.ticker);
  if (named.length < 2) return [];
  return named.map(({ date, ticker }) => ({ symbol, event: 'rename', date, ticker }));
}

const ANSWER = z.object({ results: z.object({ events: z.array(z.looseObject({})).optional() }) });
const CHANGE = z.object({
  date: z.iso.date().transform((text) => text as IsoDate),
  ticker_change: z.object({ ticker: z.string().min(1) }),
});
