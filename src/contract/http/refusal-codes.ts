import { waitsForOwner } from '#rules/api-keys/act-rules.ts';
import { ZERO_MICRO } from '#units/money.ts';
import type { Endpoint } from './endpoint.ts';
import { ERROR_CODES, type ErrorCode } from './error-code.ts';
import { isActOfKey, KEY_USE_OF } from './key-policies.ts';
import { ROUTES } from './route.ts';

/** Every code that a call can refuse with: its own, and those of its kind of call. */
export function refusalCodes(endpoint: Endpoint): readonly ErrorCode[] {
  const codes = new Set<ErrorCode>(endpoint.refusals.flatMap(codesOf));
  codes.add('too_many_requests');
  if (endpoint.params || endpoint.query || endpoint.body || endpoint.idempotent) codes.add('invalid_field');
  if (endpoint.params) codes.add('malformed_request');
  if (endpoint.security !== 'open') codes.add('unauthenticated');
  if (endpoint.opensByLink) codes.add('invalid_token');
  if (endpoint.confirms) codes.add('confirmation_required');
  for (const code of codesOfKeys(endpoint)) codes.add(code);
  if (endpoint.security === 'bearer' && endpoint.room !== 'identity') codes.add('second_factor_required');
  if (endpoint.idempotent) codes.add('idempotency_conflict');
  if (endpoint.method !== 'GET') {
    for (const code of ['malformed_request', 'payload_too_large', 'unsupported_media_type'] as const)
      codes.add(code);
  }
  if (!endpoint.isStatic) for (const code of ['internal_error', 'unavailable'] as const) codes.add(code);
  return [...codes].sort((a, b) => ERROR_CODES[a].status - ERROR_CODES[b].status || (a < b ? -1 : 1));
}

/** What a program may hear that calls with an API key. */
function codesOfKeys({ method, path, security }: Endpoint): readonly ErrorCode[] {
  if (security === 'open') return [];
  const call = NAMES.get(`${method} ${path}`)!;
  if (!isActOfKey(KEY_USE_OF[call])) return ['key_refused'];
  const asReal = { call, mode: 'real', amount: ZERO_MICRO, isWithdrawal: false } as const;
  const waits = ['trade', 'steer'].includes(KEY_USE_OF[call]) && waitsForOwner(asReal);
  return ['key_refused', 'key_limit', ...(waits ? (['approval_required'] as const) : [])];
}

const NAMES: ReadonlyMap<string, keyof typeof ROUTES> = new Map(
  (Object.keys(ROUTES) as (keyof typeof ROUTES)[]).map((name) => [
    `${ROUTES[name].method} ${ROUTES[name].path}`,
    name,
  ]),
);

/** A room may name a status while it is being built: that is every code with it. */
function codesOf(refusal: Endpoint['refusals'][number]): readonly ErrorCode[] {
  if (typeof refusal === 'string') return [refusal];
  return (Object.keys(ERROR_CODES) as ErrorCode[]).filter((code) => ERROR_CODES[code].status === refusal);
}
