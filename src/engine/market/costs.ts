// What trading costs, kind by kind: one table for backtests, for the sizing of live orders and for the sandbox
// brokerage. Promises nothing about a person's own broker; its sources and limits are in docs/decisions.
import { type Micro, micro, notional, toMicro } from '#units/money.ts';
import { fromQuantity, type Quantity } from '#units/quantity.ts';
import { roundHalfEven } from '#units/round.ts';
import type { Instrument, InstrumentKind } from './instrument.ts';

export type KindCosts = {
  /** Commission as a share of notional: 0.0005 is 0.05 percent. */
  readonly commissionRate: number;
  /** Commission for one contract in dollars, exchange and regulatory fees included. 0 where none are counted. */
  readonly commissionPerContract: number;
  /** How much worse than the market an order fills, as a share of the price: half a spread and some impact. */
  readonly slippageRate: number;
};

export type TradingCosts = Readonly<Record<InstrumentKind, KindCosts>>;

/** Published tariffs of Interactive Brokers for small accounts, rounded up. See docs/decisions, trading costs. */
export const TRADING_COSTS: TradingCosts = {
  equity: { commissionRate: 0.0005, commissionPerContract: 0, slippageRate: 0.0005 },
  forex: { commissionRate: 0.00002, commissionPerContract: 0, slippageRate: 0.00004 },
  crypto: { commissionRate: 0.0018, commissionPerContract: 0, slippageRate: 0.0005 },
  futures: { commissionRate: 0, commissionPerContract: 2.25, slippageRate: 0.0001 },
  options: { commissionRate: 0, commissionPerContract: 0.7, slippageRate: 0.01 },
};

/** The same rates for every kind: for reproducing results that were computed so. */
export function flatCosts(rates: Pick<KindCosts, 'commissionRate' | 'slippageRate'>): TradingCosts {
  const costs = { ...rates, commissionPerContract: 0 };
  return { equity: costs, forex: costs, crypto: costs, futures: costs, options: costs };
}

/** What is charged for trading a quantity (its sign does not matter) at a price. `rate` is dollars per quote currency. */
export function commissionOf(
  fill: { readonly quantity: Quantity; readonly price: number },
  instrument: Pick<Instrument, 'kind' | 'multiplier'>,
  { costs, rate }: { readonly costs: TradingCosts; readonly rate: number },
): Micro {
  const { commissionRate, commissionPerContract } = costs[instrument.kind];
  const worth = Math.abs(notional(fill.quantity, fill.price, instrument.multiplier));
  const contracts = commissionPerContract === 0 ? 0 : Math.abs(fromQuantity(fill.quantity));
  return micro(roundHalfEven(worth * (commissionRate * rate)) + toMicro(contracts * commissionPerContract));
}
