// A replayed market: imported bars, played again on the sandbox clock. Inside a day the quotes go from the open to both
// extremes, the nearer one first, and on to the close. Days without a bar are holidays.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { nextTradingDay, previousSession } from '#engine/market/calendar.ts';
import type { CorporateAction } from '#engine/market/corporate-action.ts';
import { INSTRUMENT_KINDS, type Bar, type Instrument } from '#engine/market/instrument.ts';
import type { Symbol } from '#units/identifiers.ts';
import { type Instant, isoText } from '#units/instant.ts';
import { barsBetween, quoteFromBars } from './bar-search.ts';
import { POINTS_PER_DAY, roundPrice } from './price-models/day-path.ts';
import type { PriceSource } from './price-source.ts';
import { quoteAround } from './spread.ts';

type Tape = PriceSource & {
  /** The close of the last bar of all: after it the tape has nothing more to say. */
  readonly endsAt: Instant;
};

/** Reads every *.json of a folder, one instrument each. If there is nothing to play, throws with the fix in the message. */
export function openTape(folder: string): Tape {
  const files = filesOf(folder).sort();
  if (files.length === 0) {
    throw new Error(
      `there is nothing to replay in ${folder}: import bars first, npm run bars -- import FILE --symbol SPY --kind equity`,
    );
  }
  return tape(files.map((file) => readTapeFile(path.join(folder, file))));
}

type TapeTrack = {
  readonly instrument: Instrument;
  readonly bars: readonly Bar[];
  /** Oldest first; the bars are adjusted for splits, and not for these. */
  readonly dividends?: readonly CorporateAction[];
};

export function tape(tracks: readonly TapeTrack[]): Tape {
  const bySymbol = new Map(tracks.map((track) => [track.instrument.symbol, track]));
  const endsAt = Math.max(...tracks.map(({ bars }) => bars.at(-1)?.closedAt ?? 0)) as Instant;
  return {
    instruments: tracks.map(({ instrument }) => instrument),
    endsAt,
    actions: (at) =>
      tracks
        .flatMap((track) =>
          dividendsBy(track, at).map((one) => ({ symbol: track.instrument.symbol, ...one })),
        )
        .sort((left, right) => (left.exDate < right.exDate ? -1 : 1)),
    quote(symbol, at) {
      const track = bySymbol.get(symbol);
      if (!track) return null;
      const decimals = track.instrument.priceDecimals;
      const quote = quoteFromBars(track, at, (index, part) =>
        roundPrice(pointInside(track.bars[index]!, part), decimals),
      );
      if (quote === null || quote.open) return quote;
      const last = previousSession(track.instrument.calendar, at).date;
      const due = dividendsBy(track, at).filter(({ exDate }) => exDate > last);
      // Between two sessions the price is already that of the next one.
      const paid = due.reduce((sum, { amount }) => sum + amount, 0);
      return paid === 0
        ? quote
        : quoteAround(track.instrument, roundPrice(quote.last - paid, decimals), at, false);
    },
    dailyBars(symbol, range) {
      return barsBetween(bySymbol.get(symbol)?.bars ?? [], range);
    },
  };
}

/** Those that take effect at or before the next opening. */
function dividendsBy({ instrument, dividends = [] }: TapeTrack, at: Instant): readonly CorporateAction[] {
  if (dividends.length === 0) return dividends;
  const { calendar } = instrument;
  const next = nextTradingDay(calendar, previousSession(calendar, at).date);
  return dividends.filter(({ exDate }) => exDate <= next);
}

/**
 * The price of the nth part of a bar. Straight lines through open, one extreme at a third, the other at two thirds,
 * close; the extreme nearer to the open comes first. All four prices are quoted exactly.
 */
function pointInside(bar: Bar, part: number): number {
  const last = POINTS_PER_DAY - 1;
  const lowFirst = bar.open - bar.low <= bar.high - bar.open;
  const corners = [
    bar.open,
    lowFirst ? bar.low : bar.high,
    lowFirst ? bar.high : bar.low,
    bar.close,
  ] as const;
  const stops = [0, Math.round(last / 3), Math.round((2 * last) / 3), last] as const;
  for (const leg of [0, 1, 2] as const) {
    const from = stops[leg];
    const to = stops[leg + 1]!;
    if (part === to) return corners[leg + 1]!;
    if (part < to) return corners[leg] + ((corners[leg + 1]! - corners[leg]) * (part - from)) / (to - from);
  }
  return bar.close;
}

function filesOf(folder: string): string[] {
  try {
    return readdirSync(folder).filter((file) => file.endsWith('.json'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function readTapeFile(file: string): TapeTrack {
  const { instrument, bars, dividends } = TAPE_FILE.parse(JSON.parse(readFileSync(file, 'utf8')));
  const track: TapeTrack = {
    instrument: instrument as Instrument,
    bars: bars.map(([openedAt, closedAt, date, open, high, low, close, volume]) => ({
      openedAt: openedAt as Instant,
      closedAt: closedAt as Instant,
      date: date as Bar['date'],
      open,
      high,
      low,
      close,
      volume,
    })),
    dividends: dividends as CorporateAction[],
  };
  track.bars.forEach((bar, i) => {
    const before = track.bars[i - 1];
    if (before && bar.openedAt < before.closedAt)
      throw new Error(
        `${file}: the bar of ${bar.date} opens before ${isoText(before.closedAt)}, when the one before it closed`,
      );
  });
  return track;
}

const price = z.number().positive();
const TAPE_FILE = z.object({
  instrument: z.object({
    symbol: z
      .string()
      .min(1)
      .transform((text) => text as Symbol),
    kind: z.enum(INSTRUMENT_KINDS),
    name: z.string(),
    currency: z.string(),
    unitCurrency: z.string().nullable(),
    multiplier: z.number().positive(),
    quantityStep: z.number().int().positive(),
    priceDecimals: z.number().int().min(0).max(6),
    calendar: z.enum(['us-equity', 'forex', 'crypto']),
    settlement: z.enum(['cash', 'margin']),
    expiry: z.string().nullable(),
  }),
  dividends: z
    .array(z.object({ kind: z.literal('dividend'), exDate: z.string(), amount: z.number().positive() }))
    .default([]),
  /** openedAt, closedAt, date, open, high, low, close, volume. */
  bars: z.array(
    z.tuple([z.number().int(), z.number().int(), z.string(), price, price, price, price, z.number().min(0)]),
  ),
});
