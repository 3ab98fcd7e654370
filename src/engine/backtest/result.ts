// The result of a backtest.
import type { Instant } from '#units/instant.ts';
import type { Micro } from '#units/money.ts';
import type { Notice } from '../deployment-state.ts';
import type { Fill, RefusalCode } from '../order/order.ts';
import type { ClosedTrade } from '../portfolio/closed-trades.ts';

export type BacktestResult = {
  /** Instants (UTC ms) of the closes; equity, cash and exposure are of the same moments. */
  readonly timeline: Float64Array;
  /** In Micro. */
  readonly equity: Float64Array;
  readonly cash: Float64Array;
  /** Sum of the sizes of all positions, in Micro. */
  readonly exposure: Float64Array;
  readonly fills: readonly BacktestFill[];
  readonly trades: readonly ClosedTrade[];
  /** Dividends and swaps as they were paid, negative where the account paid; dated like the fills. */
  readonly income: readonly { readonly at: Instant; readonly amount: Micro }[];
  /** How many fills and trades there are: a vectorized run lists them, and the income, only on request. */
  readonly counts: { readonly fills: number; readonly trades: number };
  readonly notices: readonly { readonly at: Instant; readonly notice: Notice }[];
  readonly refusals: { readonly [Code in RefusalCode]?: number };
  readonly finalEquity: Micro;
};

/** Dated by the close of the bar that it filled in. */
export type BacktestFill = Omit<Fill, 'clientOrderId'>;
