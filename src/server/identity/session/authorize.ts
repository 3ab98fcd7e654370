import type { FastifyInstance, onRequestAsyncHookHandler, onRequestHookHandler } from 'fastify';
import type { EndpointName } from '#contract/every-endpoint.ts';
import { KEY_USE_OF, keyMay } from '#contract/http/key-policies.ts';
import { rolesFor } from '#contract/http/policies.ts';
import { findUser } from '#records/identity/users.ts';
import { KEY_SENTENCES, missingScopeText } from '#rules/api-keys/act-rules.ts';
import { canAct, type KeyScope } from '#rules/api-keys/key-terms.ts';
import type { StaffRole } from '#rules/identity/staff-role.ts';
import type { UserId } from '#units/identifiers.ts';
import type { Staff } from '../../http/call.ts';
import type { Dependencies } from '../../http/dependencies.ts';
import { asError, notFound, refuse, type Refused } from '../../http/refusal.ts';

/**
 * Who may make each call: anybody signed in, a key with the scope that it needs, staff with the role that its policy names. Asked before
 * the body is read or validated. Register after the limits: a caller without a token is counted by address first, and only then refused.
 */
export function authorizeCalls(app: FastifyInstance, dependencies: Pick<Dependencies, 'records'>): void {
  app.decorateRequest('staff', null);
  app.addHook('onRoute', (route) => {
    const { security, who, name } = route.config ?? {};
    if (security === undefined || security === 'open') return;
    const roles = who === undefined ? null : rolesFor(who);
    const checks: (onRequestHookHandler | onRequestAsyncHookHandler)[] = [
      callerCheck({ name, isBearer: security === 'bearer' }),
    ];
    if (roles !== null) checks.push(roleCheck(roles, dependencies));
    route.onRequest = [route.onRequest ?? [], checks].flat();
  });
}

/** Of a deployment that a key steers the rest is asked in http/act-with-key.ts. */
function callerCheck({
  name,
  isBearer,
}: {
  readonly name: EndpointName | undefined;
  readonly isBearer: boolean;
}): onRequestHookHandler {
  const ofVisitor = isBearer ? SIGN_IN : null;
  return ({ caller }, _reply, done) => {
    if (caller === null) return done(asError(ofVisitor));
    const scopes = caller.key?.scopes;
    done(asError(scopes === undefined || name === undefined ? null : keyRefusal(name, scopes)));
  };
}

const SIGN_IN = refuse('unauthenticated', 'Please sign in.');

/** Null for what a key with these scopes may call. */
function keyRefusal(name: EndpointName, scopes: readonly KeyScope[]): Refused | null {
  if (!keyMay(name)) return refuse('key_refused', KEY_SENTENCES.never);
  const use = KEY_USE_OF[name];
  if (use === 'steer' ? canAct(scopes) : scopes.includes(use as KeyScope)) return null;
  return refuse('key_refused', missingScopeText(use === 'steer' ? 'practice' : (use as KeyScope)));
}

/** What is absent to others is counted too. */
function roleCheck(
  roles: readonly StaffRole[],
  dependencies: Pick<Dependencies, 'records'>,
): onRequestAsyncHookHandler {
  return async (request) => {
    request.staff = request.caller && (await findStaff(request.caller.userId, roles, dependencies));
    if (request.staff === null) throw notFound();
  };
}

/** Asked on each call, so that losing the role acts at once. */
async function findStaff(
  userId: UserId,
  roles: readonly StaffRole[],
  { records }: Pick<Dependencies, 'records'>,
): Promise<Staff | null> {
  const user = await findUser(records.database, userId);
  const role = roles.find((one) => one === user?.role);
  if (user === undefined || role === undefined) return null;
  return { id: userId, email: user.email, role, actor: `staff:${user.email}` };
}
