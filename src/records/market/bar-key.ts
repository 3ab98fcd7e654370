import type { BarSeries } from '#engine/market/bar-series.ts';
import type { Symbol } from '#units/identifiers.ts';
import type { BarSource } from './instruments.ts';

/** Identifies one series of bars. */
export type BarKey<Interval extends BarSeries['interval'] = BarSeries['interval']> = {
  readonly symbol: Symbol;
  readonly interval: Interval;
  readonly source: BarSource;
};
