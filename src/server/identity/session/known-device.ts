import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Key } from '#records/keys/keyring.ts';
import { DAY_MS, SECOND_MS } from '#units/instant.ts';
import type { Dependencies } from '../../http/dependencies.ts';
import { findOwnCookie, setOwnCookie } from '../../http/own-cookie.ts';

/**
 * A browser that has signed in to an account carries a signed cookie that says so. It signs nobody in: it only gives the browser
 * guesses of its own, so that a stranger who guesses does not lock the owner out. One cookie names the newest accounts.
 */
export function findKnownDevice(
  request: FastifyRequest,
  email: string,
  dependencies: Dependencies,
): string | null {
  const tag = tagOf(email);
  return readMarks(request, dependencies).find((mark) => mark.tag === tag)?.device ?? null;
}

/** After a sign-in, or a reset by a mailed link. */
export function rememberDevice(
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  email: string,
  dependencies: Dependencies,
): void {
  const { config, keys, now } = dependencies;
  const known = readMarks(request, dependencies);
  const tag = tagOf(email);
  const device = known.find((mark) => mark.tag === tag)?.device ?? randomBytes(16).toString('base64url');
  const mark = { tag, device, expiresAt: now() + REMEMBERED_MS };
  const marks = [mark, ...known.filter((one) => one.tag !== tag)].slice(0, ACCOUNTS_MAX);
  const key = keys.newest('browser_mark');
  const value = marks.map((one) => signed(one, key)).join('~');
  const seconds = REMEMBERED_MS / SECOND_MS;
  setOwnCookie(reply, { name: NAME, value, seconds, sameSite: 'Strict' }, config.publicUrl);
}

type Mark = { readonly tag: string; readonly device: string; readonly expiresAt: number };

const NAME = 'device';
const REMEMBERED_MS = 180 * DAY_MS;
const ACCOUNTS_MAX = 8;

function readMarks(request: FastifyRequest, dependencies: Dependencies): Mark[] {
  return (findOwnCookie(request, NAME, dependencies.config.publicUrl) ?? '')
    .split('~')
    .slice(0, ACCOUNTS_MAX)
    .flatMap((text) => readMark(text, dependencies) ?? []);
}

/** Null for what we did not sign, and for what has expired. */
function readMark(text: string, dependencies: Dependencies): Mark | null {
  const [, tag, device, expiry] = /^([\w-]{22})\.([\w-]{22})\.(\d{1,15})\.[\w-]{43}$/.exec(text) ?? [];
  if (tag === undefined || device === undefined || expiry === undefined) return null;
  const mark = { tag, device, expiresAt: Number(expiry) };
  const isOurs = dependencies.keys
    .all('browser_mark')
    .some((key) => timingSafeEqual(Buffer.from(signed(mark, key)), Buffer.from(text)));
  return isOurs && mark.expiresAt > dependencies.now() ? mark : null;
}

function signed({ tag, device, expiresAt }: Mark, { bytes }: Key): string {
  const said = `${tag}.${device}.${expiresAt}`;
  const mac = createHmac('sha256', bytes).update(`known device ${said}`).digest('base64url');
  return `${said}.${mac}`;
}

function tagOf(email: string): string {
  return createHash('sha256').update(email).digest().subarray(0, 16).toString('base64url');
}
