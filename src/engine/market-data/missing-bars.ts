// Which daily bars of an instrument are missing, and at which closes a strategy has not been evaluated.
import type { Symbol } from '#units/identifiers.ts';
import { addDays, DAY_MS, type Instant, type IsoDate } from '#units/instant.ts';
import { previousSession } from '../market/calendar.ts';
import { type CalendarExceptions, heldCalendar } from '../market/calendar-exceptions.ts';
import type { Bar, Instrument, IntradayInterval } from '../market/instrument.ts';
import { previousPart } from '../market/session-parts.ts';

export type BarRange = { readonly from: IsoDate | null; readonly to: IsoDate };

/** From the day after the last bar kept, or from the first available one (null); null when none is missing. */
export function missingBars(
  instrument: Instrument,
  last: IsoDate | null,
  { now, exceptions }: { readonly now: Instant; readonly exceptions: CalendarExceptions },
): BarRange | null {
  const session = previousSession(heldCalendar(instrument.calendar, exceptions), now).date;
  // A contract has no bars after its last day.
  const { expiry } = instrument;
  const to = expiry !== null && expiry < session ? expiry : session;
  if (last !== null && last >= to) return null;
  return { from: last === null ? null : addDays(last, 1), to };
}

/** Options are marked with the bars of their underlying. */
export function hasOwnBars({ kind }: Instrument): boolean {
  return kind !== 'options';
}

/**
 * The closes since the last evaluation, oldest first; only the newest for a version that was never evaluated. `closes`
 * are those of each instrument of its universe, oldest first.
 */
export function missedCloses(
  closes: readonly { readonly [index: number]: number; readonly length: number }[],
  last: Instant | undefined,
): Instant[] {
  const missed = new Set<number>();
  let newest = 0;
  for (const closedAt of closes) {
    newest = Math.max(newest, closedAt[closedAt.length - 1] ?? 0);
    if (last === undefined) continue;
    for (let i = closedAt.length - 1; i >= 0 && closedAt[i]! > last; i--) missed.add(closedAt[i]!);
  }
  if (last === undefined) return newest === 0 ? [] : [newest as Instant];
  return [...missed].sort((left, right) => left - right) as Instant[];
}

/**
 * Instruments whose bar of this close has not arrived: deciding on half of the prices would be a guess. One that has
 * been silent for long is used as it is, so that a delisted instrument does not block a strategy for good.
 */
export function awaitedBars(
  symbols: readonly Symbol[],
  close: Instant,
  {
    instruments,
    exceptions,
    barCloses,
  }: {
    readonly instruments: ReadonlyMap<Symbol, Instrument>;
    readonly exceptions: CalendarExceptions;
    readonly barCloses: { newestBar(symbol: Symbol): Bar | null };
  },
): Symbol[] {
  return symbols.filter((symbol) => {
    const instrument = instruments.get(symbol);
    const newest = barCloses.newestBar(symbol);
    if (instrument === undefined || newest === null) return newest !== null;
    const expected = previousSession(heldCalendar(instrument.calendar, exceptions), close).closesAt;
    return newest.closedAt < expected && close - newest.closedAt < STALE_MS;
  });
}

/**
 * Instruments of which the feed has not told every part until this close, by the hours of each: what has no bar by then did not
 * trade, or was closed.
 */
export function awaitedParts(
  symbols: readonly Symbol[],
  close: Instant,
  {
    interval,
    instruments,
    exceptions,
    through,
  }: {
    readonly interval: IntradayInterval;
    readonly instruments: ReadonlyMap<Symbol, Instrument>;
    readonly exceptions: CalendarExceptions;
    /** Until when the feed has told all of an instrument. */
    readonly through: ReadonlyMap<Symbol, Instant>;
  },
): Symbol[] {
  return symbols.filter((symbol) => {
    const instrument = instruments.get(symbol);
    const told = through.get(symbol);
    if (instrument === undefined || told === undefined) return true;
    return told < previousPart(heldCalendar(instrument.calendar, exceptions), interval, close).closesAt;
  });
}

const STALE_MS = 7 * DAY_MS;
