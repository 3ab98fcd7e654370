// Daily bars of a coin, put together from the vendor's hours: its own days begin at midnight in Chicago, ours at midnight UTC.
import { z } from 'zod';
import { hours } from '#engine/market/calendar.ts';
import type { Bar } from '#engine/market/instrument.ts';
import type { FeedBars, MarketDataAnswer } from '#ports/market-data.ts';
import {
  addDays,
  DAY_MS,
  HOUR_MS,
  instant,
  instantOfDate,
  type IsoDate,
  isoText,
  MINUTE_MS,
  utcDate,
} from '#units/instant.ts';
import { failure } from '../../read-answer.ts';
import type { Requests } from '../requests.ts';
import { parseBar, parseBarPage, time } from '../rows.ts';

/** The last trades of a day arrive after it. */
const BAR_DELAY_MS = 5 * MINUTE_MS;
/** The vendor's history of coins begins in 2021. */
const HISTORY_FROM = '2021-01-01' as IsoDate;

type Days = { readonly from: IsoDate; readonly to: IsoDate };

/** The days of a range that are over; null when there are none. */
export function completeCoinDays({ from, to }: Days, now: number): Days | null {
  const over = addDays(utcDate(instant(now - BAR_DELAY_MS)), -1);
  const days = { from: from < HISTORY_FROM ? HISTORY_FROM : from, to: to < over ? to : over };
  return days.from > days.to ? null : days;
}

/** A list that does not end is a failure: half a history would look like a whole one. */
export async function listCoinBars(
  requests: Requests,
  pair: string,
  { from, to }: Days,
): Promise<MarketDataAnswer<FeedBars>> {
  const query = {
    symbols: pair,
    timeframe: '1Hour',
    start: isoText(instantOfDate(from)),
    end: isoText(instant(instantOfDate(to) + DAY_MS - 1)),
    limit: '10000',
    sort: 'asc',
  };
  const days = createDays({ from, to });
  const seen = new Set<string>();
  let token: string | null = null;
  do {
    const paged: Readonly<Record<string, string>> = token === null ? query : { ...query, page_token: token };
    const page = await requests.data('/v1beta3/crypto/us/bars', paged, parseBarPage);
    if (!page.ok) return page;
    for (const row of page.value.rows.get(pair) ?? []) {
      const malformed = days.add(row);
      if (malformed !== null) return { ok: true, value: { bars: days.before(row), malformed } };
    }
    token = page.value.nextToken;
    if (token !== null && seen.has(token))
      return failure('malformed', 'the vendor repeats a page: the list has no end');
    if (token !== null) seen.add(token);
  } while (token !== null);
  return { ok: true, value: { bars: days.all(), malformed: null } };
}

function createDays({ from, to }: Days) {
  const whole: Bar[] = [];
  let day: Bar | null = null;
  let newest = 0;
  return {
    /** What is wrong with the row; null when it is an hour after those before it. */
    add(row: unknown): string | null {
      const read = parseBar(row);
      if (typeof read === 'string') return read;
      const { t, o, h, l, c, v } = read;
      if (t <= newest || t % HOUR_MS !== 0) return `an hour of ${isoText(t)} out of turn`;
      newest = t;
      const date = utcDate(t);
      if (date < from || date > to) return null;
      if (day !== null && day.date === date) {
        const [high, low] = [Math.max(day.high, h), Math.min(day.low, l)];
        day = { ...day, high, low, close: c, volume: day.volume + v };
        return null;
      }
      if (day !== null) whole.push(day);
      const { opensAt, closesAt } = hours('crypto', date);
      day = { date, openedAt: opensAt, closedAt: closesAt, open: o, high: h, low: l, close: c, volume: v };
      return null;
    },
    /** Those that are whole before a row that is none: without its own day, as far as it says which. */
    before(row: unknown): readonly Bar[] {
      const at = TIME.safeParse(row);
      return at.success && day !== null && utcDate(at.data.t) > day.date ? [...whole, day] : whole;
    },
    all: (): readonly Bar[] => (day === null ? whole : [...whole, day]),
  };
}

const TIME = z.object({ t: time });
