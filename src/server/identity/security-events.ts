import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { identityEndpoints } from '#contract/identity.ts';
import { listSecurityEvents as readEvents, saveSecurityEvent } from '#records/identity/security-log.ts';
import { describeBrowser } from '#rules/identity/describe-browser.ts';
import { type SecurityEventKind, securityEventText } from '#rules/identity/security-event.ts';
import { isSecurityChange } from '#rules/notifications/account-text.ts';
import type { UserId } from '#units/identifiers.ts';
import type { Call } from '../http/call.ts';
import type { Who } from '#contract/http/policies.ts';
import type { Dependencies } from '../http/dependencies.ts';
import { securityNotice } from './security-notice.ts';

type SecurityEvent = {
  readonly kind: SecurityEventKind;
  /** Null: there is no such account. */
  readonly userId: UserId | null;
  readonly request: FastifyRequest;
  /** With what besides the password somebody signed in. */
  readonly factor?: 'none' | 'code' | 'passkey';
};

/** For the person, and for the operator's log: by id, because a log is read by more people than an account. */
export async function noteSecurityEvent(event: SecurityEvent, dependencies: Dependencies): Promise<void> {
  const { kind, userId, request, factor } = event;
  const { records, now } = dependencies;
  securityLog(dependencies)?.info(
    { kind, userId, address: request.ip, ...(factor !== undefined && { factor }) },
    'security event',
  );
  if (userId === null) return;
  const userAgent = request.headers['user-agent'] ?? '';
  await saveSecurityEvent(records.database, { userId, kind, address: request.ip, userAgent, at: now() });
  if (!isSecurityChange(kind)) return;
  const clock = await dependencies.marketData.clock();
  const at = clock.ok ? clock.value.now : now();
  const device = describeBrowser(userAgent);
  await records.database
    .transaction()
    .execute((trx) => securityNotice(trx, { userId, change: kind, device, at }));
}

/** Calls that were refused to whoever made them, and requests that no page of ours sends. */
export function logRefusedCalls(app: FastifyInstance, dependencies: Dependencies): void {
  const log = securityLog(dependencies);
  app.addHook('onResponse', (request, reply, done) => {
    if (reply.statusCode < 400) return done();
    // Fastify makes the options of a route again each time that they are asked for.
    const { url: path = '', config } = request.routeOptions;
    const kind = refusalKind(path, config.who, reply.statusCode);
    if (kind === null) return done();
    const { ip: address, method, caller } = request;
    log?.info(
      {
        kind,
        userId: caller?.userId ?? null,
        address,
        method,
        path,
        status: reply.statusCode,
      },
      'security event',
    );
    done();
  });
}

/** Null for what is no sign of an attempt to get past a rule. */
function refusalKind(path: string, who: Who | undefined, status: number): string | null {
  if (status === 429) return 'requests_limited';
  if (!path.startsWith('/api/')) return null;
  if (BROKEN.has(status)) return 'broken_request';
  if (path.startsWith(DESK) && REFUSED.has(status)) return 'staff_call_refused';
  if (status === 403) return 'call_refused';
  return status === 404 && (who === 'owner' || who === 'author') ? 'foreign_or_absent' : null;
}

const DESK = '/api/operations/';
const REFUSED: ReadonlySet<number> = new Set([401, 403, 404]);
/** Malformed, too late, too large, of another type. */
const BROKEN: ReadonlySet<number> = new Set([400, 408, 413, 415]);

/** A stream of its own, whatever LOG_LEVEL is. */
function securityLog({ logger }: Dependencies) {
  return logger === false ? null : logger.child({ name: 'security' }, { level: 'info' });
}

export const listSecurityEvents: Call<typeof identityEndpoints.listSecurityEvents> = async (
  { caller },
  { records },
) => {
  const events = await readEvents(records.database, caller.userId, LISTED);
  return events.map(({ kind, address, userAgent, at }) => ({
    kind,
    text: securityEventText(kind),
    device: describeBrowser(userAgent),
    address,
    at: at.toISOString(),
  }));
};

const LISTED = 20;
