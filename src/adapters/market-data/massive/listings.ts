// What the vendor says about a share, the special days of its exchange, and the time.
import { z } from 'zod';
import type { Session } from '#engine/market/calendar.ts';
import { calendarOf } from '#engine/market/exchange-calendars.ts';
import type { FactKind, StatedFact } from '#engine/market/instrument-fact.ts';
import type { Symbol } from '#units/identifiers.ts';
import { type Instant, type IsoDate, parseInstant } from '#units/instant.ts';
import { parse } from '../read-answer.ts';

export type Share = {
  /** Ours; the vendor's name of it is the ticker. */
  readonly symbol: Symbol;
  readonly ticker: string;
  readonly name: string;
  /** stocks, otc, crypto, fx or indices. */
  readonly market: string;
  readonly currency: string;
  /** The market identifier code of its exchange, and its number in the registry of instruments (FIGI). */
  readonly exchange: string | null;
  readonly figi: string | null;
  /** Whether it is still listed. */
  readonly isActive: boolean;
};

/** Under the vendor's ticker: whose it is, the caller knows. */
export function parseShare(body: unknown): Omit<Share, 'symbol'> {
  const { ticker, name, market, active, currency_name, ...more } = parse(SHARE, body).results;
  return {
    ticker,
    name,
    market,
    currency: currency_name.toUpperCase(),
    isActive: active,
    exchange: more.primary_exchange ?? null,
    figi: more.composite_figi ?? null,
  };
}

/** One that the vendor lists no more. */
export function endedShare(known: Pick<Share, 'symbol' | 'ticker' | 'name'>): Share {
  return { ...known, market: 'stocks', currency: 'USD', exchange: null, figi: null, isActive: false };
}

export function factsOf({ symbol, ...share }: Share): readonly StatedFact[] {
  const stated: readonly (readonly [FactKind, string | null])[] = [
    ['ticker', share.ticker],
    ['name', share.name],
    ['exchange', share.exchange],
    ['calendar', share.exchange && calendarOf(share.exchange)],
    ['vendor_id', share.figi],
    ['listing', share.isActive ? 'listed' : 'ended'],
  ];
  return stated.flatMap(([kind, value]) => (value === null ? [] : [{ symbol, kind, value }]));
}

/** By date: null when the exchange is closed, its hours on a half day. */
export type SpecialDays = ReadonlyMap<IsoDate, Session | null>;

/** Those of New York's exchange. */
export function parseSpecialDays(body: unknown): SpecialDays {
  const days = parse(z.array(HOLIDAY), body).filter(({ exchange }) => exchange === 'NYSE');
  return new Map(
    days.map((day) => [
      day.date,
      day.status === 'closed' ? null : { date: day.date, opensAt: day.open, closesAt: day.close },
    ]),
  );
}

/** `isOpen`: the regular hours of New York's exchange. */
export type MarketStatus = { readonly at: Instant; readonly isOpen: boolean };

export function parseStatus(body: unknown): MarketStatus {
  const { serverTime, exchanges } = parse(STATUS, body);
  return { at: serverTime, isOpen: exchanges.nyse === 'open' };
}

const time = z.iso.datetime({ offset: true }).transform((text): Instant => parseInstant(text));
const day = z.iso.date().transform((text) => text as IsoDate);
const SHARE = z.object({
  results: z.object({
    ticker: z.string().min(1),
    name: z.string().min(1),
    primary_exchange: z.string().min(1).optional(),
    composite_figi: z.string().min(1).optional(),
    market: z.string(),
    active: z.boolean(),
    currency_name: z.string(),
  }),
});
const HOLIDAY = z.discriminatedUnion('status', [
  z.object({ exchange: z.string(), date: day, status: z.literal('closed') }),
  z.object({ exchange: z.string(), date: day, status: z.literal('early-close'), open: time, close: time }),
]);
const STATUS = z.object({
  serverTime: time,
  exchanges: z.object({ nyse: z.enum(['open', 'closed', 'extended-hours']) }),
});
