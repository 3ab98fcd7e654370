// Why an order is in its state: a code of a closed list with its parameters. Decisions compare codes; `rules/reasons`
// writes the sentence that a person reads.
import type { Instant } from '#units/instant.ts';
import type { Quantity } from '#units/quantity.ts';
import type { AccountRestriction } from '../connection/account-terms.ts';
import type { BrokerFailureCode } from '../connection/broker-failure.ts';
import type { BrokerRefusal } from './broker-refusal.ts';
import type { QuestionTopic } from './question-topic.ts';

/** An intent that has not left: what it waits for. Without a reason, it leaves with the next look. */
export type HoldReason =
  /** A protective stop: another order of its position is at the broker, or about to leave. */
  | { readonly code: 'position_order_first' }
  /** The broker has not confirmed yet that the protective stop of its position is cancelled. */
  | { readonly code: 'stop_not_cancelled' }
  /** A person must look at the broker what has become of that stop. */
  | { readonly code: 'stop_not_confirmed' }
  /** It could trade with an opposite order of the same account. */
  | { readonly code: 'opposite_order' }
  | { readonly code: 'exit_first' }
  /** A call that its shares cover is bought back first. */
  | { readonly code: 'call_first' }
  /**
   * The broker's position is smaller than what it would close; `external` is the manual trade that explains it, if one
   * does.
   */
  | { readonly code: 'quantity_not_available'; readonly external: ExternalTrade | null }
  /** A row of the broker's lists that may be about its instrument cannot be read. */
  | { readonly code: 'instrument_unsure' }
  /** A fill of the account in this instrument belongs to an order that the restored records do not have. */
  | { readonly code: 'order_lost' }
  /** The broker did not take it, or never received it. `said` quotes its refusal; empty where it gave no words. */
  | { readonly code: 'not_sent'; readonly failure: BrokerFailureCode; readonly said: string }
  /** Too much time had passed since the last check when it could have reached the broker. */
  | { readonly code: 'checks_expired' }
  /** The price that it was decided on is too old, and there is no newer one. */
  | { readonly code: 'no_current_price' }
  /** Two feeds do not agree about the price of its instrument. */
  | { readonly code: 'price_doubted' }
  /** Its exchange has halted trading in the instrument. */
  | { readonly code: 'trading_halted' }
  /** Its broker does not let the account send it now. */
  | { readonly code: 'account_restricted'; readonly restriction: AccountRestriction };

export type ExternalTrade = {
  readonly symbol: string;
  /** Signed: negative was sold. */
  readonly units: Quantity;
  /** Of the last one; null where it is not known. */
  readonly at: Instant | null;
};

/** The special state of an order that works at the broker; none without it. */
export type WorkingReason =
  /** `parked` says why the broker does not work it for now; null when it does. */
  | { readonly code: 'cancel_requested'; readonly parked: string | null }
  /** The next look did not confirm the cancellation: a person must look at the broker. */
  | { readonly code: 'cancel_not_confirmed'; readonly parked: string | null }
  | { readonly code: 'parked'; readonly said: string }
  /** The broker reports fills whose executions are still missing. */
  | { readonly code: 'fill_begun' };

/** An order whose fate is unknown. */
export type UnconfirmedReason =
  /** No answer came, or none that can be trusted. */
  | { readonly code: 'no_answer' }
  /** The broker reports it as ended with more filled than its executions show. */
  | { readonly code: 'executions_missing'; readonly reported: string }
  | { readonly code: 'not_listed' };

/** An order that has ended with something unfilled. */
export type EndReason =
  // Withdrawn: it never left.
  | { readonly code: 'paused' }
  | { readonly code: 'paused_or_ended' }
  | { readonly code: 'deployment_stopped' }
  | { readonly code: 'frozen' }
  | { readonly code: 'below_record' }
  | { readonly code: 'agreement_not_signed' }
  | { readonly code: 'not_suitable' }
  | { readonly code: 'fee_unpaid' }
  | { readonly code: 'nothing_to_close' }
  | { readonly code: 'position_changed' }
  | { readonly code: 'position_corrected' }
  | { readonly code: 'stop_filled_first' }
  | { readonly code: 'target_superseded' }
  | { readonly code: 'instrument_removed' }
  | { readonly code: 'day_over_unsent' }
  /** Decided again at a newer price. */
  | { readonly code: 'price_too_old' }
  /** Replaced by an order of the available quantity. */
  | { readonly code: 'resized'; readonly available: Quantity }
  // Ended by the broker; `said` is empty where it gave no words.
  | { readonly code: 'cancelled'; readonly said: string }
  | { readonly code: 'rejected'; readonly said: string; readonly refusal?: BrokerRefusal }
  | { readonly code: 'expired'; readonly said: string }
  /** The broker asked a question before taking the order that we do not answer with yes; `question` quotes it. */
  | { readonly code: 'not_confirmed'; readonly topic: QuestionTopic; readonly question: string }
  // Inferred by us.
  | { readonly code: 'never_shown' }
  /** The broker accepted it, its day is over, and the account holds what it would without the rest. */
  | { readonly code: 'day_over' }
  /** A person looked. `arrived` says that the broker had the order, and that only its remainder is gone. */
  | { readonly code: 'resolved_by_staff'; readonly arrived: boolean; readonly because: string }
  | { readonly code: 'fill_corrected' };

export type OrderReason = HoldReason | WorkingReason | UnconfirmedReason | EndReason;

/** The holds of an order that leaves as soon as other orders give way. */
export const AWAITS_ORDERS = [
  'opposite_order',
  'stop_not_cancelled',
  'stop_not_confirmed',
] as const satisfies readonly HoldReason['code'][];

/** The final status for this reason. */
export function endStatus({ code }: EndReason): 'withdrawn' | 'cancelled' | 'rejected' | 'expired' {
  if (code === 'rejected' || code === 'not_confirmed') return 'rejected';
  if (code === 'expired' || code === 'never_shown' || code === 'day_over') return 'expired';
  return code === 'cancelled' || code === 'resolved_by_staff' || code === 'fill_corrected'
    ? 'cancelled'
    : 'withdrawn';
}

/** Whether the order's target is applied again. A rejection is final, and so is a client's command. */
export function isRetried({ code }: EndReason): boolean {
  return RETRIED.includes(code);
}

const RETRIED: readonly EndReason['code'][] = [
  'position_changed',
  'position_corrected',
  'stop_filled_first',
  'day_over_unsent',
  'price_too_old',
  'cancelled',
  'expired',
  'never_shown',
  'day_over',
  'resolved_by_staff',
];

/** Whether both have the same code and parameters. */
export function isSameReason(one: OrderReason | null, other: OrderReason | null): boolean {
  return isSame(one, other);
}

function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  const [ours, theirs] = [Object.entries(one), new Map(Object.entries(other))];
  return (
    ours.length === theirs.size &&
    ours.every(([field, value]) => theirs.has(field) && isSame(value, theirs.get(field)))
  );
}
