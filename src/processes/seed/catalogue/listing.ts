// What the provider writes about a strategy; everything measured comes from the engine.
import type { InstrumentKind } from '#engine/market/instrument.ts';

export type Listing = {
  readonly slug: string;
  readonly name: string;
  readonly shortDescription: string;
  readonly description: string;
  readonly kind: InstrumentKind;
  readonly strategyType:
    | 'deep_learning'
    | 'ml_based'
    | 'hybrid'
    | 'momentum'
    | 'mean_reversion'
    | 'trend_following'
    | 'arbitrage';
  readonly market: 'us' | 'global';
  readonly isFeatured: boolean;
  readonly minInvestmentDollars: number;
  /** A strategy definition, as parseDefinition takes it. */
  readonly definition: Readonly<Record<string, unknown>>;
  /** Backtests of this family before it was published. */
  readonly earlierTries?: EarlierTries;
};

export type EarlierTries = {
  /** Bars that each of them ran over. */
  readonly periods: number;
  /** With annual Sharpe ratios. */
  readonly tries: readonly { readonly model: string; readonly rules: string; readonly sharpe: number }[];
};

export const LANGUAGE = 'bellwether-strategy/1';
