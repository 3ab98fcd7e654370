// Trading costs, by kind: one table for backtests, for the sizing of live orders and for the sandbox brokerage.
// Promises nothing about a person's own broker; its sources and limits are in docs/decisions.
import { type Micro, micro, notional, toMicro } from '#units/money.ts';
import { fromQuantity, type Quantity } from '#units/quantity.ts';
import { roundHalfEven } from '#units/round.ts';
import type { Instrument, InstrumentKind } from './instrument.ts';
import type { KindCosts } from './kinds/kind-rules.ts';
import { KIND_RULES } from './kinds/rules-of.ts';

export type TradingCosts = Readonly<Record<InstrumentKind, KindCosts>>;

/** Published tariffs of Interactive Brokers for small accounts, rounded up. See docs/decisions, trading costs. */
export const TRADING_COSTS: TradingCosts = {
  equity: KIND_RULES.equity.costs,
  forex: KIND_RULES.forex.costs,
  crypto: KIND_RULES.crypto.costs,
  futures: KIND_RULES.futures.costs,
  options: KIND_RULES.options.costs,
};

/** The same rates for every kind: for reproducing results computed that way. */
export function flatCosts(rates: Pick<KindCosts, 'commissionRate' | 'slippageRate'>): TradingCosts {
  const costs = { ...rates, commissionPerContract: 0 };
  return { equity: costs, forex: costs, crypto: costs, futures: costs, options: costs };
}

/** The charge for trading a quantity (its sign does not matter) at a price. `rate` is dollars per quote currency. */
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
