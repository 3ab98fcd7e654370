// What the vendor says about a share, the days of its market, and its clock.
import { z } from 'zod';
import { newYorkInstant } from '#engine/market/calendar-new-york-time.ts';
import type { Session } from '#engine/market/calendar.ts';
import type { Symbol } from '#units/identifiers.ts';
import type { Instant, IsoDate } from '#units/instant.ts';
import { Malformed, parse } from '../read-answer.ts';
import { time } from './rows.ts';

export type Asset = {
  readonly symbol: Symbol;
  readonly name: string;
  readonly class: string;
  /** Whether it is listed and the broker trades it. */
  readonly isTradable: boolean;
  readonly isFractionable: boolean;
};

export function parseAsset(body: unknown): Asset {
  const { symbol, name, class: kind, status, tradable, fractionable } = parse(ASSET, body);
  const isTradable = status === 'active' && tradable;
  return { symbol, name, class: kind, isTradable, isFractionable: fractionable };
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
  symbol: z
    .string()
    .min(1)
    .transform((text) => text as Symbol),
  name: z.string(),
  class: z.string(),
  status: z.enum(['active', 'inactive']),
  tradable: z.boolean(),
  fractionable: z.boolean().default(false),
});
const DAY = z.object({ date: day, open: clock, close: clock });
const CLOCK = z.object({ timestamp: time, is_open: z.boolean(), next_open: time, next_close: time });
