import { ERROR_CODES, type ErrorCode, type Refusal } from '#contract/http/error-code.ts';

const REFUSED = Symbol('refused');

/** An expected failure; its code determines the status. */
export type Refused = Refusal & { readonly [REFUSED]: true; readonly retryAfterSeconds?: number };

type RefusalFacts = {
  readonly field?: string;
  readonly details?: Record<string, unknown>;
  readonly retryAfterSeconds?: number;
};

export function refuse(code: ErrorCode, message: string, facts: RefusalFacts = {}): Refused {
  return { [REFUSED]: true, code, message, ...facts };
}

export function isRefused(value: unknown): value is Refused {
  return typeof value === 'object' && value !== null && REFUSED in value;
}

/** A refusal ends a request as an error does: see answer-errors.ts. */
export function asError(refused: Refused | null): Error | undefined {
  return (refused ?? undefined) as unknown as Error | undefined;
}

/** The same answer for an absent resource and for another user's. */
export function notFound(): Refused {
  return refuse('not_found', 'Not found');
}

export function statusOf(code: ErrorCode): number {
  return ERROR_CODES[code].status;
}

/** The body that leaves, with nothing else in it. */
export function refusalBody(refused: Refusal): Refusal {
  const { code, message, field, details } = refused;
  return {
    code,
    message,
    ...(field === undefined ? {} : { field }),
    ...(details === undefined ? {} : { details }),
  };
}
