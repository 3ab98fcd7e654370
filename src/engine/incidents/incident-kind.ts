// The closed list of what can go wrong so that a person must know of it. One line adds a kind; the compiler then asks for
// its sentences (`rules/reasons/incident-reason.ts`), and a test for its entry in `docs/operators/runbook.md`.
import type { QuestionTopic } from '../execution/orders/question-topic.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#units/instant.ts';

/** What an incident is about; its subject is the id of one of these. */
export type IncidentSubject =
  | 'connection'
  | 'account'
  | 'order'
  | 'execution'
  | 'adjustment'
  | 'deployment'
  | 'strategy'
  | 'instrument'
  | 'invariant'
  | 'job'
  | 'payment'
  | 'process';

/** Worst first. act_now: it wakes an operator. today: before the next session. watch: it is expected to pass. */
export const INCIDENT_SEVERITIES = ['act_now', 'today', 'watch'] as const;
export type IncidentSeverity = (typeof INCIDENT_SEVERITIES)[number];

/** Whose action ends it; nobody: it passes, or it is not known yet who must act. */
export const INCIDENT_MOVES = ['staff', 'owner', 'broker', 'nobody'] as const;
export type IncidentMove = (typeof INCIDENT_MOVES)[number];

/**
 * cleared: the condition is over, by itself or by a decision. unseen: it has not happened again for a while. obsolete: its
 * subject is gone.
 */
export type IncidentEnd = 'cleared' | 'unseen' | 'obsolete';

/** Codes, ids, counts and quotes; never sentences of ours. */
export type IncidentFact = string | number | boolean | null;
export type IncidentFacts = Readonly<Record<string, IncidentFact>>;

export type IncidentRule = {
  readonly subject: IncidentSubject;
  readonly severity: IncidentSeverity;
  readonly move: IncidentMove;
  /** Once it has lasted this long it is `act_now`; null when its age changes nothing. */
  readonly escalatesAfterMs?: number;
  /** Of a problem that its writer only sees happen: when it counts, and when it is over. */
  readonly repeats?: RepeatRule;
};

export type RepeatRule = {
  /** It counts once it has happened this often, */
  readonly timesMin: number;
  /** over at least this long. */
  readonly lastsMs: number;
  /** It is over when it has not happened for this long. */
  readonly quietMs: number;
};

/** A broker or a feed may stumble for a moment. */
const LASTING: RepeatRule = { timesMin: 3, lastsMs: 30 * SECOND_MS, quietMs: 5 * MINUTE_MS };
/** A fault of ours, or of data that does not change by itself. */
const TWICE: RepeatRule = { timesMin: 2, lastsMs: 0, quietMs: 5 * MINUTE_MS };

const kind = <Facts extends IncidentFacts = Readonly<Record<string, never>>>(
  rule: IncidentRule,
): IncidentRule & { readonly facts?: Facts } => rule;

/** `said` quotes the broker, our adapter or the failing part. */
type Said = { readonly said: string };
/** `said` is one of the rows, as the broker sent it. */
type UnreadRowFacts = Said & { readonly rows: number; readonly list: string; readonly part: string };
/** `said` is the newest question, in the broker's words. */
type QuestionFacts = Said & { readonly topic: QuestionTopic; readonly instruments: number };
type Failing = { readonly task: string; readonly said: string };

export const INCIDENTS = {
  exit_waits_for_stop: kind<IncidentFacts>({ subject: 'order', severity: 'act_now', move: 'staff' }),
  exit_waits_for_order: kind<IncidentFacts>({ subject: 'order', severity: 'act_now', move: 'staff' }),
  position_unprotected: kind<IncidentFacts>({ subject: 'deployment', severity: 'today', move: 'staff' }),
  order_unconfirmed: kind<IncidentFacts>({
    subject: 'order',
    severity: 'today',
    move: 'nobody',
    escalatesAfterMs: HOUR_MS,
  }),
  order_failing: kind<Failing>({ subject: 'order', severity: 'today', move: 'staff', repeats: LASTING }),
  execution_held: kind<{ readonly code: string }>({
    subject: 'execution',
    severity: 'today',
    move: 'staff',
    escalatesAfterMs: HOUR_MS,
  }),
  adjustment_failing: kind<Failing>({
    subject: 'adjustment',
    severity: 'today',
    move: 'staff',
    repeats: TWICE,
  }),

  row_unread: kind<UnreadRowFacts>({ subject: 'account', severity: 'today', move: 'staff' }),
  instrument_unsure: kind<UnreadRowFacts>({ subject: 'account', severity: 'act_now', move: 'staff' }),
  question_declined: kind<QuestionFacts>({ subject: 'connection', severity: 'today', move: 'owner' }),

  account_restricted: kind<{ readonly restrictions: string }>({
    subject: 'account',
    severity: 'today',
    move: 'owner',
  }),
  cash_unexplained: kind<IncidentFacts>({ subject: 'account', severity: 'today', move: 'staff' }),
  position_unexplained: kind<IncidentFacts>({ subject: 'account', severity: 'today', move: 'staff' }),
  commission_missing: kind<IncidentFacts>({ subject: 'account', severity: 'watch', move: 'broker' }),

  connection_lost: kind<Said>({
    subject: 'connection',
    severity: 'watch',
    move: 'broker',
    escalatesAfterMs: 15 * MINUTE_MS,
  }),
  connection_degraded: kind<Said>({
    subject: 'connection',
    severity: 'watch',
    move: 'nobody',
    escalatesAfterMs: 15 * MINUTE_MS,
  }),
  connection_sign_in_due: kind<Said>({ subject: 'connection', severity: 'today', move: 'owner' }),
  connection_competing: kind<Said>({ subject: 'connection', severity: 'today', move: 'owner' }),
  connection_read_only: kind<Said>({ subject: 'connection', severity: 'today', move: 'owner' }),
  connection_failing: kind<Failing>({
    subject: 'connection',
    severity: 'act_now',
    move: 'staff',
    repeats: LASTING,
  }),
  penalty_box: kind<{ readonly until: string }>({
    subject: 'process',
    severity: 'watch',
    move: 'nobody',
    escalatesAfterMs: HOUR_MS,
  }),

  tick_failing: kind<Failing>({ subject: 'process', severity: 'act_now', move: 'staff', repeats: LASTING }),
  trader_silent: kind({ subject: 'process', severity: 'act_now', move: 'staff' }),
  deployment_failing: kind<Failing>({
    subject: 'deployment',
    severity: 'today',
    move: 'staff',
    repeats: LASTING,
  }),
  deployment_quarantined: kind<{ readonly task: string; readonly instrument: string | null }>({
    subject: 'deployment',
    severity: 'act_now',
    move: 'staff',
  }),
  strategy_failing: kind<Failing>({
    subject: 'strategy',
    severity: 'act_now',
    move: 'staff',
    repeats: LASTING,
  }),
  end_of_day_stuck: kind<Failing>({
    subject: 'process',
    severity: 'act_now',
    move: 'staff',
    repeats: LASTING,
  }),
  market_data_failing: kind<Failing>({
    subject: 'instrument',
    severity: 'today',
    move: 'staff',
    repeats: LASTING,
  }),
  price_refused: kind<Failing>({ subject: 'instrument', severity: 'today', move: 'staff', repeats: TWICE }),
  price_doubted: kind<Failing>({ subject: 'instrument', severity: 'today', move: 'staff', repeats: LASTING }),
  calendar_contradicted: kind<Failing>({
    subject: 'process',
    severity: 'today',
    move: 'staff',
    repeats: TWICE,
  }),
  books_differ: kind<{ readonly figures: number }>({
    subject: 'deployment',
    severity: 'act_now',
    move: 'staff',
  }),
  /** `until`: an instant as ISO text, the newest that the restored records know; null where they are empty. */
  database_restored: kind<{
    readonly code: 'timeline' | 'cluster' | 'stated';
    readonly until: string | null;
  }>({
    subject: 'process',
    severity: 'act_now',
    move: 'staff',
  }),
  invariant_broken: kind<{ readonly violations: number }>({
    subject: 'invariant',
    severity: 'act_now',
    move: 'staff',
  }),
  job_dead: kind<{ readonly job: string; readonly failure: string }>({
    subject: 'job',
    severity: 'today',
    move: 'staff',
  }),
  /** `until`: an instant as ISO text; null where the vendor says none. */
  payment_disputed: kind<{
    readonly because: string;
    readonly dollars: number;
    readonly until: string | null;
  }>({
    subject: 'payment',
    severity: 'today',
    move: 'staff',
  }),
  /** `purpose`: plan or fee; null where the payment is none of ours. */
  payment_taken_back: kind<{ readonly dollars: number; readonly purpose: string | null }>({
    subject: 'payment',
    severity: 'today',
    move: 'owner',
  }),
  liquidation_overdue: kind({ subject: 'deployment', severity: 'act_now', move: 'staff' }),
  /** `segment` is the name of a file of PostgreSQL's log. */
  archive_failing: kind<{ readonly segment: string }>({
    subject: 'process',
    severity: 'today',
    move: 'staff',
    escalatesAfterMs: HOUR_MS,
  }),
  audit_unanchored: kind<Failing>({ subject: 'process', severity: 'today', move: 'staff' }),
  audit_unsent: kind<Failing>({ subject: 'process', severity: 'today', move: 'staff' }),
  audit_rewritten: kind<Failing>({ subject: 'process', severity: 'act_now', move: 'staff' }),
};

export type IncidentKind = keyof typeof INCIDENTS;
/** One that its owner, or a visitor of the strategy, reads about; with the instrument that it is about. */
export type NotedIncident = { readonly kind: IncidentKind; readonly symbol: string | null };
export const INCIDENT_KINDS = Object.keys(INCIDENTS) as readonly IncidentKind[];

export type FactsOf<Kind extends IncidentKind> = NonNullable<(typeof INCIDENTS)[Kind]['facts']>;

/** Kinds that are noted each time they happen. */
export type RepeatedKind = {
  [Kind in IncidentKind]: FactsOf<Kind> extends Failing ? Kind : never;
}[IncidentKind];

export const REPEATED_KINDS = INCIDENT_KINDS.filter((one) => INCIDENTS[one].repeats !== undefined);

/**
 * Whether saying that the cause is over leads to another look at once. An order that fails waits for its next try, which may be
 * minutes away: its silence proves nothing sooner.
 */
export function canLookAgain(of: IncidentKind): boolean {
  return isOfChecks(of) || (of !== 'order_failing' && REPEATED_KINDS.includes(of));
}

/** Whether a check of the records opens and ends it. */
export function isOfChecks(of: IncidentKind): boolean {
  return of === 'invariant_broken' || of === 'books_differ';
}

export function incidentRule(of: IncidentKind): IncidentRule {
  return INCIDENTS[of];
}

/** The heading of a kind's entry in the runbook, as a fragment of its address. */
export function runbookAnchor(of: IncidentKind): string {
  return of.replaceAll('_', '-');
}
