// Why an order waits, what is special about it, or why it has ended, as its owner and our support read it.
import type { ExternalTrade, OrderReason } from '#engine/execution/order-reason.ts';
import { utcDate } from '#units/instant.ts';
import { quantity, quantityText } from '#units/quantity.ts';

type Code = OrderReason['code'];
type Sentence<C extends Code> = (reason: Extract<OrderReason, { code: C }>) => string;

const SENTENCES: { readonly [C in Code]: string | Sentence<C> } = {
  position_order_first: 'It waits: another order of its position comes first.',
  stop_not_cancelled:
    'It waits until your broker confirms that the protective stop of its position is cancelled.',
  opposite_order: 'It waits: an opposite order of the same account is under way.',
  exit_first: 'It waits: an exit of the same account comes first.',
  quantity_not_available: ({ external }) =>
    `It waits: the broker does not show what it would close. ${external === null ? NO_TRADE_KNOWN : externalTrade(external)}`,
  not_sent: ({ said }) => said,
  checks_expired: 'It waited too long to leave.',

  cancel_requested: ({ parked: said }) => (said === null ? 'Its cancellation was asked for.' : parked(said)),
  parked: ({ said }) => parked(said),
  fill_begun: 'Your broker has begun to fill it.',

  no_answer:
    'It was sent, and no trustworthy answer came. It is looked for at the broker and never sent again.',
  answer_unclear: ({ said }) => said,
  executions_missing: ({ reported }) =>
    `The broker reports it ${reported}, but does not show all executions of it. A person must look.`,
  not_listed: 'The broker no longer shows it, nor what became of it. A person must look.',

  paused: 'Trading was paused before it was sent.',
  paused_or_ended: 'Trading was paused or ended before it was sent.',
  deployment_stopped: 'The deployment was stopped before it was sent.',
  frozen: 'Trading was frozen before it was sent.',
  agreement_not_signed: 'The investment agreement is not signed any more.',
  not_suitable: 'The strategy is riskier than the risk profile now allows.',
  nothing_to_close: 'There is nothing left to close.',
  position_changed: 'Its position has changed since.',
  position_corrected: 'Its position was corrected.',
  stop_filled_first: 'The protective stop of its position filled first.',
  target_superseded: 'A newer target took its place before it was sent.',
  instrument_removed: 'Its instrument is not in the catalogue any more.',
  day_over_unsent: 'It could not be sent within its day.',
  resized: ({ available }) => {
    const shown = quantityText(available);
    return `Your broker shows only ${shown} of what it would close: an order of ${shown} takes its place.`;
  },
  cancelled: ({ said }) => quoting('It was cancelled', said),
  rejected: ({ said }) => quoting('The broker refused it', said),
  expired: ({ said }) => quoting('It expired unfilled', said),
  never_shown:
    'Its day is over, and the broker showed neither the order, an execution nor a position of it in two full comparisons.',
  resolved_by_staff: ({ arrived, because }) =>
    `Our staff settled that ${arrived ? 'nothing more of it is at the broker' : 'it never reached the broker'}: ${because}.`,
  fill_corrected: 'The broker changed or took back a part of what had filled it.',
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
  'If you sold that by hand, buy it back there and this goes on; what no trade explains, our support sees.';

function externalTrade({ symbol, units, at }: ExternalTrade): string {
  const [done, undo, named] = units < 0 ? ['sold', 'Buy', 'sale'] : ['bought', 'Sell', 'purchase'];
  const last = at === null ? '' : `, last on ${utcDate(at)}`;
  const traded = `${quantityText(quantity(Math.abs(units)))} ${symbol} were ${done} in your account by hand${last}`;
  return `${traded}. ${undo} them back there and this goes on, or our support books that ${named} here.`;
}

function parked(said: string): string {
  return `The broker has parked it: ${said}`;
}

function quoting(what: string, said: string): string {
  return said === '' ? `${what}.` : `${what}: ${said.replace(/\.$/, '')}.`;
}
