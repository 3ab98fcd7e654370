// What a deployment can still commit without borrowing: cash for what settles in cash and for the strikes of written
// puts, and exposure up to its equity for everything. Working orders count as if they filled at their limit price.
import { type Micro, micro, notional, scale, ZERO_MICRO } from '#units/money.ts';
import type { Quantity } from '#units/quantity.ts';
import { commissionOf } from '../market/costs.ts';
import type { Instrument } from '../market/instrument.ts';
import type { Side } from '../order/order.ts';
import { dollarsPerQuote } from '../portfolio/quote-rate.ts';
import type { PortfolioValue } from '../portfolio/value.ts';
import type { DeploymentState, TradingTerms } from '../deployment-state.ts';
import { cashBehind } from './cover.ts';

export type Budget = { readonly cash: Micro; readonly exposure: Micro };

/** What one order takes out of the budget at most. Negative exposure is exposure given back. */
export type Claim = { readonly cash: Micro; readonly exposure: Micro };

export function budgetOf(state: DeploymentState, value: PortfolioValue, terms: TradingTerms): Budget {
  const kept = keptForWithdrawal(state);
  let cash: number = state.portfolio.cash - kept;
  let exposure: number = value.equity - kept - value.grossNotional;
  for (const { symbol, quantity } of state.portfolio.positions.values()) {
    const instrument = terms.instruments.get(symbol);
    if (instrument?.kind === 'options') cash -= cashBehind(instrument, quantity);
  }
  for (const order of state.working) {
    const instrument = terms.instruments.get(order.symbol);
    if (instrument === undefined) continue;
    const held = state.portfolio.positions.get(order.symbol)?.quantity ?? 0;
    const claim = claimOf({ ...order, quantity: order.remaining, held }, instrument, state, terms);
    cash -= claim.cash;
    // What a working reduction gives back is not there before it fills.
    exposure -= Math.max(0, claim.exposure);
  }
  return { cash: micro(cash), exposure: micro(exposure) };
}

/** What is not invested any more: a little above what is asked for, so that sales below their price still free it. */
export function keptForWithdrawal({ withdrawing = ZERO_MICRO }: Pick<DeploymentState, 'withdrawing'>): Micro {
  return scale(withdrawing, 1.01);
}

export type ClaimedOrder = {
  readonly side: Side;
  readonly quantity: Quantity;
  readonly limitPrice: number;
  /** What is held before the order, signed. */
  readonly held: number;
};

export function claimOf(
  order: ClaimedOrder,
  instrument: Instrument,
  state: DeploymentState,
  terms: TradingTerms,
): Claim {
  const { side, quantity, limitPrice, held } = order;
  const rate = dollarsPerQuote(instrument, limitPrice, state.marks);
  const worth = (amount: number) =>
    scale(notional(amount as Quantity, limitPrice, instrument.multiplier), rate);
  const commission = commissionOf({ quantity, price: limitPrice }, instrument, { costs: terms.costs, rate });
  const after = held + (side === 'buy' ? quantity : -quantity);
  const grown = Math.abs(after) - Math.abs(held);
  const exposure = grown >= 0 ? worth(grown) : -worth(-grown);
  const paysCash = side === 'buy' && instrument.settlement === 'cash';
  // What a newly written put may have to pay is not available for anything else.
  const secures = instrument.kind === 'options' && side === 'sell';
  const bound = secures ? cashBehind(instrument, after) - cashBehind(instrument, held) : 0;
  return {
    cash: micro((paysCash ? worth(quantity) : 0) + bound + commission),
    exposure: micro(exposure + commission),
  };
}
