// What the vendor says about a share, the days of its market, and its clock.
import { z } from 'zod';
import { newYorkInstant } from '#engine/market/calendar-new-york-time.ts';
import type { Session } from '#engine/market/calendar.ts';
import { calendarOf } from '#engine/market/exchange-calendars.ts';
import {
  FACT_KINDS,
  type FactKind,
  factOn,
  type InstrumentFact,
  isAnotherCompany,
  type StatedFact,
} from '#engine/market/instrument-fact.ts';
import type { InstrumentTerms } from '#engine/market/instrument.ts';
import type { Symbol } from '#units/identifiers.ts';
import type { Instant, IsoDate } from '#units/instant.ts';
import { Malformed, parse } from '../read-answer.ts';
import { time } from './rows.ts';

export type Asset = {
  /** Ours; the vendor's name of it is the ticker. */
  readonly symbol: Symbol;
  readonly ticker: string;
  /** The vendor's own key; null where it states none. */
  readonly id: string | null;
  readonly exchange: string | null;
  readonly isShortable: boolean | null;
  readonly isFractionable: boolean | null;
  readonly name: string;
  readonly class: string;
  readonly isListed: boolean;
  /** Whether it is listed and the broker trades it. */
  readonly isTradable: boolean;
};

/** Under the vendor's ticker: whose it is, the caller knows. */
export function parseAsset(body: unknown): Omit<Asset, 'symbol'> {
  const { symbol: ticker, name, class: kind, status, tradable, ...more } = parse(ASSET, body);
  return {
    ticker,
    name,
    class: kind,
    isListed: status === 'active',
    isTradable: status === 'active' && tradable,
    id: more.id ?? null,
    exchange: more.exchange ?? null,
    isShortable: more.shortable ?? null,
    isFractionable: more.fractionable ?? null,
  };
}

/** What is left of a share that the vendor lists no more: what was known of it. */
export function endedAsset(
  facts: readonly InstrumentFact[],
  { symbol, ticker, date }: { readonly symbol: Symbol; readonly ticker: string; readonly date: IsoDate },
): Asset | null {
  const known = (kind: FactKind) => factOn(facts, { symbol, kind, date })?.value ?? null;
  const name = known('name');
  if (name === null) return null;
  return {
    symbol,
    ticker,
    id: known('vendor_id'),
    exchange: known('exchange'),
    isShortable: null,
    isFractionable: null,
    name,
    class: 'us_equity',
    isListed: false,
    isTradable: false,
  };
}

/** The vendor’s answer about a ticker as one about our share; of another company’s, the name is not ours. */
export function ownAsset(
  answer: Omit<Asset, 'symbol'>,
  facts: readonly InstrumentFact[],
  { symbol, date }: { readonly symbol: Symbol; readonly date: IsoDate },
): Asset {
  if (answer.id === null || !isAnotherCompany(facts, { symbol, vendorId: answer.id, date }))
    return { ...answer, symbol };
  const name = factOn(facts, { symbol, kind: 'name', date })?.value ?? symbol;
  return { ...answer, symbol, name, isTradable: false };
}

export function factsOf(asset: Asset): readonly StatedFact[] {
  const stated: Readonly<Record<FactKind, string | boolean | null>> = {
    ticker: asset.ticker,
    name: asset.name,
    exchange: asset.exchange,
    calendar: asset.exchange && calendarOf(asset.exchange),
    vendor_id: asset.id,
    listing: asset.isListed ? 'listed' : 'ended',
    fractionable: asset.isFractionable,
    shortable: asset.isShortable,
    tradable: asset.isTradable,
  };
  return FACT_KINDS.flatMap((kind) => {
    const value = stated[kind];
    return value === null ? [] : [{ symbol: asset.symbol, kind, value: String(value) }];
  });
}

export function termsOf({ isTradable, isShortable, isFractionable }: Asset): InstrumentTerms {
  return {
    isTradable,
    ...(isShortable !== null && { isShortable }),
    ...(isFractionable !== null && { isFractionable }),
  };
}

/** The sessions of a list of days, oldest first: early closes have their own times, other closed days are absent. */
export function parseSessions(body: unknown): readonly Session[] {
  return parse(z.array(DAY), body)
    .map(({ date, open, close }) => ({ date, opensAt: at(date, open), closesAt: at(date, close) }))
    .toSorted((left, right) => left.opensAt - right.opensAt);
}

export type VendorClock = {
  readonly now: Instant;
  readonly isOpen: boolean;
  readonly opensAt: Instant;
  readonly closesAt: Instant;
};

export function parseClock(body: unknown): VendorClock {
  const { timestamp, is_open, next_open, next_close } = parse(CLOCK, body);
  return { now: timestamp, isOpen: is_open, opensAt: next_open, closesAt: next_close };
}

function at(date: IsoDate, clock: string): Instant {
  const [hour, minute] = clock.split(':').map(Number);
  if (hour === undefined || minute === undefined) throw new Malformed(`no time of day: ${clock}`);
  return newYorkInstant(date, hour * 60 + minute);
}

const day = z.iso.date().transform((text) => text as IsoDate);
const clock = z.string().regex(/^\d{2}:\d{2}$/);
const ASSET = z.object({
  id: z.string().min(1).optional(),
  symbol: z.string().min(1),
  name: z.string(),
  class: z.string(),
  status: z.enum(['active', 'inactive']),
  tradable: z.boolean(),
  exchange: z.string().min(1).optional(),
  shortable: z.boolean().optional(),
  fractionable: z.boolean().optional(),
});
const DAY = z.object({ date: day, open: clock, close: clock });
const CLOCK = z.object({ timestamp: time, is_open: z.boolean(), next_open: time, next_close: time });
