import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { identityEndpoints } from '#contract/identity.ts';
import { listSecurityEvents as readEvents, saveSecurityEvent } from '#records/identity/security-log.ts';
import { describeBrowser } from '#rules/identity/describe-browser.ts';
import { type SecurityEventKind, securityEventText } from '#rules/identity/security-event.ts';
import type { UserId } from '#units/identifiers.ts';
import type { Call } from '../http/call.ts';
import type { Dependencies } from '../http/dependencies.ts';

type SecurityEvent = {
  readonly kind: SecurityEventKind;
  /** Null: there is no such account. */
  readonly userId: UserId | null;
  readonly request: FastifyRequest;
};

/** For the person, and for the operator's log: by id, because a log is read by more people than an account. */
export async function noteSecurityEvent(event: SecurityEvent, dependencies: Dependencies): Promise<void> {
  const { kind, userId, request } = event;
  const { records, now } = dependencies;
  securityLog(dependencies)?.info({ kind, userId, address: request.ip }, 'security event');
  if (userId === null) return;
  const userAgent = request.headers['user-agent'] ?? '';
  await saveSecurityEvent(records.database, { userId, kind, address: request.ip, userAgent, at: now() });
}

/** Calls of the desk that were refused: to a client, or to staff without a second factor. */
export function logRefusedStaffCalls(app: FastifyInstance, dependencies: Dependencies): void {
  const log = securityLog(dependencies);
  app.addHook('onResponse', async (request, reply) => {
    const path = request.routeOptions.url ?? '';
    if (!path.startsWith(DESK) || !REFUSED.has(reply.statusCode)) return;
    const { ip: address, method, caller } = request;
    log?.info(
      {
        kind: 'staff_call_refused',
        userId: caller?.userId ?? null,
        address,
        method,
        path,
        status: reply.statusCode,
      },
      'security event',
    );
  });
}

const DESK = '/api/operations/';
const REFUSED: ReadonlySet<number> = new Set([401, 403, 404]);

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
