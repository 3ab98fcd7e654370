import { timeTicks, valueTicks, type TimeTick } from './ticks.ts';
import type { Point } from './thin-points.ts';

export type Line = readonly (number | null)[];

/** Where everything of a chart stands, in pixels. */
export type Plot = {
  readonly x: (at: number) => number;
  readonly y: (value: number) => number;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly valueTicks: readonly number[];
  readonly timeTicks: readonly TimeTick[];
};

const VALUE_TICK_EVERY_PX = 50;
/** The width of a tabular figure at 12 px, rounded up. */
const DIGIT_PX = 7.5;
const TIME_TICK_EVERY_PX = 68;

export function layOutPlot(options: {
  times: readonly number[];
  lines: readonly Line[];
  /** A value that always is in sight: zero, or the invested amount. */
  baseline: number | null;
  width: number;
  top: number;
  bottom: number;
  /** How values at the hairlines are written; the room at their left is as wide as the longest. */
  showTick: (value: number) => string;
  /** Room for the ends of the lines at the right. */
  rightGutter: number;
}): Plot {
  const { times, lines, baseline, top, bottom } = options;
  const [low, high] = extent(lines, baseline);
  const ticks = valueTicks(low, high, Math.max(2, Math.round((bottom - top) / VALUE_TICK_EVERY_PX)));
  const longest = Math.max(...ticks.map((value) => options.showTick(value).length));
  const left = longest * DIGIT_PX + 10;
  const right = Math.max(left + 40, options.width - options.rightGutter);
  const [from, to] = [times[0] ?? 0, times.at(-1) ?? 1];
  const span = to - from || 1;
  return {
    x: (at) => left + ((at - from) / span) * (right - left),
    y: (value) => bottom - ((value - low) / (high - low)) * (bottom - top),
    left,
    right,
    top,
    bottom,
    valueTicks: ticks,
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
  if (!Number.isFinite(low)) return [0, 1];
  const room = (high - low || Math.abs(high) || 1) * 0.06;
  return [low - room, high + room];
}
