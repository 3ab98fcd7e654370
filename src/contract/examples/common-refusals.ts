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
  key_refused: {
    code: 'key_refused',
    message: 'No API key may make this call. Sign in and do it yourself.',
  },
  key_limit: {
    code: 'key_limit',
    message: 'This API key has made its 20 acts of today (UTC). It may act again tomorrow.',
  },
  approval_required: {
    code: 'approval_required',
    message:
      'This waits for the owner of the API key, who has 24 hours to accept or decline it. Nothing happened yet.',
    details: { act: '5b0f6f2e-7c1d-4e9a-8a34-000000000001', expires_at: '2026-01-06T15:00:00.000Z' },
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
