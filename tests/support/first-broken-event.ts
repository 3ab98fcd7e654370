import { CHAIN_START } from '#adapters/signing/embedded/evidence-chain.ts';
import { canonicalJson } from '#engine/evidence/canonical-json.ts';
import { sha256Hex } from '#engine/evidence/sha256.ts';
import type { EvidenceEvent } from '../../src/ports/signing.ts';

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
