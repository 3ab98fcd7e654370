// Why an order waits, what is special about it, or why it has ended, as its owner and our support read it.
import type { BrokerFailureCode } from '#engine/execution/connection/broker-failure.ts';
import { accountRestrictionText } from './account-restriction.ts';
import { QUESTIONS } from './broker-question.ts';
import { BROKER_REFUSAL_TEXTS } from './broker-refusal.ts';
import { longDate } from '../long-date.ts';
import type { ExternalTrade, OrderReason } from '#engine/execution/orders/order-reason.ts';
import { utcDate } from '#units/instant.ts';
import { quantity, quantityText } from '#units/quantity.ts';

type Code = OrderReason['code'];
type Sentence<C extends Code> = (reason: Extract<OrderReason, { code: C }>) => string;

const SENTENCES: { readonly [C in Code]: string | Sentence<C> } = {
  position_order_first: 'On hold: another order of this position goes first.',
  stop_not_cancelled:
    'On hold until your broker confirms that the protective stop of this position is cancelled.',
  stop_not_confirmed:
    'On hold: your broker does not confirm that the protective stop of this position is cancelled. Our support checks it there. This order goes out as soon as the stop is known to be gone.',
  opposite_order: 'On hold: the account has an opposite order in progress.',
  exit_first: 'On hold: an exit in the same account goes first.',
  call_first: 'On hold: a call that these shares cover is bought back first.',
  quantity_not_available: ({ external }) =>
    `On hold: the broker does not show the units that it would close. ${external === null ? NO_TRADE_KNOWN : externalTrade(external)}`,
  instrument_unsure:
    'On hold: part of what your broker reports about this instrument cannot be read. Our support looks at it; other instruments trade on.',
  order_lost:
    'On hold: after a restore of our records, your broker shows a fill in this instrument that they do not have. Our support books it; other instruments trade on.',
  not_sent: ({ failure, said }) => NOT_SENT[failure](said),
  checks_expired: 'It was on hold too long and was not sent.',
  no_current_price: 'On hold: its price is too old, and there is no newer one.',
  price_doubted: 'On hold: two sources of prices do not agree about this instrument.',
  trading_halted: 'On hold: trading in this instrument is halted.',
  account_restricted: ({ restriction }) => `On hold: ${accountRestrictionText(restriction)}`,

  cancel_requested: ({ parked: said }) => (said === null ? 'Cancellation requested.' : parked(said)),
  cancel_not_confirmed:
    'Its cancellation was requested, and the broker does not confirm it. Our support must check it.',
  parked: ({ said }) => parked(said),
  fill_begun: 'Your broker has started to fill it.',

  no_answer:
    'It was sent, but the broker’s answer is missing or unclear. We look for it at the broker and never resend it.',
  executions_missing: ({ reported }) =>
    `The broker reports it as ${reported}, but does not show all of its fills. Our support must check it.`,
  not_listed: 'The broker no longer shows it or its outcome. Our support must check it.',

  paused: 'Trading was paused before it was sent.',
  paused_or_ended: 'Trading was paused or ended before it was sent.',
  deployment_stopped: 'The deployment was stopped before it was sent.',
  frozen: 'Trading was frozen before it was sent.',
  below_record:
    'Before it was sent, its returns proved worse than its published record, and you chose to open nothing new then.',
  agreement_not_signed: 'The newest investment agreement is not signed, so nothing new is opened.',
  not_suitable: 'The strategy is riskier than your risk profile now allows.',
  fee_unpaid: 'A performance fee is unpaid, so nothing new is opened.',
  nothing_to_close: 'There is nothing left to close.',
  position_changed: 'The position has changed since.',
  position_corrected: 'The position was adjusted.',
  stop_filled_first: 'The protective stop of this position filled first.',
  target_superseded: 'A newer target replaced it before it was sent.',
  instrument_removed: 'The instrument is no longer in the catalogue.',
  day_over_unsent: 'It could not be sent on its trading day.',
  price_too_old: 'Its price became too old before it was sent.',
  resized: ({ available }) => {
    const shown = quantityText(available);
    return `Your broker shows only ${shown} of the units that it would close. An order for ${shown} replaces it.`;
  },
  cancelled: ({ said }) => quoting('It was cancelled', said),
  rejected: ({ said, refusal }) => {
    if (refusal === undefined) return quoting('The broker rejected it', said);
    const [why, choice] = BROKER_REFUSAL_TEXTS[refusal];
    return `${quoting('The broker rejected it', why)} ${choice}`;
  },
  expired: ({ said }) => quoting('It expired', said),
  not_confirmed: ({ topic, question }) => {
    const { about, choice } = QUESTIONS[topic];
    return `Your broker asks ${about}${question === '' ? '' : `: “${question}”`}. ${choice}`;
  },
  never_shown:
    'Its trading day is over, and two full checks found no order, fill or position for it at the broker.',
  day_over: 'Its trading day is over, and two full checks found nothing more of it at the broker.',
  resolved_by_staff: ({ arrived, because }) =>
    `Our support confirmed that ${arrived ? 'the broker has nothing more of it' : 'it never reached the broker'}: ${because}.`,
  fill_corrected: 'The broker changed or cancelled part of its fill.',
};

const NOT_SENT: { readonly [C in BrokerFailureCode]: (said: string) => string } = {
  unreachable: () => 'On hold: your broker does not respond.',
  unauthorized: () => 'On hold: your broker no longer accepts our permission. Sign in there again.',
  no_session: () => 'On hold: your broker has no open trading session for us.',
  rate_limited: () => 'On hold: too many requests at once. It goes out in a moment.',
  refused: (said) => quoting('On hold: your broker does not take orders for this account', said),
  unreadable: () => 'On hold: your broker’s answer could not be read.',
};

/** A whole sentence, or two. */
export function orderReason<C extends Code>(reason: Extract<OrderReason, { code: C }>): string {
  const sentence: string | Sentence<C> = SENTENCES[reason.code as C];
  return typeof sentence === 'string' ? sentence : sentence(reason);
}

/** The same as the end of another sentence, without a full stop. */
export function orderReasonClause(reason: OrderReason): string {
  return orderReason(reason)
    .replace(/[.\s]+$/, '')
    .replace(/^./, (first) => first.toLowerCase());
}

const NO_TRADE_KNOWN =
  'If you traded the units manually, reverse that trade and this order continues. Our support sees anything that no trade explains.';

function externalTrade({ symbol, units, at }: ExternalTrade): string {
  const [done, undo, named] = units < 0 ? ['sold', 'Buy', 'sale'] : ['bought', 'Sell', 'purchase'];
  const last = at === null ? '' : `, most recently on ${longDate(utcDate(at))}`;
  const traded = `You ${done} ${quantityText(quantity(Math.abs(units)))} ${symbol} manually${last}`;
  return `${traded}. ${undo} them back at your broker and this order continues, or our support books that ${named} here.`;
}

function parked(said: string): string {
  return quoting('The broker is holding it', said);
}

function quoting(what: string, said: string): string {
  return said === '' ? `${what}.` : `${what}: ${said.replace(/\.$/, '')}.`;
}
