// A signing link alone signs nothing: the browser must be the one that asked for it, in a sign-in that still goes on.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Envelope } from '#ports/signing.ts';
import { confirmSession } from '#records/identity/sessions.ts';
import type { Key } from '#records/keys/keyring.ts';
import type { Dependencies } from '../http/dependencies.ts';
import { findOwnCookie, setOwnCookie } from '../http/own-cookie.ts';

type Started = { readonly envelopeId: string; readonly sessionId: string };

/** Marks the browser that asked for the link. The cookie signs no one in: only the signing page reads it. */
export function bindSigner(
  reply: FastifyReply,
  started: Started & { readonly seconds: number },
  { keys, config: { publicUrl } }: Pick<Dependencies, 'keys' | 'config'>,
): void {
  const value = proofOf(started, keys.newest('browser_mark'));
  const { seconds } = started;
  setOwnCookie(reply, { name: cookieName(started), value, seconds, sameSite: 'Strict' }, publicUrl);
}

/** True for the person in the sign-in that asked for the link, and for a call that carries their access token. */
export async function isSigner(
  request: FastifyRequest,
  { envelopeId, sessionId, signer: { userId } }: Envelope,
  { records, keys, config, now }: SignerChecks,
): Promise<boolean> {
  if (request.caller !== null) return request.caller.userId === userId;
  const started = { envelopeId, sessionId };
  const cookie = findOwnCookie(request, cookieName(started), config.publicUrl);
  if (cookie === null) return false;
  const sent = Buffer.from(cookie);
  const key = await keys.find('browser_mark', cookie.slice(0, KEY_ID_LENGTH));
  if (key === null) return false;
  const proof = Buffer.from(proofOf(started, key));
  if (sent.length !== proof.length || !timingSafeEqual(sent, proof)) return false;
  const address = request.ip;
  return (await confirmSession(records.pool, { sessionId, userId, at: now(), address })) !== null;
}

export type SignerChecks = Pick<Dependencies, 'records' | 'keys' | 'config' | 'now'>;

function cookieName({ envelopeId }: Pick<Started, 'envelopeId'>): string {
  return `signing_${envelopeId.slice(0, 8)}`;
}

/** Begins with the id of its key. */
function proofOf({ envelopeId, sessionId }: Started, { id, bytes }: Key): string {
  const said = `signing ${envelopeId} in session ${sessionId}`;
  return `${id}.${createHmac('sha256', bytes).update(said).digest('base64url')}`;
}

const KEY_ID_LENGTH = 16;
