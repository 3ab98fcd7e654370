import type { ErrorCode, Refusal } from '#contract/http/error-code.ts';

/** Why no answer came: there is no way to the service, or it was waited for in vain. */
type NoAnswer = 'unreachable' | 'late';

/** A call that did not succeed: refused by the service, or never answered. */
export class CallError extends Error {
  override name = 'CallError';
  /** 0 when no answer came. */
  readonly status: number;
  readonly code: ErrorCode | NoAnswer;
  readonly field: string | undefined;
  readonly details: Record<string, unknown> | undefined;

  constructor(status: number, refusal: Omit<Refusal, 'code'> & { code: ErrorCode | NoAnswer }) {
    super(refusal.message);
    this.status = status;
    this.code = refusal.code;
    this.field = refusal.field;
    this.details = refusal.details;
  }
}

/** The sentence to show for something caught: the service's own words, else `fallback`. */
export function sentenceOf(error: unknown, fallback: string): string {
  return error instanceof CallError && error.message !== '' ? error.message : fallback;
}
