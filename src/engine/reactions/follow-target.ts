// The strategy says what to hold. Reductions are ordered first; what adds exposure is ordered as far as the budget
// goes, and what the target's own sales must pay for waits until the last of them has ended, an option
// for the shares that cover it.
import type { Symbol } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';
import { notional, scale } from '#units/money.ts';
import { fromQuantity, type Quantity } from '#units/quantity.ts';
import type { DeploymentState, Notice, StepResult, TradingTerms } from '../deployment-state.ts';
import type { EngineEvent, TargetWeight } from '../event.ts';
import type { Instrument } from '../market/instrument.ts';
import { attemptKey } from '../order/client-order-id.ts';
import { parseOption } from '../market/option-contract.ts';
import { dollarsPerQuote } from '../portfolio/quote-rate.ts';
import type { PortfolioValue } from '../portfolio/value.ts';
import { coveredContracts, deliversShares } from '../risk/cover.ts';
import { capWeight } from '../risk/max-allocation.ts';
import { lookAtMarks, NO_MARKS } from './look-at-marks.ts';
import {
  cutToBudget,
  draftOrder,
  fits,
  heldOf,
  type OrderPad,
  openPad,
  refuse,
  stateOf,
  type Wish,
  writeDrafted,
  writeOrder,
} from './order-pad.ts';

export type TargetEvent = Extract<EngineEvent, { type: 'target' }>;

export function followTarget(state: DeploymentState, event: TargetEvent, terms: TradingTerms): StepResult {
  const looked = lookAtMarks(state, event.at, event.marks, terms);
  const target = { id: event.id, weights: event.weights, equity: looked.value.equity };
  const stoppedOut = releaseStoppedOut(looked.state.stoppedOut, event.weights);
  const attempts = withoutOldTarget(looked.state, event.id);
  const following = { ...looked.state, target, stoppedOut, attempts };
  return order(following, looked.value, { at: event.at, terms, notices: looked.notices, goesOn: false });
}

/** Orders what had to wait for the target's own sales, once none of them is working any more. */
export function goOnWithTarget(state: DeploymentState, at: Instant, terms: TradingTerms): StepResult {
  const nothing = { state, orders: [], refusals: [], notices: [] };
  if (
    state.target === null ||
    state.permission !== 'full' ||
    state.working.some((one) => reduces(state, one))
  ) {
    return nothing;
  }
  const looked = lookAtMarks(state, at, NO_MARKS, terms);
  return order(looked.state, looked.value, { at, terms, notices: looked.notices, goesOn: true });
}

type Occasion = {
  readonly at: Instant;
  readonly terms: TradingTerms;
  readonly notices: readonly Notice[];
  /** Going on looks only at instruments that this target has not ordered yet. */
  readonly goesOn: boolean;
};

function order(state: DeploymentState, value: PortfolioValue, occasion: Occasion): StepResult {
  const { at, terms, notices, goesOn } = occasion;
  const pad = openPad(state, value, terms);
  const target = state.target!;
  const wishes: Wish[] = [];
  for (const [symbol, weight] of wantedWeights(state, target.weights)) {
    if (goesOn && state.attempts.has(attemptKey(target.id, symbol))) continue;
    const wish = wishFor(pad, symbol, weight, { equity: Math.max(0, target.equity ?? value.equity), at });
    if (wish !== null) wishes.push(wish);
  }
  const grows = (wish: Wish) => {
    const held = heldOf(pad, wish.instrument.symbol);
    return (
      Math.abs(held + wish.traded) > Math.abs(held) || Math.sign(held + wish.traded) === -Math.sign(held)
    );
  };
  for (const wish of wishes) if (!grows(wish)) writeOrder(pad, wish);
  for (const wish of wishes) if (grows(wish)) writeIncrease(pad, wish);
  return { state: stateOf(pad), orders: pad.orders, refusals: pad.refusals, notices };
}

function writeIncrease(pad: OrderPad, uncovered: Wish): void {
  const wish = covered(pad, uncovered);
  if (wish === null) return;
  const { symbol } = wish.instrument;
  if (pad.before.frozenAt !== null || pad.before.permission !== 'full') {
    const held = heldOf(pad, symbol);
    // A turn-round still closes what is held.
    if (held !== 0 && Math.sign(held) === -Math.sign(wish.traded))
      writeOrder(pad, { ...wish, traded: -held });
    else writeOrder(pad, wish);
    return;
  }
  const drafted = draftOrder(pad, wish);
  if (fits(pad, drafted)) {
    writeDrafted(pad, drafted);
    return;
  }
  if (awaitsReductions(pad)) {
    refuse(pad, symbol, 'awaiting_sales', 'it is ordered as soon as the sales that pay for it are done.');
    return;
  }
  const cut = cutToBudget(pad, wish);
  if (cut.traded === 0) {
    refuse(pad, symbol, 'no_cash', 'the available cash does not buy one unit of trading.');
    return;
  }
  writeOrder(pad, cut);
}

/** An option is held only as far as shares cover it, and ordered once those are there; null, with the reason, until then. */
function covered(pad: OrderPad, wish: Wish): Wish | null {
  const { instrument, traded } = wish;
  const { symbol } = instrument;
  const after = heldOf(pad, symbol) + traded;
  const underlying = deliversShares(symbol, after);
  if (underlying === null) return wish;
  const most = coveredContracts(pad.before.portfolio, instrument, underlying);
  if (Math.abs(after) <= most) return wish;
  if (pad.working.get(underlying)?.some(({ side }) => side === 'buy')) {
    refuse(pad, symbol, 'awaiting_sales', 'it is ordered as soon as the shares that cover it are bought.');
    return null;
  }
  const rest = Math.sign(after) * most - heldOf(pad, symbol);
  if (Math.sign(rest) === Math.sign(traded)) return { ...wish, traded: rest };
  refuse(
    pad,
    symbol,
    'below_one_step',
    `there are not enough shares of ${underlying} to cover one contract.`,
  );
  return null;
}

type Situation = { readonly equity: number; readonly at: Instant };

/** What to trade in one instrument, or null (with the reason in the refusals) when nothing. */
function wishFor(pad: OrderPad, symbol: Symbol, weight: number, { equity, at }: Situation): Wish | null {
  const { before: state, terms } = pad;
  const instrument = terms.instruments.get(symbol);
  const mark = state.marks.get(symbol);
  const held = heldOf(pad, symbol);
  if (instrument === undefined || mark === undefined || !(mark > 0)) {
    refuse(pad, symbol, 'no_price', 'there is no price to size an order with.');
    return null;
  }
  if (pad.working.has(symbol)) {
    refuse(pad, symbol, 'order_working', 'an earlier order is still open.');
    return null;
  }
  const allowed = allowedWeight(pad, { symbol, weight });
  const sizedAt = parseOption(symbol)?.strike ?? mark;
  const unit = instrument.multiplier * sizedAt * dollarsPerQuote(instrument, mark, state.marks);
  const desired = wholeSteps((allowed * equity * 100) / unit, instrument);
  const traded = desired - held;
  if (desired === 0 && held === 0 && allowed !== 0) {
    const least = fromQuantity(instrument.quantityStep);
    refuse(
      pad,
      symbol,
      'below_one_step',
      `its share of the equity does not reach the smallest amount, ${least}.`,
    );
    return null;
  }
  if (traded === 0) return null;
  const worth = scale(
    notional(Math.abs(traded) as Quantity, sizedAt, instrument.multiplier),
    unit / sizedAt / instrument.multiplier,
  );
  if (desired !== 0 && worth < terms.noTradeBand * equity) {
    refuse(pad, symbol, 'within_band', 'it is close enough to its target.');
    return null;
  }
  return { instrument, traded, referencePrice: mark, purpose: 'rebalance', cause: state.target!.id, at };
}

/** The weight after the person's limits; each limit that bites is noted. */
function allowedWeight(pad: OrderPad, { symbol, weight }: TargetWeight): number {
  const { before: state } = pad;
  if (weight < 0 && !state.allowsShort) {
    refuse(
      pad,
      symbol,
      'short_not_allowed',
      'the strategy would sell short, which this deployment does not allow.',
    );
    return 0;
  }
  const stopped = state.stoppedOut.get(symbol);
  if (stopped !== undefined && weight !== 0) {
    refuse(
      pad,
      symbol,
      'stopped_out',
      'it was closed by its stop loss or for margin; it waits until the strategy lets it go.',
    );
    return 0;
  }
  const { maxAllocationPercent } = state.limits;
  // What only ever delivers shares that are held is limited with them, see covered.
  if (deliversShares(symbol, weight) !== null) return weight;
  const capped = capWeight(weight, maxAllocationPercent);
  if (capped !== weight) {
    const asked = Math.round(Math.abs(weight) * 1000) / 10;
    const reason = `the limit of ${maxAllocationPercent}% of equity cuts the ${asked}% that the strategy asks for.`;
    refuse(pad, symbol, 'max_allocation', reason);
  }
  return capped;
}

/** Each instrument of the target, and zero for each position that it does not name; in the target's order. */
function wantedWeights(state: DeploymentState, weights: readonly TargetWeight[]): Map<Symbol, number> {
  const wanted = new Map<Symbol, number>();
  for (const symbol of state.portfolio.positions.keys()) wanted.set(symbol, 0);
  for (const { symbol, weight } of weights) {
    if (weight !== 0 || wanted.has(symbol)) wanted.set(symbol, weight);
  }
  return wanted;
}

/** A stopped-out instrument is free again once a target drops it or turns it round. */
function releaseStoppedOut(
  stoppedOut: DeploymentState['stoppedOut'],
  weights: readonly TargetWeight[],
): DeploymentState['stoppedOut'] {
  if (stoppedOut.size === 0) return stoppedOut;
  const signs = new Map(weights.map(({ symbol, weight }) => [symbol, Math.sign(weight)]));
  return new Map(
    [...stoppedOut].filter(([symbol, side]) => signs.get(symbol) === (side === 'long' ? 1 : -1)),
  );
}

/** Whether an order that reduces a position, and so gives budget back, is still working. */
function awaitsReductions({ before, working }: OrderPad): boolean {
  for (const orders of working.values()) {
    if (orders.some((one) => reduces(before, one))) return true;
  }
  return false;
}

/** The orders made for a target that is no longer followed need not be counted any more. */
function withoutOldTarget({ target, attempts }: DeploymentState, newId: string): DeploymentState['attempts'] {
  if (target === null || target.id === newId || attempts.size === 0) return attempts;
  const old = attemptKey(target.id, '' as Symbol);
  return new Map([...attempts].filter(([key]) => !key.startsWith(old)));
}

function reduces(state: DeploymentState, one: DeploymentState['working'][number]): boolean {
  const held = state.portfolio.positions.get(one.symbol)?.quantity ?? 0;
  return one.side === 'sell' ? held > 0 : held < 0;
}

function wholeSteps(amount: number, instrument: Instrument): number {
  return Math.trunc(amount / instrument.quantityStep) * instrument.quantityStep + 0;
}
