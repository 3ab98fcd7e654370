// Jobs that failed for good: kept until a person retries or discards them.

/**
 * worker_lost: the worker died, and so did those that took over. took_too_long: it ran past its limit. failed: it threw.
 * mail_refused: the mail server would not take it. payment_unanswered: the payment service gave no answer.
 */
const DEAD_LETTER_CODES = [
  'worker_lost',
  'took_too_long',
  'failed',
  'mail_refused',
  'payment_unanswered',
] as const;
export type DeadLetterCode = (typeof DEAD_LETTER_CODES)[number];
