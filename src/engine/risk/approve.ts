// The only source of approved orders. Sizing proposes, this approves: an order leaves here only when the life cycle,
// the freeze, the holdings and the budget allow it.
import type { Instrument } from '../market/instrument.ts';
import { type Halt, UNDATED } from '../market/security-change.ts';
import { clientOrderId } from '../order/client-order-id.ts';
import type { ApprovedOrder, OrderDraft, Refusal, RefusedOrder, WorkingOrder } from '../order/order.ts';
import type { DeploymentState } from '../deployment-state.ts';
import type { Budget, Claim } from './budget.ts';
import { stepOf } from './sizing-limits.ts';

export type Approval =
  | { readonly ok: true; readonly order: ApprovedOrder }
  | { readonly ok: false; readonly refused: RefusedOrder };

export type ApprovalQuestion = {
  readonly state: DeploymentState;
  /** The orders of the same instrument that are working already. */
  readonly working: readonly WorkingOrder[];
  readonly instrument: Instrument;
  readonly budget: Budget;
  readonly claim: Claim;
  readonly attempt: number;
};

export function approve(draft: OrderDraft, question: ApprovalQuestion): Approval {
  const refusal = refusalOf(draft, question);
  if (refusal !== null) return { ok: false, refused: { symbol: draft.symbol, ...refusal } };
  const { state, attempt } = question;
  const { cause, symbol, purpose } = draft;
  const { deploymentId } = state;
  const id = clientOrderId({ deploymentId, cause, symbol, purpose, attempt });
  const order = { ...draft, deploymentId, clientOrderId: id, attempt };
  return { ok: true, order: order as ApprovedOrder };
}

function refusalOf(draft: OrderDraft, question: ApprovalQuestion): Refusal | null {
  const { state, instrument, budget, claim } = question;
  if (state.permission === 'none') return { code: 'not_active' };
  const held = heldBesides(draft, question);
  const after = held + (draft.side === 'buy' ? draft.quantity : -draft.quantity);
  if (after < 0 && after < held && !state.allowsShort) {
    return { code: 'exceeds_holding' };
  }
  const { terms } = instrument;
  if (terms?.halt !== undefined) return haltRefusal(terms.halt);
  if (after < 0 && after < held && terms?.isShortable === false) return { code: 'not_shortable' };
  const wholeSteps = draft.quantity % stepOf(instrument, after, state.sizing) === 0 || after === 0;
  if (!(draft.quantity > 0) || !wholeSteps) return { code: 'partial_step' };
  const reducesOnly =
    Math.abs(after) < Math.abs(held) && (after === 0 || Math.sign(after) === Math.sign(held));
  if (reducesOnly) return null;
  if (terms?.isTradable === false) return { code: 'not_tradable' };
  if (draft.purpose !== 'rebalance') return { code: 'nothing_to_close' };
  if (state.frozenAt !== null) return { code: 'frozen' };
  if (state.reaction === 'exits_only') return { code: 'below_record' };
  if (state.permission === 'exits_only') return { code: 'exits_only' };
  if (claim.cash > budget.cash || claim.exposure > budget.exposure) return { code: 'no_cash' };
  return null;
}

export function haltRefusal({ event, date, until }: Halt): Refusal {
  const isDated = date !== UNDATED;
  return { code: 'security_event', event, date: isDated ? date : null, until: isDated ? until : null };
}

/** What is held once the working orders on the same side have filled: what they sell is not sold twice. */
function heldBesides(draft: OrderDraft, { state, working }: ApprovalQuestion): number {
  let held: number = state.portfolio.positions.get(draft.symbol)?.quantity ?? 0;
  for (const { side, remaining } of working) {
    if (side === draft.side) held += side === 'buy' ? remaining : -remaining;
  }
  return held;
}
