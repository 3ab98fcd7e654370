import type { JobFailure } from '../operations/dead-letter.ts';

const REASONS: Readonly<Record<JobFailure, string>> = {
  worker_lost: 'Each worker that ran it stopped before it was done.',
  took_too_long: 'It ran past its time limit.',
  failed: 'It failed with an error.',
  mail_refused: 'The mail server refused it.',
  payment_unanswered: 'The payment service did not answer.',
};

export function jobFailureReason(failure: JobFailure): string {
  return REASONS[failure];
}
