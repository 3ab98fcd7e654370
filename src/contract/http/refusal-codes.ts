import type { Endpoint } from './endpoint.ts';
import { ERROR_CODES, type ErrorCode } from './error-code.ts';

/** Every code that a call can refuse with: its own, and those of its kind of call. */
export function refusalCodes(endpoint: Endpoint): readonly ErrorCode[] {
  const codes = new Set<ErrorCode>(endpoint.refusals.flatMap(codesOf));
  codes.add('too_many_requests');
  if (endpoint.params || endpoint.query || endpoint.body || endpoint.idempotent) codes.add('invalid_field');
  if (endpoint.params) codes.add('malformed_request');
  if (endpoint.security !== 'open') codes.add('unauthenticated');
  if (endpoint.opensByLink) codes.add('invalid_token');
  if (endpoint.confirms) codes.add('confirmation_required');
  if (endpoint.security === 'bearer' && endpoint.room !== 'identity') codes.add('second_factor_required');
  if (endpoint.idempotent) codes.add('idempotency_conflict');
  if (endpoint.method !== 'GET') {
    for (const code of ['malformed_request', 'payload_too_large', 'unsupported_media_type'] as const)
      codes.add(code);
  }
  if (!endpoint.isStatic) for (const code of ['internal_error', 'unavailable'] as const) codes.add(code);
  return [...codes].sort((a, b) => ERROR_CODES[a].status - ERROR_CODES[b].status || (a < b ? -1 : 1));
}

/** A room may name a status while it is being built: that is every code with it. */
function codesOf(refusal: Endpoint['refusals'][number]): readonly ErrorCode[] {
  if (typeof refusal === 'string') return [refusal];
  return (Object.keys(ERROR_CODES) as ErrorCode[]).filter((code) => ERROR_CODES[code].status === refusal);
}
