// Jobs that failed for good: kept until a person retries or discards them.

/**
 * worker_lost: the worker died, and so did those that took over. took_too_long: it ran past its limit. failed: it threw.
 */
const DEAD_LETTER_CODES = ['worker_lost', 'took_too_long', 'failed'] as const;
export type DeadLetterCode = (typeof DEAD_LETTER_CODES)[number];
