import type { ErrorCode, Refusal } from '#contract/error-code.ts';

/** A call that did not succeed: refused by the service, or never answered ('unreachable'). */
export class CallError extends Error {
  override name = 'CallError';
  /** 0 when no answer came. */
  readonly status: number;
  readonly code: ErrorCode | 'unreachable';
  readonly field: string | undefined;
  readonly details: Record<string, unknown> | undefined;

  constructor(status: number, refusal: Omit<Refusal, 'code'> & { code: ErrorCode | 'unreachable' }) {
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
