// Where one reaction writes its orders: it draws up, asks approval, and keeps the budget and what is working in step
// with what was approved, so that the next order sees the ones before it.
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
  RefusalCode,
  RefusedOrder,
  WorkingOrder,
} from '../order/order.ts';
import type { PortfolioValue } from '../portfolio/value.ts';
import { approve } from '../risk/approve.ts';
import { type Budget, budgetOf, type Claim, claimOf } from '../risk/budget.ts';

export type OrderPad = {
  /** As the reaction found it; stateOf gives it with the orders written since. */
  readonly before: DeploymentState;
  readonly terms: TradingTerms;
  readonly orders: ApprovedOrder[];
  readonly refusals: RefusedOrder[];
  readonly working: Map<Symbol, WorkingOrder[]>;
  readonly attempts: Map<string, number>;
  budget: Budget;
};

export function openPad(before: DeploymentState, value: PortfolioValue, terms: TradingTerms): OrderPad {
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

/** The state with every order of this pad working. */
export function stateOf({ before, orders, attempts }: OrderPad): DeploymentState {
  if (orders.length === 0) return before;
  return { ...before, attempts, working: [...before.working, ...orders.map(workingOrder)] };
}

function workingOrder(order: ApprovedOrder): WorkingOrder {
  const { clientOrderId, symbol, side, quantity: remaining, limitPrice, purpose } = order;
  return { clientOrderId, symbol, side, remaining, limitPrice, purpose };
}

export type Wish = {
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

export function draftOrder(pad: OrderPad, wish: Wish): Drafted {
  const { instrument } = wish;
  const draft = draftOf(wish, pad.terms);
  return { draft, claim: claimOfDraft(pad, draft, instrument), instrument };
}

export function writeOrder(pad: OrderPad, wish: Wish): void {
  writeDrafted(pad, draftOrder(pad, wish));
}

/** Asks approval; an approved order is working from now on. */
export function writeDrafted(pad: OrderPad, { draft, claim, instrument }: Drafted): void {
  const { symbol } = draft;
  const key = attemptKey(draft.cause, symbol);
  const attempt = (pad.attempts.get(key) ?? 0) + 1;
  const approval = approve(draft, {
    state: pad.before,
    working: pad.working.get(symbol) ?? [],
    instrument,
    budget: pad.budget,
    claim,
    attempt,
  });
  if (!approval.ok) {
    pad.refusals.push(approval.refused);
    return;
  }
  pad.orders.push(approval.order);
  pad.attempts.set(key, attempt);
  pad.working.set(symbol, [...(pad.working.get(symbol) ?? []), workingOrder(approval.order)]);
  pad.budget = {
    cash: micro(pad.budget.cash - claim.cash),
    exposure: micro(pad.budget.exposure - Math.max(0, claim.exposure)),
  };
}

export function refuse(pad: OrderPad, symbol: Symbol, code: RefusalCode, reason: string): void {
  pad.refusals.push({ symbol, code, reason: `${symbol}: ${reason}` });
}

/** Whether the whole of it fits into what is left of the budget. */
export function fits(pad: OrderPad, { claim }: Drafted): boolean {
  return claim.cash <= pad.budget.cash && claim.exposure <= pad.budget.exposure;
}

/** The wish cut down, in whole steps, to what is left of the budget; what closes a position is never cut. */
export function cutToBudget(pad: OrderPad, wish: Wish): Wish {
  const { instrument } = wish;
  const { draft, claim: whole } = draftOrder(pad, wish);
  const sign = Math.sign(wish.traded);
  const held = heldOf(pad, instrument.symbol);
  const closing = Math.sign(held) === -sign ? Math.min(Math.abs(held), draft.quantity) : 0;
  const opening = claimOf({ ...draft, held: 0 }, instrument, pad.before, pad.terms);
  const cashOver = whole.cash - pad.budget.cash;
  const exposureOver = whole.exposure - pad.budget.exposure;
  const tooMuch = Math.max(
    cashOver > 0 ? (cashOver + ROUNDING) / (whole.cash / draft.quantity) : 0,
    exposureOver > 0 ? (exposureOver + ROUNDING) / (opening.exposure / draft.quantity) : 0,
  );
  const steps = Math.floor(Math.max(0, draft.quantity - tooMuch) / instrument.quantityStep);
  return { ...wish, traded: sign * Math.max(closing, steps * instrument.quantityStep) };
}

/** Micro-units by which the roundings of a claim can exceed what it is in proportion to the quantity. */
export const ROUNDING = 3;

function draftOf(wish: Wish, terms: TradingTerms): OrderDraft {
  const side = wish.traded > 0 ? 'buy' : 'sell';
  return {
    symbol: wish.instrument.symbol,
    side,
    quantity: quantity(Math.abs(wish.traded)),
    limitPrice: limitPrice(side, wish.referencePrice, terms.collar, wish.instrument),
    referencePrice: wish.referencePrice,
    purpose: wish.purpose,
    cause: wish.cause,
    decidedAt: wish.at,
  };
}

function claimOfDraft(pad: OrderPad, draft: OrderDraft, instrument: Instrument) {
  return claimOf({ ...draft, held: heldOf(pad, draft.symbol) }, instrument, pad.before, pad.terms);
}

export function heldOf(pad: OrderPad, symbol: Symbol): Quantity {
  return pad.before.portfolio.positions.get(symbol)?.quantity ?? (0 as Quantity);
}
