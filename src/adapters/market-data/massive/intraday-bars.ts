// Bars of parts of a session of shares, one request for each share: hours are put together from half hours, because the vendor's
// hours begin at full hours and sessions do not.
import { z } from 'zod';
import type { Session } from '#engine/market/calendar.ts';
import type { IntradayInterval } from '#engine/market/instrument.ts';
import type { MarketDataAnswer } from '#ports/market-data.ts';
import { addDays, type Instant, instant, instantOfDate, type IsoDate, utcDate } from '#units/instant.ts';
import { type PartSource, SETTLE_MS } from '../intraday-feed.ts';
import { createSessionBars, type PriceRow } from '../session-bars.ts';
import type { VendorNames } from '../vendor-names.ts';
import type { SpecialDays } from './listings.ts';
import type { Requests } from './requests.ts';
import { sessionOf } from './sessions.ts';

/** In minutes. */
const LENGTHS: Readonly<Record<IntradayInterval, number>> = {
  '1m': 1,
  '5m': 5,
  '15m': 15,
  '30m': 30,
  '1h': 30,
};
/** More than any closure of the exchange lasts. */
const DAYS_BACK = 10;

type Tools = {
  readonly names: VendorNames;
  readonly special: () => Promise<MarketDataAnswer<SpecialDays>>;
  readonly now: () => number;
  readonly historyFrom: IsoDate;
};

export function shareParts(requests: Requests, { names, special, now, historyFrom }: Tools): PartSource {
  return {
    delayMs: SETTLE_MS,
    has: (symbol) => names.symbols.includes(symbol),
    async sessions() {
      const days = await special();
      if (!days.ok) return days;
      const today = utcDate(instant(now()));
      const all: Session[] = [];
      for (let date = addDays(today, -DAYS_BACK); date <= today; date = addDays(date, 1)) {
        const session = sessionOf(date, days.value);
        if (session !== null) all.push(session);
      }
      return { ok: true, value: { all, of: (at) => sessionOf(utcDate(at), days.value) } };
    },
    async list({ symbols, cut, from, through }) {
      const found = new Map<
        (typeof symbols)[number],
        ReturnType<ReturnType<typeof createSessionBars>['value']>
      >();
      const begins = Math.max(from, instantOfDate(historyFrom));
      const days = { from: utcDate(instant(begins)), to: utcDate(instant(through - 1)) };
      for (const symbol of symbols) {
        const bars = createSessionBars(cut);
        // The vendor keeps the bars of a renamed share under the ticker of each day.
        for (const { ticker, ...stretch } of names.tickers().stretchesOf(symbol, days)) {
          const span = [
            Math.max(begins, instantOfDate(stretch.from)),
            Math.min(through, instantOfDate(addDays(stretch.to, 1))) - 1,
          ];
          const path = `/v2/aggs/ticker/${encodeURIComponent(ticker)}/range/${LENGTHS[cut.interval]}/minute/${span.join('/')}`;
          const rows = await requests.list(path, { adjusted: 'false', sort: 'asc', limit: '50000' });
          if (!rows.ok) return rows;
          for (const row of rows.value) bars.add(rowOf(row));
        }
        found.set(symbol, bars.value());
      }
      return { ok: true, value: found };
    },
  };
}

/** The row, or what is wrong with it. */
function rowOf(row: unknown): PriceRow | string {
  const read = ROW.safeParse(row);
  return read.success ? { ...read.data, t: read.data.t as Instant } : z.prettifyError(read.error);
}

const number = z.number();
const ROW = z.object({ t: z.int().positive(), o: number, h: number, l: number, c: number, v: number });
