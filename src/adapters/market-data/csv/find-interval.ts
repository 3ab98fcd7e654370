// Detects the interval of a file's rows: daily, hourly or one-minute bars.
import type { BarInterval } from '#engine/market/instrument.ts';
import { HOUR_MS, MINUTE_MS } from '#units/instant.ts';
import { instantAt, type RowContext } from './bar-of-row.ts';
import type { WrittenTime } from './time-format.ts';

export function findInterval(
  times: readonly (WrittenTime | null)[],
  context: RowContext,
  wanted: BarInterval | undefined,
): BarInterval | { message: string } {
  const known = times.slice(0, INTERVAL_SAMPLE).flatMap((time) => (time ? [instantAt(time, context)] : []));
  const instants = [...new Set(known)].toSorted((a, b) => a - b);
  if (instants.length < 2) return wanted ?? '1d';
  const steps = instants.slice(1).map((at, i) => at - instants[i]!);
  const usual = steps.toSorted((a, b) => a - b)[Math.floor(steps.length / 2)]!;
  const spacing = usual === MINUTE_MS ? '1m' : usual === HOUR_MS ? '1h' : usual >= 20 * HOUR_MS ? '1d' : null;
  if (spacing === null || (spacing === '1d' && usual > 4 * 24 * HOUR_MS && wanted !== '1d')) {
    const way = spacing === '1d' ? '; name --interval 1d if they are daily bars with holes' : '';
    return {
      message: `the rows are ${describe(usual)} apart, but bars are of a day, an hour or a minute${way}`,
    };
  }
  if (wanted === undefined || wanted === spacing) return spacing;
  return {
    message: `the rows are ${INTERVAL_WORDS[spacing]}, not ${INTERVAL_WORDS[wanted]}: leave --interval out or correct it`,
  };
}

function describe(ms: number): string {
  return ms >= 24 * HOUR_MS
    ? `${Math.round(ms / (24 * HOUR_MS))} days`
    : `${Math.round(ms / MINUTE_MS)} minutes`;
}

export const INTERVAL_WORDS: Record<BarInterval, string> = {
  '1d': 'daily bars',
  '1h': 'hourly bars',
  '1m': 'minute bars',
};

/** Rows sampled: enough to find the usual spacing of any file. */
const INTERVAL_SAMPLE = 5_000;
