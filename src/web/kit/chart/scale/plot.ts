import { growthTicks, timeTicks, valueTicks, type TimeTick } from './ticks.ts';
import type { Point } from './thin-points.ts';

export type Line = readonly (number | null)[];

/** The layout of a chart, in pixels. */
export type Plot = {
  readonly x: (at: number) => number;
  readonly y: (value: number) => number;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly valueTicks: readonly { readonly value: number; readonly text: string }[];
  readonly timeTicks: readonly TimeTick[];
  /** Equal distances are equal ratios. */
  readonly isLogarithmic: boolean;
  /** The values stand on their hairlines, not beside the plot. */
  readonly ticksInside: boolean;
};

const VALUE_TICK_EVERY_PX = 50;
/** The width of a tabular figure at 12 px, rounded up. */
export const DIGIT_PX = 8;
const TIME_TICK_EVERY_PX = 68;
/** When wealth has multiplied this often, a linear scale would hide everything but the end. */
const LOGARITHMIC_FROM_FACTOR = 6;

export function layOutPlot(options: {
  times: readonly number[];
  lines: readonly Line[];
  /** What a ratio of values means; null where only differences mean something. */
  growth: Growth | null;
  /** A value that always is in sight: zero, or the invested amount. */
  baseline: number | null;
  width: number;
  top: number;
  bottom: number;
  /** How values at the hairlines are written; the room at their left is as wide as the longest. */
  showTicks: (values: readonly number[]) => readonly string[];
  /** Room for the ends of the lines at the right. */
  rightGutter: number;
  /** Where room is short: the values stand on their hairlines. */
  ticksInside?: boolean;
}): Plot {
  const { times, lines, baseline, top, bottom } = options;
  const range = extent(lines, baseline);
  const { factor, value: back } = GROWTHS[options.growth ?? 'value'];
  const isLogarithmic =
    options.growth !== null && factor(range[1]) / factor(range[0]) > LOGARITHMIC_FROM_FACTOR;
  const scale = isLogarithmic ? (value: number) => Math.log(factor(value)) : (value: number) => value;
  const [low, high] = withRoom(scale(range[0]), scale(range[1]));
  const count = Math.max(2, Math.round((bottom - top) / VALUE_TICK_EVERY_PX));
  const ticks = isLogarithmic
    ? growthTicks(Math.exp(low), Math.exp(high), count).map(back)
    : valueTicks(low, high, count);
  const texts = options.showTicks(ticks);
  const longest = Math.max(...texts.map(({ length }) => length));
  const ticksInside = options.ticksInside ?? false;
  const left = ticksInside ? 0 : longest * DIGIT_PX + 10;
  const right = Math.max(left + 40, options.width - options.rightGutter);
  const [from, to] = [times[0] ?? 0, times.at(-1) ?? 1];
  const span = to - from || 1;
  return {
    x: (at) => left + ((at - from) / span) * (right - left),
    y: (value) => bottom - ((scale(value) - low) / (high - low)) * (bottom - top),
    left,
    right,
    top,
    bottom,
    valueTicks: ticks.map((value, i) => ({ value, text: texts[i] ?? '' })),
    isLogarithmic,
    ticksInside,
    timeTicks: timeTicks(from, to, Math.max(2, Math.floor((right - left) / TIME_TICK_EVERY_PX))),
  };
}

/** The points of a line in pixels; moments without a value are left out. */
export function placeLine(plot: Plot, times: readonly number[], line: Line): Point[] {
  const points: Point[] = [];
  for (const [i, at] of times.entries()) {
    const value = line[i];
    if (typeof value === 'number') points.push({ x: plot.x(at), y: plot.y(value) });
  }
  return points;
}

function extent(lines: readonly Line[], baseline: number | null): [number, number] {
  let low = baseline ?? Number.POSITIVE_INFINITY;
  let high = baseline ?? Number.NEGATIVE_INFINITY;
  for (const line of lines) {
    for (const value of line) {
      if (value === null) continue;
      if (value < low) low = value;
      if (value > high) high = value;
    }
  }
  return Number.isFinite(low) ? [low, high] : [0, 1];
}

function withRoom(low: number, high: number): [number, number] {
  const room = (high - low || Math.abs(high) || 1) * 0.06;
  return [low - room, high + room];
}

/** percent: changes since the beginning. value: the amounts themselves. */
export type Growth = 'percent' | 'value';

/** Nothing falls below zero; the least shown is a thousandth. */
const GROWTHS = {
  percent: {
    factor: (change: number) => Math.max(0.001, 1 + change / 100),
    value: (factor: number) => (factor - 1) * 100,
  },
  value: { factor: (amount: number) => Math.max(0.001, amount), value: (factor: number) => factor },
} as const;
