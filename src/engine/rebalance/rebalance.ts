// The strategy sets the target. Reductions are ordered first; orders that add exposure follow as far as the budget
// allows, and those that the target's own sales must pay for wait until the last of them has ended, an option for the
// shares that cover it.
import type { Symbol } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';
import { micro, notional, scale } from '#units/money.ts';
import { fromQuantity, type Quantity, quantity, QUANTITY_MAX } from '#units/quantity.ts';
import type { DeploymentState, Notice, StepResult, TradingTerms } from '../deployment-state.ts';
import type { EngineEvent, TargetWeight } from '../event.ts';
import type { Instrument } from '../market/instrument.ts';
import { attemptKey } from '../order/client-order-id.ts';
import { parseOption } from '../market/option-contract.ts';
import { dollarsPerQuote } from '../portfolio/quote-rate.ts';
import type { PortfolioValue } from '../portfolio/value.ts';
import { keptForWithdrawal } from '../risk/budget.ts';
import { coveredContracts, deliversShares } from '../risk/cover.ts';
import { haltRefusal } from '../risk/approve.ts';
import { capWeight } from '../risk/max-allocation.ts';
import { halvedWeight } from '../risk/tripwire.ts';
import { stepOf } from '../risk/sizing-limits.ts';
import { revalue, NO_MARKS } from './revalue.ts';
import type { DecisionTrace, Sizing } from '../decision/sizing.ts';
import {
  cutToBudget,
  draftOrder,
  fits,
  heldOf,
  type OrderBuilder,
  openBuilder,
  refuse,
  stateOf,
  type OrderProposal,
  writeDrafted,
  writeOrder,
} from './order-builder.ts';

export type TargetEvent = Extract<EngineEvent, { type: 'target' }>;

export function rebalance(
  state: DeploymentState,
  event: TargetEvent,
  terms: TradingTerms,
  trace?: DecisionTrace,
): StepResult {
  const revalued = revalue(state, event.at, event.marks, terms);
  const target = { id: event.id, weights: event.weights, equity: revalued.value.equity };
  const stoppedOut = releaseStoppedOut(revalued.state.stoppedOut, event.weights);
  const attempts = withoutOldTarget(revalued.state, event.id);
  const following = { ...revalued.state, target, stoppedOut, attempts };
  const occasion = { at: event.at, terms, notices: revalued.notices, resumes: false, trace };
  return order(following, revalued.value, occasion);
}

/** Orders what had to wait for the target's own sales, once none of them is working. */
export function resumeRebalance(state: DeploymentState, at: Instant, terms: TradingTerms): StepResult {
  const nothing = { state, orders: [], refusals: [], notices: [] };
  if (
    state.target === null ||
    state.permission !== 'full' ||
    state.working.some((one) => reduces(state, one))
  ) {
    return nothing;
  }
  const revalued = revalue(state, at, NO_MARKS, terms);
  return order(revalued.state, revalued.value, { at, terms, notices: revalued.notices, resumes: true });
}

type Occasion = {
  readonly at: Instant;
  readonly terms: TradingTerms;
  readonly notices: readonly Notice[];
  /** Going on looks only at instruments that this target has not ordered yet. */
  readonly resumes: boolean;
  readonly trace?: DecisionTrace | undefined;
};

function order(state: DeploymentState, value: PortfolioValue, occasion: Occasion): StepResult {
  const { at, terms, notices, resumes } = occasion;
  const builder = openBuilder(state, value, terms);
  const target = state.target!;
  const proposals: OrderProposal[] = [];
  for (const [symbol, weight] of targetWeights(state, target.weights)) {
    if (resumes && !isNextLeg(state, target.id, symbol)) continue;
    const proposal = proposalFor(builder, symbol, weight, {
      equity: Math.max(0, (target.equity ?? value.equity) - keptForWithdrawal(state)),
      at,
      trace: occasion.trace,
    });
    if (proposal !== null) proposals.push(proposal);
  }
  const grows = (proposal: OrderProposal) => {
    const held = heldOf(builder, proposal.instrument.symbol);
    return (
      Math.abs(held + proposal.traded) > Math.abs(held) ||
      Math.sign(held + proposal.traded) === -Math.sign(held)
    );
  };
  for (const proposal of proposals) if (!grows(proposal)) writeOrder(builder, proposal);
  for (const proposal of proposals) if (grows(proposal)) writeIncrease(builder, proposal);
  return { state: stateOf(builder), orders: builder.orders, refusals: builder.refusals, notices };
}

/** Of a going-on: what the target has not ordered yet, and the other side of a position that had to be closed first. */
function isNextLeg(state: DeploymentState, target: string, symbol: Symbol): boolean {
  const ordered = state.attempts.get(attemptKey(target, symbol)) ?? 0;
  if (ordered === 0) return true;
  return (
    ordered === 1 && state.sizing?.closesBeforeTurning === true && !state.portfolio.positions.has(symbol)
  );
}

function writeIncrease(builder: OrderBuilder, uncovered: OrderProposal): void {
  const proposal = covered(builder, uncovered);
  if (proposal === null) return;
  const { symbol } = proposal.instrument;
  const { frozenAt, permission, reaction, sizing } = builder.before;
  const held = heldOf(builder, symbol);
  const turnsRound = held !== 0 && Math.sign(held) === -Math.sign(proposal.traded);
  if (turnsRound && sizing?.closesBeforeTurning === true) {
    writeOrder(builder, { ...proposal, traded: -held });
    refuse(builder, symbol, { code: 'awaiting_close' });
    return;
  }
  if (frozenAt !== null || permission !== 'full' || reaction === 'exits_only') {
    // A turn-round still closes what is held.
    writeOrder(builder, turnsRound ? { ...proposal, traded: -held } : proposal);
    return;
  }
  const drafted = draftOrder(builder, proposal);
  if (fits(builder, drafted)) {
    writeDrafted(builder, drafted);
    return;
  }
  if (awaitsReductions(builder)) {
    refuse(builder, symbol, { code: 'awaiting_sales' });
    return;
  }
  const cut = cutToBudget(builder, proposal);
  if (cut.traded === 0) {
    refuse(builder, symbol, { code: 'no_cash' });
    return;
  }
  writeOrder(builder, cut);
}

/** An option is held only as far as shares cover it, and ordered once those are there; null, with the reason, until then. */
function covered(builder: OrderBuilder, proposal: OrderProposal): OrderProposal | null {
  const { instrument, traded } = proposal;
  const { symbol } = instrument;
  const after = heldOf(builder, symbol) + traded;
  const underlying = deliversShares(symbol, after);
  if (underlying === null) return proposal;
  const most = coveredContracts(builder.before.portfolio, instrument, underlying);
  if (Math.abs(after) <= most) return proposal;
  if (builder.working.get(underlying)?.some(({ side }) => side === 'buy')) {
    refuse(builder, symbol, { code: 'awaiting_cover' });
    return null;
  }
  const rest = Math.sign(after) * most - heldOf(builder, symbol);
  if (Math.sign(rest) === Math.sign(traded)) return { ...proposal, traded: rest };
  refuse(builder, symbol, { code: 'not_covered', underlying });
  return null;
}

type Situation = {
  readonly equity: number;
  readonly at: Instant;
  readonly trace: DecisionTrace | undefined;
};

/** What to trade in one instrument, or null (with the reason in the refusals) when nothing. */
function proposalFor(
  builder: OrderBuilder,
  symbol: Symbol,
  weight: number,
  { equity, at, trace }: Situation,
): OrderProposal | null {
  const { before: state, terms } = builder;
  const instrument = terms.instruments.get(symbol);
  const mark = state.marks.get(symbol);
  const held = heldOf(builder, symbol);
  const place = trace === undefined ? -1 : trace.sizings.push(foundOf(builder, symbol, weight)) - 1;
  if (instrument?.terms?.halt !== undefined) {
    if (weight !== 0 || held !== 0) refuse(builder, symbol, haltRefusal(instrument.terms.halt));
    return null;
  }
  if (instrument === undefined && parseOption(symbol) !== null) {
    refuse(builder, symbol, { code: 'not_listed' });
    return null;
  }
  if (instrument === undefined || mark === undefined || !(mark > 0)) {
    refuse(builder, symbol, { code: 'no_price' });
    return null;
  }
  if (builder.working.has(symbol)) {
    refuse(builder, symbol, { code: 'order_working' });
    return null;
  }
  const allowed = allowedWeight(builder, { symbol, weight }, instrument);
  const sizedAt = parseOption(symbol)?.strike ?? mark;
  const unit = instrument.multiplier * sizedAt * dollarsPerQuote(instrument, mark, state.marks);
  const step = stepOf(instrument, allowed, state.sizing);
  const desired = wholeSteps((allowed * equity * 100) / unit, step);
  if (trace !== undefined)
    trace.sizings[place] = { ...trace.sizings[place]!, allowed, desired: desired as Quantity };
  const traded = desired - held;
  if (isTooLarge(desired, traded)) {
    refuse(builder, symbol, { code: 'quantity_too_large' });
    return null;
  }
  if (desired === 0 && held === 0 && allowed !== 0) {
    refuse(builder, symbol, { code: 'below_one_step', least: fromQuantity(quantity(step)) });
    return null;
  }
  if (traded === 0) return null;
  const worth = scale(
    notional(Math.abs(traded) as Quantity, sizedAt, instrument.multiplier),
    unit / sizedAt / instrument.multiplier,
  );
  if (desired !== 0 && worth < terms.noTradeBand * equity) {
    refuse(builder, symbol, { code: 'within_band' });
    return null;
  }
  return { instrument, traded, referencePrice: mark, purpose: 'rebalance', cause: state.target!.id, at };
}

function foundOf({ before, terms }: OrderBuilder, symbol: Symbol, asked: number): Sizing {
  const position = before.portfolio.positions.get(symbol);
  const said = terms.instruments.get(symbol)?.terms;
  return {
    symbol,
    mark: before.marks.get(symbol) ?? null,
    held: position?.quantity ?? quantity(0),
    cost: position?.cost ?? micro(0),
    asked,
    allowed: null,
    desired: null,
    ...(said && { terms: said }),
  };
}

/** The weight after the person's limits; each limit that bites is noted. */
function allowedWeight(
  builder: OrderBuilder,
  { symbol, weight }: TargetWeight,
  { terms }: Instrument,
): number {
  const { before: state } = builder;
  if (weight < 0 && !state.allowsShort) {
    refuse(builder, symbol, { code: 'short_not_allowed' });
    return 0;
  }
  if (weight < 0 && terms?.isShortable === false) {
    refuse(builder, symbol, { code: 'not_shortable' });
    return 0;
  }
  const stopped = state.stoppedOut.get(symbol);
  if (stopped !== undefined && weight !== 0) {
    refuse(builder, symbol, { code: 'stopped_out' });
    return 0;
  }
  const halved = halvedWeight(weight, state.reaction);
  if (halved !== weight) refuse(builder, symbol, { code: 'halved' });
  const { maxAllocationPercent } = state.limits;
  // What only ever delivers shares that are held is limited with them, see covered.
  if (deliversShares(symbol, halved) !== null) return halved;
  const capped = capWeight(halved, maxAllocationPercent);
  if (capped !== halved) {
    const askedPercent = Math.round(Math.abs(halved) * 1000) / 10;
    refuse(builder, symbol, { code: 'max_allocation', limitPercent: maxAllocationPercent, askedPercent });
  }
  return capped;
}

/** Each instrument of the target, and zero for each position that it does not name; in the target's order. */
function targetWeights(state: DeploymentState, weights: readonly TargetWeight[]): Map<Symbol, number> {
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
function awaitsReductions({ before, working }: OrderBuilder): boolean {
  for (const orders of working.values()) {
    if (orders.some((one) => reduces(before, one))) return true;
  }
  return false;
}

/** Orders made for a target that is no longer followed need not be counted. */
function withoutOldTarget({ target, attempts }: DeploymentState, newId: string): DeploymentState['attempts'] {
  if (target === null || target.id === newId || attempts.size === 0) return attempts;
  const old = attemptKey(target.id, '' as Symbol);
  return new Map([...attempts].filter(([key]) => !key.startsWith(old)));
}

function reduces(state: DeploymentState, one: DeploymentState['working'][number]): boolean {
  const held = state.portfolio.positions.get(one.symbol)?.quantity ?? 0;
  return one.side === 'sell' ? held > 0 : held < 0;
}

/** A turn-round may trade more than either side of it. */
export function isTooLarge(desired: number, traded: number): boolean {
  return !(Math.abs(desired) <= QUANTITY_MAX && Math.abs(traded) <= QUANTITY_MAX);
}

function wholeSteps(amount: number, step: number): number {
  return Math.trunc(amount / step) * step + 0;
}
