// The evidence of a signing as a hash chain: each event's hash covers the event and the previous hash, so a changed,
// removed or reordered event is detected. SHA-256 over canonical JSON.
import { canonicalJson } from '#engine/evidence/canonical-json.ts';
import { sha256Hex } from '#engine/evidence/sha256.ts';
import type { EvidenceEvent, EvidenceEventType, SigningRequest, Visitor } from '#ports/signing.ts';

export const CHAIN_START = '0'.repeat(64);

export function appendEvent(
  chain: readonly EvidenceEvent[],
  event: {
    readonly type: EvidenceEventType;
    readonly at: Date;
    readonly visitor: Visitor;
    readonly details: Readonly<Record<string, string>>;
  },
): readonly EvidenceEvent[] {
  const unsealed = {
    seq: chain.length + 1,
    type: event.type,
    at: event.at.toISOString(),
    ip: event.visitor.ip,
    userAgent: event.visitor.userAgent,
    details: event.details,
    previousHash: chain.at(-1)?.hash ?? CHAIN_START,
  };
  return [...chain, { ...unsealed, hash: sha256Hex(canonicalJson(unsealed)) }];
}

/** Who asked for a document to sign, and how they had signed in. */
export function signerDetails({ signer, session }: Pick<SigningRequest, 'signer' | 'session'>) {
  return {
    user_id: signer.userId,
    signed_in_as: signer.email,
    session_id: session.id,
    identity_confirmed_at: new Date(session.confirmedAt).toISOString(),
    sign_in: session.hasSecondFactor ? 'password+code' : 'password',
  };
}
