import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify';
import { findKeyInUse } from '#records/api-keys/api-keys.ts';
import { takeDownloadLink } from '#records/downloads/download-links.ts';
import {
  confirmSession,
  listLiveSessions,
  type LiveSession,
  noteUse,
  type SessionState,
} from '#records/identity/sessions.ts';
import { asEverybody } from '#records/postgres/row-scope.ts';
import { isKeyShaped } from '#rules/api-keys/act-rules.ts';
import type { UserId } from '#units/identifiers.ts';
import type { Caller } from '../../http/call.ts';
import { batchedReader } from '../../http/batched-reader.ts';
import type { Dependencies } from '../../http/dependencies.ts';
import { linkHash } from '../../http/link-hash.ts';
import { asError, refuse, type Refused } from '../../http/refusal.ts';
import { verifyAccessToken, type VerifiedToken } from './access-token.ts';

/** How long a session check is cached: ending a session takes effect within a second. */
const SESSION_CHECK_MS = 500;
/** Cache of verified tokens, so that a poll does not verify its signature each time. */
const REMEMBERED_TOKENS = 20_000;

/** Says who makes each call that is not open. Where the token is optional, an invalid one makes the caller a visitor. */
export function authenticateCalls(app: FastifyInstance, dependencies: Dependencies): void {
  const findCaller = callerFinder(dependencies);
  app.decorateRequest('caller', null);
  app.decorateRequest('isByLink', false);
  app.addHook('onRoute', (route) => {
    const { security, opensByLink = false } = route.config ?? {};
    if (security !== 'bearer' && security !== 'optional') return;
    const isBearer = security === 'bearer';
    // Without a promise where the token was checked a moment ago: a poll waits for nothing here.
    const identify: onRequestHookHandler = (request, _reply, done) => {
      const found = find(request, opensByLink);
      if (found instanceof Promise) found.then((one) => done(asError(admit(request, one, isBearer))), done);
      else done(asError(admit(request, found, isBearer)));
    };
    route.onRequest = [route.onRequest ?? [], identify].flat();
  });
  function find(request: FastifyRequest, opensByLink: boolean): Recalled | Promise<Recalled> {
    const linked = opensByLink && request.headers.authorization === undefined;
    const link = linked && request.method === 'GET' ? linkOf(request.url) : null;
    request.isByLink = link !== null;
    if (link !== null) return findHolder(link, request.ip, dependencies);
    const token = /^Bearer ([\w-]+(?:\.[\w-]+\.[\w-]+)?)$/i.exec(request.headers.authorization ?? '')?.[1];
    if (token === undefined) return null;
    return isKeyShaped(token) ? findByKey(token, dependencies) : findCaller(token, request.ip);
  }
  /** Why it goes no further; null when it does. */
  function admit(request: FastifyRequest, found: Recalled, isBearer: boolean): Refused | null {
    request.caller = found?.caller ?? null;
    const mustSetUp = dependencies.config.staffNeedSecondFactor && found?.isOfBareStaff === true;
    return mustSetUp && isBearer && !request.url.startsWith(ACCOUNT_PATHS) ? SET_UP_FIRST : null;
  }
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
): Promise<Found> {
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

async function findByKey(secret: string, { records, now }: Dependencies): Promise<Recalled> {
  const key = await findKeyInUse(records.database, secret, now());
  return key && { caller: { userId: key.userId, sessionId: key.id, key }, isOfBareStaff: false };
}

type Found = SessionState & { readonly caller: Caller };
type Recalled = Found | null;
type Remembered = VerifiedToken & SessionState & { readonly checkedAt: number };

function callerFinder({
  records: { pool },
  keys,
  now,
}: Dependencies): (token: string, address: string) => Recalled | Promise<Recalled> {
  const remembered = new Map<string, Remembered>();
  // Those of several people in one statement, in which each session counts for its own person only.
  const readSession = batchedReader<LiveSession>(async (keys) => {
    const asked = keys.map((key) => {
      const [userId, sessionId] = key.split('/') as [UserId, string];
      return { key, userId, sessionId };
    });
    const live = await asEverybody(() => listLiveSessions(pool, asked, now()));
    const own = asked.flatMap(({ key, userId, sessionId }) => {
      const session = live.get(sessionId);
      return session?.userId === userId ? [[key, session] as const] : [];
    });
    return new Map(own);
  });
  const confirm = async (token: string, known: VerifiedToken, address: string): Promise<Recalled> => {
    const at = now();
    const { userId, sessionId } = known.caller;
    const session = at < known.expiresAt ? await readSession(`${userId}/${sessionId}`) : undefined;
    if (session === undefined) {
      remembered.delete(token);
      return null;
    }
    await noteUse(pool, session, { sessionId, at, address });
    if (remembered.size >= REMEMBERED_TOKENS) remembered.clear();
    const found = { ...known, isOfBareStaff: session.isOfBareStaff, checkedAt: at };
    remembered.set(token, found);
    return found;
  };
  return (token, address) => {
    const at = now();
    const known = remembered.get(token);
    if (known === undefined)
      return verifyAccessToken(token, keys, at).then((verified) =>
        verified === null ? null : confirm(token, verified, address),
      );
    const isChecked = at >= known.checkedAt && at - known.checkedAt < SESSION_CHECK_MS;
    return isChecked && at < known.expiresAt ? known : confirm(token, known, address);
  };
}
