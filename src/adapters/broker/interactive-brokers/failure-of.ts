// Which failure an exchange with this vendor means.
import type { BrokerFailure } from '#ports/broker.ts';
import { type Exchange, failed } from '../exchange.ts';

/** The failure that a query's exchange means, or null on success. */
export function failureOf(result: Exchange): BrokerFailure | null {
  if (result.kind === 'not_sent') {
    const { code, reason, until } = result;
    return { ...failed(code, reason), ...(until && { until }) };
  }
  if (result.kind === 'lost') return failed('unreachable', `no answer from the broker: ${result.reason}`);
  const { status } = result;
  const said = errorText(result) ?? `HTTP ${status}`;
  if (status === 429) return failed('rate_limited', 'the broker asks us to slow down');
  if (status === 401) return failed('unauthorized', said);
  // Another session's token has replaced ours; the permission itself is as it was.
  if (status === GONE) return failed('no_session', said);
  // Signed in, but not permitted. An HTML page instead comes from something between the vendor and us.
  if (status === 403) return failed(isForbidden(result) ? 'refused' : 'unreachable', said);
  if (status >= 500) return failed('unreachable', said);
  if (status >= 400) return failed('refused', said);
  if (result.body === undefined)
    return failed('unreadable', 'the broker answered with something that is not JSON');
  return null;
}

/** The vendor's answer to a token that a newer one has replaced, or that is bound to another of its hosts. */
export const GONE = 410;

/** The vendor refuses with 400 what it cannot do without its inner session, and also what it never does. */
export function mayLackSession(result: Exchange): boolean {
  return result.kind === 'answered' && result.status === 400;
}

/** Whether the vendor itself says that the permission does not cover the request. */
export function isForbidden(result: Exchange): boolean {
  return result.kind === 'answered' && result.status === 403 && result.body !== undefined;
}

/** The text of any of the vendor's error envelopes, which it also sends with status 200. */
export function errorText(result: Extract<Exchange, { kind: 'answered' }>): string | null {
  const body = result.body;
  if (typeof body !== 'object' || body === null) return null;
  const { error, detail, title } = body as { error?: unknown; detail?: unknown; title?: unknown };
  for (const text of [error, detail, title]) if (typeof text === 'string' && text !== '') return text;
  return null;
}
