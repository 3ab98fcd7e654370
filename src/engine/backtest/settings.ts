// The input of a backtest: rules, prices and the terms of trading.
import type { Symbol } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';
import type { Micro } from '#units/money.ts';
import type { Quantity } from '#units/quantity.ts';
import type { BarSeries } from '../market/bar-series.ts';
import type { TradingCosts } from '../market/costs.ts';
import type { Instrument } from '../market/instrument.ts';
import type { ScoreColumns } from '../model/score-columns.ts';
import type { Limits } from '../risk/limits.ts';
import { looksAtEveryBar } from '../strategy/schedule.ts';
import type { StrategyDefinition } from '../strategy/definition.ts';

export type BacktestInput = {
  readonly definition: StrategyDefinition;
  readonly instruments: ReadonlyMap<Symbol, Instrument>;
  /** Closed bars, raw, of every symbol that the definition reads or whose contracts it trades; oldest first. */
  readonly series: ReadonlyMap<Symbol, BarSeries>;
  readonly settings: BacktestSettings;
  /** For a definition with a model: its score of each bar, never from a model that had seen what came after. */
  readonly scores?: ScoreColumns;
};

export type BacktestSettings = {
  readonly initialCash: Micro;
  readonly costs: TradingCosts;
  /** All zero means no limits. */
  readonly limits: Limits;
  /** See TradingTerms. */
  readonly collar: number;
  readonly noTradeBand: number;
  /** next_open (default): decided at a close, filled in the next bar. same_close: filled at the close decided at. */
  readonly fill?: 'next_open' | 'same_close';
  /**
   * collared (default): sized at the close decided at, filled within the collar around it. market: how other engines
   * trade one instrument: entries sized at the price that they fill at, slippage on them alone, a position turned round
   * in two orders, and the stop and target of the definition live inside each bar from the entry on. The collar is 0.
   */
  readonly orders?: 'collared' | 'market';
  /** A fixed number of units, long or short, in place of the target's share of equity. */
  readonly units?: Quantity;
  /**
   * Trading begins and ends here; bars before `from` still feed the features. With a model it never begins before the
   * model's first window: results are always out of sample.
   */
  readonly from?: Instant;
  readonly to?: Instant;
};

/** Rows of the timeline: from `first` up to, not including, `end`. */
export type RowRange = { readonly first: number; readonly end: number };

/** As they are quoted: market orders know no smallest step of a price. */
export function quotedInstruments({ instruments, settings }: BacktestInput): BacktestInput['instruments'] {
  if (settings.orders !== 'market') return instruments;
  return new Map([...instruments].map(([symbol, one]) => [symbol, { ...one, priceDecimals: FINEST }]));
}

const FINEST = 8;

/** Throws RangeError where settings do not fit the traded instruments. */
export function requireFit({ definition, instruments, settings }: BacktestInput): void {
  const { universe, rule, weighting, options, interval, regime, basket, band } = definition;
  const hasContracts = universe.some((symbol) => instruments.get(symbol)?.kind === 'futures');
  if (interval !== undefined && hasContracts)
    throw new RangeError(
      'contracts roll and settle by days: bars shorter than a day trade shares, currencies and coins',
    );
  if (settings.units !== undefined && options !== undefined)
    throw new RangeError('options beside shares are as many as the shares cover, not so many units');
  if (settings.orders !== 'market') return;
  if (universe.length !== 1 || options !== undefined)
    throw new RangeError('market orders trade exactly one instrument, without options');
  if (rule.type !== 'signals') throw new RangeError('market orders need a signal rule');
  if (regime !== undefined || basket !== undefined || band !== undefined)
    throw new RangeError('market orders know no regime, basket or band');
  if (!looksAtEveryBar(definition))
    throw new RangeError('market orders need a rule that is looked at on every bar');
  if (weighting.type !== 'equal' && weighting.type !== 'fixed')
    throw new RangeError('market orders are never resized: the weighting must be equal or fixed');
}
