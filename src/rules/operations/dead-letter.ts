// Background jobs that failed for good, as people read of them.

export const JOB_KINDS = [
  'alarm',
  'backtest',
  'mail',
  'news',
  'plan_renewal',
  'result_renewal',
  'webhook',
] as const;
export type JobKind = (typeof JOB_KINDS)[number];

export const JOB_LABELS: Readonly<Record<JobKind, string>> = {
  alarm: 'Alarm',
  backtest: 'Backtest',
  mail: 'E-mail',
  news: 'Push or Telegram',
  plan_renewal: 'Plan renewal',
  result_renewal: 'Published result',
  webhook: 'Webhook',
};

/**
 * worker_lost: each worker that began it died. took_too_long: it ran past its limit. failed: a fault in our code or its
 * surroundings. mail_refused: the mail server did not take it. payment_unanswered: the payment service did not answer.
 * alarm_not_taken: the operator's alarm system did not take it.
 */
export const JOB_FAILURES = [
  'worker_lost',
  'took_too_long',
  'failed',
  'mail_refused',
  'payment_unanswered',
  'alarm_not_taken',
] as const;
export type JobFailure = (typeof JOB_FAILURES)[number];
