// How much may be added to a running deployment or withdrawn from it, and when. Promises the sentence that the field shows, or the one
// that stands in place of the button.
import { isToEnd } from '#engine/execution/flows/decide-flow.ts';
import type { FlowKind } from '#engine/execution/flows/flow.ts';
import { type CommandedStatus, effectiveStatus } from '#engine/lifecycle/effective-status.ts';
import { hasEnded } from '#engine/lifecycle/status.ts';
import { MICRO_PER_UNIT, type Micro, micro, subtract } from '#units/money.ts';
import { dollars } from '../dollars.ts';
import { commandReason } from '../reasons/command-reason.ts';
import { flowReason } from '../reasons/flow-reason.ts';
import type { FieldProblem } from './field-problem.ts';

/** Less is not worth an order. */
export const LEAST_FLOW = (10 * MICRO_PER_UNIT) as Micro;

export type FlowSituation = CommandedStatus & {
  readonly equity: Micro;
  /** Of the strategy. */
  readonly minimum: Micro;
  /** About what can leave without a sale. */
  readonly freeNow: Micro;
  /** It goes on beside a real deployment. */
  readonly isShadow: boolean;
  /** Its owner has asked support to liquidate it. */
  readonly isToBeLiquidated: boolean;
  /** A request has not been carried out yet. */
  readonly isPending: boolean;
};

/** What can be withdrawn at most: all but the strategy's minimum. */
export function withdrawableOf({ equity, minimum }: Pick<FlowSituation, 'equity' | 'minimum'>): Micro {
  const spare = Math.max(0, subtract(equity, minimum));
  return micro(Math.floor(spare / MICRO_PER_CENT) * MICRO_PER_CENT);
}

/** Why nothing of this kind can be asked for now, whatever the amount; null when it can. */
export function flowRefusal(kind: FlowKind, situation: FlowSituation): string | null {
  const status = effectiveStatus(situation);
  if (situation.isShadow)
    return 'It is the shadow of a real deployment and follows it: add or withdraw there.';
  if (situation.isPending)
    return 'Money is being added or withdrawn already. Wait until that is done, or cancel it first.';
  if (situation.isToBeLiquidated)
    return 'You have asked support to liquidate it: everything becomes free cash then. Withdraw that request first.';
  if (isToEnd(situation) && !hasEnded(status)) return flowReason('closing');
  if (kind === 'deposit' && situation.status === 'frozen') return flowReason('frozen');
  if (status !== 'active' && status !== 'paused' && status !== 'frozen')
    return commandReason({ code: 'not_in_this_state', status });
  if (kind === 'deposit' && situation.equity <= 0) return flowReason('nothing_left');
  if (kind === 'withdrawal' && withdrawableOf(situation) < LEAST_FLOW)
    return `The strategy needs ${dollars(situation.minimum)}. Close the deployment to get everything out.`;
  return null;
}

/** What is wrong with an amount, or null. */
export function checkFlowAmount(
  kind: FlowKind,
  amount: number,
  situation: FlowSituation,
): FieldProblem | null {
  const field = 'amount';
  if (!Number.isSafeInteger(amount) || amount <= 0)
    return { field, code: 'not_a_number', message: 'Please enter the amount in dollars.' };
  if (amount % MICRO_PER_CENT !== 0)
    return { field, code: 'too_precise', message: 'Please enter the amount in whole cents.' };
  if (amount < LEAST_FLOW) return { field, code: 'too_small', message: `At least ${dollars(LEAST_FLOW)}` };
  if (kind === 'deposit')
    return amount <= LARGEST_FLOW
      ? null
      : { field, code: 'above_maximum', message: `Maximum: ${dollars(LARGEST_FLOW)}` };
  const most = withdrawableOf(situation);
  if (amount > most)
    return {
      field,
      code: 'below_minimum',
      message: `At most ${dollars(most)}: the strategy needs ${dollars(situation.minimum)}. Close the deployment to get everything out.`,
    };
  if (effectiveStatus(situation) === 'paused' && amount > situation.freeNow)
    return {
      field,
      code: 'above_maximum',
      message: `Trading is paused, and ${dollars(situation.freeNow)} is free. Resume trading, so that positions can be reduced.`,
    };
  return null;
}

const MICRO_PER_CENT = MICRO_PER_UNIT / 100;
/** The greatest total of any plan (specification, section 9, Enterprise). */
const LARGEST_FLOW = (10_000_000 * MICRO_PER_UNIT) as Micro;
