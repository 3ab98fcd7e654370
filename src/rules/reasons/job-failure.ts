import type { JobFailure } from '../operations/dead-letter.ts';

const REASONS: Readonly<Record<JobFailure, string>> = {
  worker_lost: 'Every worker that ran it stopped before it finished.',
  took_too_long: 'It exceeded its time limit.',
  failed: 'It failed with an error.',
  mail_refused: 'The mail server rejected it.',
  alarm_not_taken: 'The alarm system of the operator did not take it.',
  payment_unanswered: 'The payment service did not respond.',
};

export function jobFailureReason(failure: JobFailure): string {
  return REASONS[failure];
}
