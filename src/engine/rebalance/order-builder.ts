// Collects the orders of one reaction: it drafts them, requests approval, and updates the budget and the working orders
// with each approval, so that the next order sees the ones before it.
import type { Symbol } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';
import { micro } from '#units/money.ts';
import { type Quantity, quantity } from '#units/quantity.ts';
import type { DeploymentState, TradingTerms } from '../deployment-state.ts';
import type { Instrument } from '../market/instrument.ts';
import { attemptKey } from '../order/client-order-id.ts';
import { limitPrice } from '../order/limit-price.ts';
import type {
  ApprovedOrder,
  OrderDraft,
  OrderPurpose,
  Refusal,
  RefusedOrder,
  WorkingOrder,
} from '../order/order.ts';
import type { PortfolioValue } from '../portfolio/value.ts';
import { approve } from '../risk/approve.ts';
import { type Budget, budgetOf, type Claim, claimOf } from '../risk/budget.ts';
import { stepOf } from '../risk/sizing-limits.ts';

export type OrderBuilder = {
  /** As the reaction found it; stateOf gives it with the orders written since. */
  readonly before: DeploymentState;
  readonly terms: TradingTerms;
  readonly orders: ApprovedOrder[];
  readonly refusals: RefusedOrder[];
  readonly working: Map<Symbol, WorkingOrder[]>;
  readonly attempts: Map<string, number>;
  budget: Budget;
};

export function openBuilder(
  before: DeploymentState,
  value: PortfolioValue,
  terms: TradingTerms,
): OrderBuilder {
  return {
    before,
    terms,
    orders: [],
    refusals: [],
    working: Map.groupBy(before.working, ({ symbol }) => symbol),
    attempts: new Map(before.attempts),
    budget: budgetOf(before, value, terms),
  };
}

/** The state with every order of this builder working. */
export function stateOf({ before, orders, attempts }: OrderBuilder): DeploymentState {
  if (orders.length === 0) return before;
  return { ...before, attempts, working: [...before.working, ...orders.map(workingOrder)] };
}

function workingOrder(order: ApprovedOrder): WorkingOrder {
  const { clientOrderId, symbol, side, quantity: remaining, limitPrice, purpose } = order;
  return { clientOrderId, symbol, side, remaining, limitPrice, purpose };
}

export type OrderProposal = {
  readonly instrument: Instrument;
  /** Signed: what to trade. */
  readonly traded: number;
  readonly referencePrice: number;
  readonly purpose: OrderPurpose;
  readonly cause: string;
  readonly at: Instant;
};

/** An order with its collar, and what it would claim of the budget. */
export type Drafted = { readonly draft: OrderDraft; readonly claim: Claim; readonly instrument: Instrument };

export function draftOrder(builder: OrderBuilder, proposal: OrderProposal): Drafted {
  const { instrument } = proposal;
  const draft = draftOf(proposal, builder.terms);
  return { draft, claim: claimOfDraft(builder, draft, instrument), instrument };
}

export function writeOrder(builder: OrderBuilder, proposal: OrderProposal): void {
  writeDrafted(builder, draftOrder(builder, proposal));
}

/** Requests approval; an approved order is working from now on. */
export function writeDrafted(builder: OrderBuilder, { draft, claim, instrument }: Drafted): void {
  const { symbol } = draft;
  const key = attemptKey(draft.cause, symbol);
  const attempt = (builder.attempts.get(key) ?? 0) + 1;
  const approval = approve(draft, {
    state: builder.before,
    working: builder.working.get(symbol) ?? [],
    instrument,
    budget: builder.budget,
    claim,
    attempt,
  });
  if (!approval.ok) {
    builder.refusals.push(approval.refused);
    return;
  }
  builder.orders.push(approval.order);
  builder.attempts.set(key, attempt);
  builder.working.set(symbol, [...(builder.working.get(symbol) ?? []), workingOrder(approval.order)]);
  builder.budget = {
    cash: micro(builder.budget.cash - claim.cash),
    exposure: micro(builder.budget.exposure - Math.max(0, claim.exposure)),
  };
}

export function refuse(builder: OrderBuilder, symbol: Symbol, refusal: Refusal): void {
  builder.refusals.push({ symbol, ...refusal });
}

/** Whether all of it fits into the rest of the budget. */
export function fits(builder: OrderBuilder, { claim }: Drafted): boolean {
  return claim.cash <= builder.budget.cash && claim.exposure <= builder.budget.exposure;
}

/** The proposal cut, in whole steps, to the rest of the budget; an order that closes a position is never cut. */
export function cutToBudget(builder: OrderBuilder, proposal: OrderProposal): OrderProposal {
  const { instrument } = proposal;
  const { draft, claim: whole } = draftOrder(builder, proposal);
  const sign = Math.sign(proposal.traded);
  const held = heldOf(builder, instrument.symbol);
  const closing = Math.sign(held) === -sign ? Math.min(Math.abs(held), draft.quantity) : 0;
  const opening = claimOf({ ...draft, held: 0 }, instrument, builder.before, builder.terms);
  const cashOver = whole.cash - builder.budget.cash;
  const exposureOver = whole.exposure - builder.budget.exposure;
  const tooMuch = Math.max(
    cashOver > 0 ? (cashOver + ROUNDING) / (whole.cash / draft.quantity) : 0,
    exposureOver > 0 ? (exposureOver + ROUNDING) / (opening.exposure / draft.quantity) : 0,
  );
  const step = stepOf(instrument, sign, builder.before.sizing);
  const steps = Math.floor(Math.max(0, draft.quantity - tooMuch) / step);
  return { ...proposal, traded: sign * Math.max(closing, steps * step) };
}

/** Micro-units by which the roundings of a claim can exceed what it is in proportion to the quantity. */
export const ROUNDING = 3;

function draftOf(proposal: OrderProposal, terms: TradingTerms): OrderDraft {
  const side = proposal.traded > 0 ? 'buy' : 'sell';
  return {
    symbol: proposal.instrument.symbol,
    side,
    quantity: quantity(Math.abs(proposal.traded)),
    limitPrice: limitPrice(side, proposal.referencePrice, terms.collar, proposal.instrument),
    referencePrice: proposal.referencePrice,
    purpose: proposal.purpose,
    cause: proposal.cause,
    decidedAt: proposal.at,
  };
}

function claimOfDraft(builder: OrderBuilder, draft: OrderDraft, instrument: Instrument) {
  return claimOf(
    { ...draft, held: heldOf(builder, draft.symbol) },
    instrument,
    builder.before,
    builder.terms,
  );
}

export function heldOf(builder: OrderBuilder, symbol: Symbol): Quantity {
  return builder.before.portfolio.positions.get(symbol)?.quantity ?? (0 as Quantity);
}
