import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify';
import type { EndpointName } from '#contract/every-endpoint.ts';
import { KEY_USE_OF, keyMay } from '#contract/http/key-policies.ts';
import { rolesFor } from '#contract/http/policies.ts';
import { findKeyInUse } from '#records/api-keys/api-keys.ts';
import { findUser } from '#records/identity/users.ts';
import { takeDownloadLink } from '#records/downloads/download-links.ts';
import { confirmSession, type SessionState } from '#records/identity/sessions.ts';
import { isKeyShaped, KEY_SENTENCES, missingScopeText } from '#rules/api-keys/act-rules.ts';
import { canAct, type KeyScope } from '#rules/api-keys/key-terms.ts';
import type { StaffRole } from '#rules/identity/staff-role.ts';
import type { UserId } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';
import type { Caller, Staff } from '../../http/call.ts';
import type { Dependencies } from '../../http/dependencies.ts';
import { linkHash } from '../../http/link-hash.ts';
import { notFound, refuse } from '../../http/refusal.ts';
import { verifyAccessToken, type VerifiedToken } from './access-token.ts';

/** How long a session check is cached: ending a session takes effect within a second. */
const SESSION_CHECK_MS = 500;
/** Cache of verified tokens, so that a poll does not verify its signature each time. */
const REMEMBERED_TOKENS = 20_000;

/**
 * Requires a token for every call that is not open, and the role that its policy names, before its body is read or validated. Where the token is optional, an
 * invalid one makes the caller a visitor. Register after the limits: a caller without a token is counted by address first,
 * and only then refused.
 */
export function authenticateCalls(app: FastifyInstance, dependencies: Dependencies): void {
  const findCaller = callerFinder(dependencies);
  app.decorateRequest('caller', null);
  app.decorateRequest('staff', null);
  app.decorateRequest('isByLink', false);
  app.addHook('onRequest', async (request) => {
    const { security } = request.routeOptions.config;
    if (security !== 'bearer' && security !== 'optional') return;
    const linked =
      request.routeOptions.config.opensByLink === true && request.headers.authorization === undefined;
    const link = linked && request.method === 'GET' ? linkOf(request.url) : null;
    request.isByLink = link !== null;
    const token = /^Bearer ([\w-]+(?:\.[\w-]+\.[\w-]+)?)$/i.exec(request.headers.authorization ?? '')?.[1];
    const found = await find(token ?? null, link, request.ip);
    request.caller = found?.caller ?? null;
    const mustSetUp = dependencies.config.staffNeedSecondFactor && found?.isOfBareStaff === true;
    if (mustSetUp && security === 'bearer' && !request.url.startsWith(ACCOUNT_PATHS)) throw SET_UP_FIRST;
  });
  async function find(
    token: string | null,
    link: Link | null,
    address: string,
  ): Promise<Omit<Found, 'expiresAt'> | null> {
    if (link !== null) return findHolder(link, address, dependencies);
    if (token === null) return null;
    return isKeyShaped(token) ? findByKey(token, dependencies) : findCaller(token, address);
  }
  app.addHook('onRoute', (route) => {
    const { security, who, name } = route.config ?? {};
    if (security === undefined || security === 'open') return;
    const roles = who === undefined ? null : rolesFor(who);
    const checks: onRequestAsyncHookHandler[] = [];
    if (security === 'bearer') checks.push(refuseVisitor);
    if (name !== undefined) checks.push(keyCheck(name));
    if (roles !== null) checks.push(roleCheck(roles, dependencies));
    route.onRequest = [route.onRequest ?? []].flat().concat(checks);
  });
}

type Link = { readonly address: string; readonly token: string };

/** The secret comes last, as createDownloadLink writes it. */
function linkOf(url: string): Link | null {
  const [, address, token] = /^(.+)[?&]link=([^&]*)$/.exec(url) ?? [];
  return address === undefined || token === undefined ? null : { address, token };
}

/** Whose link it is; it is used up. */
async function findHolder(
  { address, token }: Link,
  ip: string,
  { records, now }: Dependencies,
): Promise<Omit<Found, 'expiresAt'>> {
  const at = now();
  const caller = await takeDownloadLink(records.database, { hash: linkHash(token), address, at });
  const state = caller && (await confirmSession(records.pool, { ...caller, at, address: ip }));
  if (!caller || !state)
    throw refuse('invalid_token', 'This link was used or has expired. Start the download again.');
  return { caller, ...state };
}

/** Where staff set up their second factor, and sign out. */
const ACCOUNT_PATHS = '/api/auth/';
const SET_UP_FIRST = refuse(
  'second_factor_required',
  'Staff sign in with a second factor. Set it up under Account, Security.',
);

const refuseVisitor: onRequestAsyncHookHandler = async ({ caller }) => {
  if (caller === null) throw refuse('unauthenticated', 'Please sign in.');
};

async function findByKey(
  secret: string,
  { records, now }: Dependencies,
): Promise<Omit<Found, 'expiresAt'> | null> {
  const key = await findKeyInUse(records.database, secret, now());
  return key && { caller: { userId: key.userId, sessionId: key.id, key }, isOfBareStaff: false };
}

/** What a key may call, before the body is read. Of a deployment that it steers the rest is asked in http/act-with-key.ts. */
function keyCheck(name: EndpointName): onRequestAsyncHookHandler {
  const use = KEY_USE_OF[name];
  return async ({ caller }) => {
    if (caller?.key === undefined) return;
    if (!keyMay(name)) throw refuse('key_refused', KEY_SENTENCES.never);
    const { scopes } = caller.key;
    if (use === 'steer' ? canAct(scopes) : scopes.includes(use as KeyScope)) return;
    throw refuse('key_refused', missingScopeText(use === 'steer' ? 'practice' : (use as KeyScope)));
  };
}

/** After the limits, like the check for visitors: what is absent to others is counted too. */
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

type Found = SessionState & { readonly caller: Caller };
type Remembered = VerifiedToken & SessionState & { readonly checkedAt: number };

function callerFinder({
  records,
  keys,
  now,
}: Dependencies): (token: string, address: string) => Promise<Found | null> {
  const remembered = new Map<string, Remembered>();
  const recall = async (token: string, at: Instant): Promise<Remembered | null> => {
    const known = remembered.get(token);
    if (known) return known;
    const verified = await verifyAccessToken(token, keys, at);
    return verified && { ...verified, isOfBareStaff: false, checkedAt: Number.NEGATIVE_INFINITY };
  };
  return async (token, address) => {
    const at = now();
    const known = await recall(token, at);
    if (known === null) return null;
    if (at >= known.checkedAt && at - known.checkedAt < SESSION_CHECK_MS && at < known.expiresAt) {
      return known;
    }
    const state =
      at < known.expiresAt ? await confirmSession(records.pool, { ...known.caller, at, address }) : null;
    if (state === null) {
      remembered.delete(token);
      return null;
    }
    if (remembered.size >= REMEMBERED_TOKENS) remembered.clear();
    const found = { ...known, ...state, checkedAt: at };
    remembered.set(token, found);
    return found;
  };
}
