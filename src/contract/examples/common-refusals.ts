import type { ErrorCode, Refusal } from '../http/error-code.ts';

/** Refusals that all calls of one kind share. */
export const COMMON_REFUSALS: Partial<Readonly<Record<ErrorCode, Refusal>>> = {
  malformed_request: { code: 'malformed_request', message: 'The body is not valid JSON.' },
  invalid_field: {
    code: 'invalid_field',
    message: 'Must be at most 100 characters',
    field: 'id',
  },
  invalid_token: {
    code: 'invalid_token',
    message: 'This link was used or has expired. Start the download again.',
  },
  unauthenticated: { code: 'unauthenticated', message: 'Please sign in.' },
  confirmation_required: {
    code: 'confirmation_required',
    message: 'Please confirm that it is you.',
    details: { by: 'password' },
  },
  second_factor_required: {
    code: 'second_factor_required',
    message: 'Staff sign in with a second factor. Set it up under Account, Security.',
  },
  not_found: { code: 'not_found', message: 'Not found' },
  payload_too_large: { code: 'payload_too_large', message: 'The request is too large.' },
  unsupported_media_type: {
    code: 'unsupported_media_type',
    message: 'Send the body as application/json.',
  },
  too_many_requests: {
    code: 'too_many_requests',
    message: 'Too many requests. Please wait a moment and try again.',
  },
  internal_error: {
    code: 'internal_error',
    message: 'Something went wrong on our side. Please try again.',
  },
  unavailable: {
    code: 'unavailable',
    message: 'The service is unavailable right now. Please try again shortly.',
  },
};
