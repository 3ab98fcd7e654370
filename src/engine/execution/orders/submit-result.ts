// What a broker's result for a sent order means for it, and the order in which orders leave.
import type { DeploymentId } from '#units/identifiers.ts';
import { MINUTE_MS, SECOND_MS } from '#units/instant.ts';
import type { WallInstant } from '#units/wall-instant.ts';
import { type BackOff, isTryDue } from '../back-off.ts';
import type { BrokerFailureCode } from '../connection/broker-failure.ts';
import type { OrderStatus } from '../../order/order-status.ts';
import type { BrokerRefusal } from './broker-refusal.ts';
import { isProtective, type OpenOrder } from './open-order.ts';
import type { OrderUpdate } from './order-record.ts';
import type { EndReason, OrderReason } from './order-reason.ts';
import type { QuestionTopic } from './question-topic.ts';

/**
 * Exits first, protective stops last, the oldest decision first within each. Orders halted by a kill switch are left
 * out, and so are stops that could not be sent and are not tried again yet.
 */
export function submitTurns<Order extends Pick<OpenOrder, 'decided' | 'sendTries'>>(
  intents: readonly Order[],
  { isHalted, realNow }: { readonly isHalted: (id: DeploymentId) => boolean; readonly realNow: WallInstant },
): readonly Order[] {
  return intents
    .filter((order) => !isHalted(order.decided.deploymentId) && isSendDue(order, realNow))
    .toSorted((one, other) => turnOf(one) - turnOf(other));
}

/** A try that fails holds up its connection: an exit is tried at each look all the same, a stop ever more rarely. */
function isSendDue(order: Pick<OpenOrder, 'decided' | 'sendTries'>, realNow: WallInstant): boolean {
  return !isProtective(order) || isTryDue(order.sendTries ?? undefined, realNow, SEND_STOP_AGAIN);
}

const SEND_STOP_AGAIN: BackOff = { firstMs: 15 * SECOND_MS, maxMs: 5 * MINUTE_MS };

function turnOf({ decided: { purpose } }: Pick<OpenOrder, 'decided'>): number {
  if (purpose === 'protective') return 2;
  return purpose === 'rebalance' ? 1 : 0;
}

/** See the broker's port for what each result allows. `checks_expired` is our own: nothing was sent to the broker. */
export type SubmitAnswer =
  | { readonly outcome: 'accepted'; readonly brokerOrderId: string }
  | { readonly outcome: 'rejected'; readonly said: string; readonly refusal?: BrokerRefusal }
  | { readonly outcome: 'not_confirmed'; readonly topic: QuestionTopic; readonly question: string }
  | {
      readonly outcome: 'not_sent';
      readonly code: BrokerFailureCode | 'checks_expired';
      readonly said?: string;
      readonly wasTurnedAway?: true;
    }
  | { readonly outcome: 'unknown' };

export type SubmitTransition =
  | { readonly type: 'end'; readonly reason: EndReason }
  | {
      readonly type: 'change';
      readonly status: 'working' | 'intended' | 'unknown';
      readonly reason: OrderReason | null;
      readonly brokerOrderId?: string;
      /** Null: it has never left. */
      readonly sentAt?: null;
    };

/**
 * `wasSent`: it left before, and the broker turned it away at the door. Then a refusal may be that of a repeat, and the
 * words of a refusal do not tell: the order may be working.
 */
export function applySubmitAnswer(
  answer: SubmitAnswer,
  { wasSent }: { readonly wasSent: boolean },
): SubmitTransition {
  switch (answer.outcome) {
    case 'accepted':
      return { type: 'change', status: 'working', reason: null, brokerOrderId: answer.brokerOrderId };
    case 'rejected':
      if (wasSent) return { type: 'change', status: 'unknown', reason: { code: 'no_answer' } };
      return {
        type: 'end',
        reason: { code: 'rejected', said: answer.said, ...(answer.refusal && { refusal: answer.refusal }) },
      };
    case 'not_confirmed':
      return {
        type: 'end',
        reason: { code: 'not_confirmed', topic: answer.topic, question: answer.question },
      };
    case 'not_sent':
      return {
        type: 'change',
        status: 'intended',
        ...(wasSent || answer.wasTurnedAway ? {} : { sentAt: null }),
        reason:
          answer.code === 'checks_expired'
            ? { code: 'checks_expired' }
            : { code: 'not_sent', failure: answer.code, said: answer.said ?? '' },
      };
    case 'unknown':
      return { type: 'change', status: 'unknown', reason: { code: 'no_answer' } };
    default:
      return answer satisfies never;
  }
}

/** An execution may have been faster than the result: then only the broker's id is new. Null when nothing is. */
export function submitUpdate(
  order: { readonly status: OrderStatus; readonly brokerOrderId: string | null },
  { status, reason, brokerOrderId, sentAt }: Extract<SubmitTransition, { type: 'change' }>,
): OrderUpdate | null {
  const id = brokerOrderId === undefined ? {} : ({ brokerOrderId, visibility: 'shown' } as const);
  if (order.status === 'sending')
    return { status, reason, ...id, ...(sentAt === undefined ? {} : { sentAt }) };
  return brokerOrderId !== undefined && order.brokerOrderId === null ? { status: order.status, ...id } : null;
}

/** Whether a checked order may still leave, by a clock that never jumps. */
export function areChecksValid(checkedAt: number, now: number): boolean {
  return now - checkedAt < CHECKS_HOLD_MS;
}

/**
 * How long after its checks an order may still leave. A decision made meanwhile (a pause, a kill switch) is promised to
 * take effect within a second of its confirmation; a process that was suspended in between has waited longer.
 */
export const CHECKS_HOLD_MS = 800;
