import { JOB_LABELS } from './dead-letter.ts';

/** What the jobs of a queue are about, as people read of them. */
export const QUEUE_TITLES = {
  'due-work': 'Work due by the clock',
  alarms: JOB_LABELS.alarm,
  backtests: JOB_LABELS.backtest,
  mails: JOB_LABELS.mail,
  news: JOB_LABELS.news,
  'plan-renewals': JOB_LABELS.plan_renewal,
  'result-renewals': JOB_LABELS.result_renewal,
  webhooks: JOB_LABELS.webhook,
} as const;
