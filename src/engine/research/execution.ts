// How a research run trades one instrument: sized at the fill instead of at the decision, with stops and targets
// inside the bar. The same rules, portfolio and money as a backtest; no person's limits.
import type { Micro } from '#units/money.ts';
import type { Quantity } from '#units/quantity.ts';
import type { BarSeries } from '../market/bar-series.ts';
import type { Instrument } from '../market/instrument.ts';
import type { StrategyDefinition } from '../strategy/definition.ts';
import type { SeriesBySymbol } from '../strategy/feature-column.ts';
import type { FillLog } from './fill-log.ts';
import type { RoundTripLog } from './round-trip-log.ts';

export type Execution = {
  readonly initialCash: Micro;
  /** Share of notional, on the way in and on the way out. */
  readonly commissionRate: number;
  /** Entries cost this share more (shorts: bring less); exits fill at the market. */
  readonly spreadRate: number;
  /** next_open: a market order fills at the next open. same_close: at the close that it was decided at. */
  readonly fill: 'next_open' | 'same_close';
  /** all_cash: as many whole steps as the cash at the fill buys, commission included. */
  readonly size: { readonly type: 'all_cash' } | { readonly type: 'fixed'; readonly quantity: Quantity };
  /** Whether a signal in the direction already held is ignored, or closes the position and opens it anew. */
  readonly repeatedSignal: 'ignored' | 'reopens';
};

/** A signal rule over a universe of one instrument priced in dollars; exits.stopPercent and targetPercent are live. */
export type ResearchInput = {
  readonly definition: StrategyDefinition;
  readonly series: SeriesBySymbol;
  readonly instrument: Instrument;
  readonly execution: Execution;
};

export type ResearchResult = {
  readonly bars: BarSeries;
  /** In Micro, at each close. */
  readonly equity: Float64Array;
  readonly fills: FillLog;
  readonly trades: RoundTripLog;
  readonly finalEquity: Micro;
  /** A fraction, positive: the deepest fall of equity from its peak. */
  readonly maxDrawdown: number;
};
