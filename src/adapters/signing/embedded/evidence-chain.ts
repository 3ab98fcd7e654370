// The evidence of a signing as a chain: each event's hash covers the event and the hash before it, so that a changed,
// removed or reordered event shows. SHA-256 over canonical JSON.
import { canonicalJson } from '#engine/evidence/canonical-json.ts';
import { sha256Hex } from '#engine/evidence/sha256.ts';
import type { EvidenceEvent, EvidenceEventType, Visitor } from '#ports/signing.ts';

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

/** The sequence number of the first event that does not fit, or null when the chain holds. */
export function firstBrokenEvent(chain: readonly EvidenceEvent[]): number | null {
  let previousHash = CHAIN_START;
  for (const [index, { hash, ...event }] of chain.entries()) {
    const fits =
      event.seq === index + 1 &&
      event.previousHash === previousHash &&
      sha256Hex(canonicalJson(event)) === hash;
    if (!fits) return index + 1;
    previousHash = hash;
  }
  return null;
}
