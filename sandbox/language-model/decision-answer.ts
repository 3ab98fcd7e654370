// What the stand-in answers where it is asked to decide: money in equal parts on what has risen, a little otherwise each time it is
// asked. It reads the numbers of the question and nothing else, so that names and dates tell it nothing.
import { createHash } from 'node:crypto';

type Shown = {
  readonly instrument: string;
  readonly closes?: readonly number[];
  readonly features?: { readonly [name: string]: number };
};

/** Null where it is asked for something else. */
export function decisionAnswer(instructions: string, text: string): object | null {
  const isForecast = instructions.startsWith('Forecast the return');
  if (!isForecast && !instructions.startsWith('You propose how to divide money')) return null;
  const [data = '', nth = ''] = text.split('\n\n');
  const { instruments } = JSON.parse(data) as { readonly instruments: readonly Shown[] };
  const trends = instruments.map((one, place) => trendOf(one) + wobble(`${nth} ${place} ${data}`));
  if (isForecast)
    return {
      forecasts: instruments.map(({ instrument }, i) => ({
        instrument,
        percent: inPercent(trends[i]! / 12),
      })),
    };
  const rising = instruments.filter((_, i) => trends[i]! > 0);
  const percent = Math.floor(10_000 / Math.max(4, rising.length)) / 100;
  return { weights: rising.map(({ instrument }) => ({ instrument, percent })) };
}

/** A fraction. */
function trendOf({ closes, features }: Shown): number {
  if (closes !== undefined) return closes.at(-1)! / closes[0]! - 1;
  return Object.values(features ?? {}).reduce((sum, value) => sum + value, 0);
}

/** Within a hundredth either way. */
function wobble(key: string): number {
  return (createHash('sha256').update(key).digest().readUInt32BE() / 0xffff_ffff - 0.5) * 0.02;
}

const inPercent = (value: number) => Math.round(value * 10_000) / 100;
