// Every code that a person may meet, as a plain sentence with its parameters; the compiler asks for an example of each.
import { describe, expect, it } from 'vitest';
import { BROKER_FAILURE_CODES } from '#engine/execution/connection/broker-failure.ts';
import { BROKER_REFUSALS } from '#engine/execution/orders/broker-refusal.ts';
import type { OrderReason } from '#engine/execution/orders/order-reason.ts';
import { QUESTION_TOPICS } from '#engine/execution/orders/question-topic.ts';
import type { ExecutionHold } from '#engine/execution/reconciliation/execution-hold.ts';
import type { VoidReason } from '#engine/adjustments/decide-adjustment.ts';
import type { EvidenceReason } from '#engine/evidence/evidence-grade.ts';
import { type FactsOf, INCIDENT_KINDS, type IncidentKind } from '#engine/incidents/incident-kind.ts';
import type { CommandRefusal } from '#engine/lifecycle/apply-command.ts';
import type { StatusReason } from '#engine/lifecycle/status-reason.ts';
import type { BarFault } from '#engine/market-data/validate-bar.ts';
import type { QuoteFault } from '#engine/market-data/validate-quote.ts';
import { type Refusal, REFUSAL_CODES } from '#engine/order/order.ts';
import { expectPlain } from '#tests/support/expect-plain.ts';
import type { ExecutionId, Symbol } from '#units/identifiers.ts';
import { type Instant, instant, type IsoDate, parseInstant, utcDate } from '#units/instant.ts';
import { toQuantity } from '#units/quantity.ts';
import { commandReason } from './command-reason.ts';
import { connectionReason, type ConnectionReason } from './connection-reason.ts';
import { evidenceReason } from './evidence-reason.ts';
import { executionHold } from './execution-hold.ts';
import { incidentNote } from './incident-note.ts';
import { incidentText } from './incident-reason.ts';
import { STANDING_RESTRICTIONS } from '#engine/execution/connection/account-terms.ts';
import { standingRestrictionText } from './account-restriction.ts';
import { barFaultText, quoteFaultText } from './market-data-fault.ts';
import { longDate } from '../long-date.ts';
import { orderReason, orderReasonClause } from './order-reason.ts';
import { refusalReason } from './refusal-reason.ts';
import { statusReason } from './status-reason.ts';
import { voidReasonText } from './void-reason.ts';

type Of<Union extends { readonly code: string }> = {
  readonly [Code in Union['code']]: readonly Having<Union, Code>[];
};
type Having<One, Code> = One extends { readonly code: infer Codes }
  ? Code extends Codes
    ? One
    : never
  : never;

const SAID = 'Kein Handel heute';
const traded = { side: 'sell', symbol: 'BBB' as Symbol } as const;
const atBroker = [{ ...traded, quantity: toQuantity(17) }] as const;
const ORDERS: Of<OrderReason> = {
  position_order_first: [{ code: 'position_order_first' }],
  stop_not_cancelled: [{ code: 'stop_not_cancelled' }],
  stop_not_confirmed: [{ code: 'stop_not_confirmed' }],
  opposite_order: [{ code: 'opposite_order' }],
  exit_first: [{ code: 'exit_first' }],
  call_first: [{ code: 'call_first' }],
  quantity_not_available: [
    { code: 'quantity_not_available', external: null },
    {
      code: 'quantity_not_available',
      external: { symbol: 'BBB', units: toQuantity(-17), at: parseInstant('2026-03-04T15:00:00Z') },
    },
    { code: 'quantity_not_available', external: { symbol: 'BBB', units: toQuantity(17), at: null } },
  ],
  instrument_unsure: [{ code: 'instrument_unsure' }],
  order_lost: [{ code: 'order_lost' }],
  not_sent: BROKER_FAILURE_CODES.map((failure) => ({ code: 'not_sent', failure, said: '' })),
  checks_expired: [{ code: 'checks_expired' }],
  no_current_price: [{ code: 'no_current_price' }],
  price_doubted: [{ code: 'price_doubted' }],
  trading_halted: [{ code: 'trading_halted' }],
  account_restricted: [
    ...STANDING_RESTRICTIONS.map((code) => ({ code: 'account_restricted', restriction: { code } }) as const),
    ...(['day_trading_power', 'no_shorting', 'no_coins'] as const).map(
      (code) => ({ code: 'account_restricted', restriction: { code } }) as const,
    ),
    ...[0, 1].map(
      (level) =>
        ({ code: 'account_restricted', restriction: { code: 'options_level', level, needed: 2 } }) as const,
    ),
  ],
  cancel_requested: [
    { code: 'cancel_requested', parked: null },
    { code: 'cancel_requested', parked: SAID },
  ],
  cancel_not_confirmed: [{ code: 'cancel_not_confirmed', parked: null }],
  parked: [{ code: 'parked', said: SAID }],
  fill_begun: [{ code: 'fill_begun' }],
  no_answer: [{ code: 'no_answer' }],
  executions_missing: [{ code: 'executions_missing', reported: 'cancelled' }],
  not_listed: [{ code: 'not_listed' }],
  paused: [{ code: 'paused' }],
  paused_or_ended: [{ code: 'paused_or_ended' }],
  deployment_stopped: [{ code: 'deployment_stopped' }],
  frozen: [{ code: 'frozen' }],
  below_record: [{ code: 'below_record' }],
  agreement_not_signed: [{ code: 'agreement_not_signed' }],
  not_suitable: [{ code: 'not_suitable' }],
  fee_unpaid: [{ code: 'fee_unpaid' }],
  nothing_to_close: [{ code: 'nothing_to_close' }],
  position_changed: [{ code: 'position_changed' }],
  position_corrected: [{ code: 'position_corrected' }],
  stop_filled_first: [{ code: 'stop_filled_first' }],
  target_superseded: [{ code: 'target_superseded' }],
  instrument_removed: [{ code: 'instrument_removed' }],
  day_over_unsent: [{ code: 'day_over_unsent' }],
  price_too_old: [{ code: 'price_too_old' }],
  resized: [{ code: 'resized', available: toQuantity(17) }],
  cancelled: [{ code: 'cancelled', said: SAID }],
  rejected: [
    { code: 'rejected', said: SAID },
    ...BROKER_REFUSALS.map((refusal) => ({ code: 'rejected', said: '', refusal }) as const),
  ],
  expired: [
    { code: 'expired', said: SAID },
    { code: 'expired', said: '' },
  ],
  not_confirmed: QUESTION_TOPICS.flatMap((topic) =>
    ['', `${SAID}?`].map((question) => ({ code: 'not_confirmed' as const, topic, question })),
  ),
  never_shown: [{ code: 'never_shown' }],
  day_over: [{ code: 'day_over' }],
  resolved_by_staff: [
    { code: 'resolved_by_staff', arrived: true, because: SAID },
    { code: 'resolved_by_staff', arrived: false, because: SAID },
  ],
  fill_corrected: [{ code: 'fill_corrected' }],
};

const STATUSES: Of<StatusReason> = {
  broker_not_connected: [{ code: 'broker_not_connected' }],
  agreement_not_signed: [{ code: 'agreement_not_signed' }],
  fee_unpaid: [{ code: 'fee_unpaid' }],
  risk_profile_missing: [{ code: 'risk_profile_missing' }],
  cash_not_reported: [{ code: 'cash_not_reported' }],
  cash_not_enough: [{ code: 'cash_not_enough' }],
  awaits_capacity: [{ code: 'awaits_capacity' }],
  not_suitable: [{ code: 'not_suitable', strategyScore: 4, clientScore: 2 }],
  paused: [
    { code: 'paused', keepsStops: true, atBroker },
    { code: 'paused', keepsStops: false, atBroker: [] },
  ],
  closing: [{ code: 'closing', atBroker }],
  drawdown_limit: [{ code: 'drawdown_limit', limitPercent: 17 }],
  quarantined: (['active', 'stopping'] as const).map((from) => ({
    code: 'quarantined',
    failing: { task: 'billing', symbol: traded.symbol },
    from,
  })),
};

const COMMANDS: Of<CommandRefusal> = {
  already_trading: [{ code: 'already_trading' }],
  already_paused: [{ code: 'already_paused' }],
  liquidation_approved: [{ code: 'liquidation_approved' }],
  has_begun: [{ code: 'has_begun' }],
  not_in_this_state: [
    { code: 'not_in_this_state', status: 'frozen' },
    { code: 'not_in_this_state', status: 'pending' },
  ],
};

const CONNECTIONS: Of<ConnectionReason> = {
  sign_in_failed: [{ code: 'sign_in_failed', said: 'The broker refused the connection.' }],
  permission_rejected: [{ code: 'permission_rejected' }],
  removed_by_owner: [{ code: 'removed_by_owner' }],
};

const EVIDENCE: Of<EvidenceReason> = {
  too_few_returns: [{ code: 'too_few_returns', least: 17 }],
  no_skill_since_commit: [{ code: 'no_skill_since_commit', probability: 0.17 }],
  no_skill_alone: [{ code: 'no_skill_alone', probability: 0.17 }],
  no_skill_beyond_benchmark: [{ code: 'no_skill_beyond_benchmark', probability: 0.17 }],
  no_gain: [{ code: 'no_gain' }],
  may_be_luck: [{ code: 'may_be_luck', tries: 23, probability: 0.17 }],
  not_luck: [{ code: 'not_luck', tries: 23, probability: 0.97 }],
  overfitted: [{ code: 'overfitted', probability: 0.17 }],
  neighbours_not_tried: [{ code: 'neighbours_not_tried' }],
};

const HOLDS: Of<ExecutionHold> = {
  order_unconfirmed: [{ code: 'order_unconfirmed' }],
  order_lost: [{ code: 'order_lost' }],
  revises_booked: [
    { code: 'revises_booked', booked: '0001.02' as ExecutionId, takesBack: true },
    { code: 'revises_booked', booked: '0001.02' as ExecutionId, takesBack: false },
  ],
  instrument_unknown: [{ code: 'instrument_unknown', symbol: 'BBB' }],
  order_differs: [{ code: 'order_differs', execution: traded, order: { side: 'buy', symbol: 'AAA' } }],
  overfill: [{ code: 'overfill' }],
  price_not_positive: [{ code: 'price_not_positive', price: -1.25 }],
};

const VOIDS: Of<VoidReason> = {
  changed: [{ code: 'changed' }],
  deployment_ended: [{ code: 'deployment_ended' }],
  short_not_allowed: [{ code: 'short_not_allowed' }],
  execution_not_booked: [{ code: 'execution_not_booked', execution: '0001.02' as ExecutionId }],
  not_in_catalogue: [{ code: 'not_in_catalogue', symbol: 'BBB' }],
  not_held: [{ code: 'not_held', symbol: traded.symbol, units: toQuantity(17) }],
};

const BARS: Of<BarFault> = {
  number_missing: [{ code: 'number_missing' }],
  not_bracketed: [{ code: 'not_bracketed' }],
  closes_before_open: [{ code: 'closes_before_open' }],
  not_closed: [{ code: 'not_closed' }],
  not_after_last: [{ code: 'not_after_last' }],
  low_not_positive: [{ code: 'low_not_positive', low: -17 }],
  volume_negative: [{ code: 'volume_negative', volume: -17 }],
  no_trading_day: [{ code: 'no_trading_day', date: '2026-03-07' as IsoDate }],
  outside_price_band: [
    { code: 'outside_price_band', before: 11, open: 13, high: 19, low: 12, close: 17 },
    { code: 'outside_price_band', before: null, open: 13, high: 19, low: 12, close: 17 },
  ],
};

const QUOTES: Of<QuoteFault> = {
  not_a_price: [
    { code: 'not_a_price', of: 'last', price: -17 },
    { code: 'not_a_price', of: 'bid', price: -17 },
  ],
  crossed: [{ code: 'crossed', bid: 17, ask: 13 }],
  too_old: [{ code: 'too_old', at: instant(0) }],
  exchange_closed: [{ code: 'exchange_closed', at: instant(0) }],
  halted: [
    { code: 'halted', since: instant(0), said: 'News Pending' },
    { code: 'halted', since: instant(0), said: '' },
  ],
  outside_price_band: [{ code: 'outside_price_band', last: 170, before: 13 }],
};

const failing = { task: 'sending', said: SAID };
const row = { rows: 2, list: 'orders', part: 'side', said: '{"side":"X"}' };
const INCIDENTS: { readonly [Kind in IncidentKind]: readonly FactsOf<Kind>[] } = {
  exit_waits_for_stop: [{}],
  exit_waits_for_order: [{}],
  position_unprotected: [{}],
  order_unconfirmed: [{}],
  order_failing: ['sending', 'cancelling', 'reconciling'].map((task) => ({ task, said: SAID })),
  execution_held: [{ code: 'overfill' }],
  adjustment_failing: [failing],
  row_unread: [row],
  instrument_unsure: [row],
  question_declined: QUESTION_TOPICS.flatMap((topic) =>
    [1, 17].map((instruments) => ({ topic, said: SAID, instruments })),
  ),
  account_restricted: STANDING_RESTRICTIONS.map((restrictions) => ({ restrictions })),
  cash_unexplained: [{}],
  position_unexplained: [{}],
  commission_missing: [{}],
  connection_lost: [{ said: SAID }],
  connection_degraded: [{ said: SAID }],
  connection_sign_in_due: [{ said: SAID }],
  connection_competing: [{ said: SAID }],
  connection_read_only: [{ said: SAID }],
  connection_failing: [failing],
  penalty_box: [{ until: '2026-03-05T14:31:00.000Z' }],
  tick_failing: [{ task: 'tick', said: SAID }, failing],
  database_restored: [
    { code: 'timeline', until: '2026-03-05T14:31:00.000Z' },
    { code: 'cluster', until: '2026-03-05T14:31:00.000Z' },
    { code: 'stated', until: null },
  ],
  trader_silent: [{}],
  deployment_failing: ['billing', 'quarantine'].map((task) => ({ task, said: SAID })),
  deployment_quarantined: [{ task: 'end-of-day', instrument: 'BBB' }],
  strategy_failing: [failing],
  end_of_day_stuck: [failing],
  market_data_failing: [failing],
  price_refused: [failing],
  price_doubted: [failing],
  calendar_contradicted: [failing],
  books_differ: [{ figures: 1 }, { figures: 3 }],
  invariant_broken: [{ violations: 1 }, { violations: 17 }],
  job_dead: [{ job: 'mails', failure: 'mail_refused' }],
  payment_disputed: [null, '2026-12-03T12:00'].map((until) => ({ because: SAID, dollars: 79, until })),
  payment_taken_back: ['fee', 'plan', null].map((purpose) => ({ dollars: 79, purpose })),
  liquidation_overdue: [{}],
  archive_failing: [{ segment: '000000010000000000000003' }],
  audit_unanchored: [failing],
  audit_unsent: [failing],
  audit_rewritten: [failing],
};

/** What a parameter looks like in a sentence: a date, a quantity in units, a share in percent, a text as it is. */
function looksOf(field: string, value: string | number): readonly string[] {
  if (field === 'at' && typeof value === 'number')
    return [new Date(value).toISOString(), longDate(utcDate(value as Instant))];
  if (field === 'until') return [String(value).slice(11, 16)];
  if (field === 'restrictions') return [standingRestrictionText(String(value))];
  if (typeof value === 'string') return [value.replace(/\.$/, '')];
  return [String(value), String(Math.abs(value) / 1e8), `${Math.round(value * 100)}%`];
}

function expectUsed(text: string, parameters: object, unsaid: readonly string[]): void {
  for (const [field, value] of Object.entries(parameters)) {
    if (field === 'code' || unsaid.includes(field)) continue;
    if (typeof value === 'object' && value !== null) expectUsed(text, value, unsaid);
    if (typeof value !== 'string' && typeof value !== 'number') continue;
    const isShown = looksOf(field, value).some((look) => look !== '' && text.includes(look));
    expect(isShown || value === '', `${field} in: ${text}`).toBe(true);
  }
}

type Family<Reason extends { readonly code: string }> = {
  readonly examples: Of<Reason>;
  readonly textOf: (reason: Reason) => string;
  /** Parameters that choose the sentence and are not quoted in it. */
  readonly unsaid?: readonly string[];
};

function walks<Reason extends { readonly code: string }>(
  name: string,
  { examples, textOf, unsaid = [] }: Family<Reason>,
): void {
  describe(name, () => {
    const all = Object.values(examples as Readonly<Record<string, readonly Reason[]>>).flat();
    it.each(all.map((reason) => [JSON.stringify(reason), reason] as const))('%s', (_, reason) => {
      const text = textOf(reason);
      expectPlain(text);
      expectUsed(text, reason, unsaid);
    });
  });
}

/** A sentence out of the end of one. */
const ending = (clause: string) => `So it is: ${clause}.`;

walks('the reason of an order', {
  examples: ORDERS,
  textOf: orderReason,
  unsaid: ['failure', 'topic', 'refusal'],
});
walks('the reason of an order within a sentence', {
  examples: ORDERS,
  textOf: (reason: OrderReason) => ending(orderReasonClause(reason)),
  unsaid: ['failure', 'topic', 'refusal'],
});
walks('the status of a deployment', { examples: STATUSES, textOf: statusReason, unsaid: ['from'] });
walks('a command that is refused', { examples: COMMANDS, textOf: commandReason, unsaid: ['status'] });
walks('a connection that ended', { examples: CONNECTIONS, textOf: connectionReason });
walks('the grade of the evidence', { examples: EVIDENCE, textOf: evidenceReason });
walks('an execution that is held', {
  examples: HOLDS,
  textOf: (one: ExecutionHold) => ending(executionHold(one)),
});
walks('an adjustment that is void', {
  examples: VOIDS,
  textOf: (one: VoidReason) => ending(voidReasonText(one)),
});
walks('a bar that is refused', { examples: BARS, textOf: (one: BarFault) => ending(barFaultText(one)) });
walks('a quote that is refused', {
  examples: QUOTES,
  textOf: (one: QuoteFault) => ending(quoteFaultText(one)),
  unsaid: ['of'],
});

describe('an order that was not made', () => {
  it.each(REFUSAL_CODES)('%s', (code) => {
    const event = { event: 'merger', date: '2026-08-15', until: '2026-09-15' };
    const parameters = {
      limitPercent: 17,
      askedPercent: 23,
      least: 0.001,
      underlying: traded.symbol,
      ...event,
    };
    expectPlain(refusalReason({ ...parameters, code } as Refusal));
  });
});

describe('an incident', () => {
  it.each(INCIDENT_KINDS)('%s', (kind) => {
    for (const facts of INCIDENTS[kind]) {
      const { title, what, next } = incidentText({ kind, facts });
      expect(title).toMatch(/^[A-Z][^.<>_]+$/);
      for (const text of [what, next]) expectPlain(text);
      const unsaid = ['said', 'task', 'topic', 'failure', 'instrument', 'rows', 'list', 'part', 'code'];
      expectUsed(`${what} ${next}`, facts, unsaid);
    }
    const note = incidentNote([{ kind, symbol: 'SPY' }]);
    if (note !== null) expectPlain(note);
  });
});
