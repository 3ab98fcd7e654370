// An anchor: what the audit log was at a moment, signed with a key that the database does not have. Each names the one before it.
import { createHash } from 'node:crypto';
import { type AnchorKey, type AnchorKeys, isSignedBy } from '../environment/anchor-key.ts';

export type Anchor = {
  /** 1, 2, 3: a missing one is noticed. */
  readonly number: number;
  /** The newest row of the log, and its hash, which covers all rows before it. */
  readonly seq: number;
  readonly hash: string;
  readonly anchored_at: string;
  readonly database: string;
  /** SHA-256 of the line of the anchor before it. */
  readonly previous: string;
  /** Of the key. */
  readonly key: string;
  readonly signature: string;
};

export const NO_ANCHOR = '0'.repeat(64);

export function signAnchor(anchor: Omit<Anchor, 'key' | 'signature'>, key: AnchorKey): Anchor {
  const unsigned = { ...anchor, key: key.id };
  return { ...unsigned, signature: key.sign(signedText(unsigned)) };
}

/** Null where it is signed with a key that counted for it; otherwise the end of a sentence about it. */
export function signatureFault(anchor: Anchor, { current, former }: AnchorKeys): string | null {
  const replaced = former.find(({ id }) => id === anchor.key);
  if (replaced !== undefined && anchor.number > (replaced.last ?? 0))
    return `is signed with the key ${replaced.id}, which was replaced after anchor ${replaced.last ?? 0}`;
  const publicKey = anchor.key === current.id ? current.publicKey : replaced?.publicPart;
  if (publicKey !== undefined && isSignedBy(publicKey, signedText(anchor), anchor.signature)) return null;
  const known = [current.id, ...former.map(({ id }) => id)];
  return `is not signed with the key ${known.join(' or ')}`;
}

/** As it is stored and sent. */
export function anchorLine(anchor: Anchor): string {
  return JSON.stringify({ ...ordered(anchor), signature: anchor.signature });
}

export function anchorHash(anchor: Anchor): string {
  return createHash('sha256').update(anchorLine(anchor)).digest('hex');
}

/** Null for anything else: a spoilt line is not an absent one. */
export function parseAnchor(line: string): Anchor | null {
  let said: Partial<Record<keyof Anchor, unknown>> | null;
  try {
    said = JSON.parse(line) as typeof said;
  } catch {
    return null;
  }
  const { number, seq, hash, anchored_at: at, database, previous, key, signature } = said ?? {};
  const isWhole =
    Number.isSafeInteger(number) &&
    Number.isSafeInteger(seq) &&
    [hash, at, database, previous, key, signature].every((one) => typeof one === 'string') &&
    !Number.isNaN(Date.parse(String(at)));
  return isWhole ? (said as Anchor) : null;
}

function signedText(anchor: Omit<Anchor, 'signature'>): string {
  return JSON.stringify(ordered(anchor));
}

function ordered({ number, seq, hash, anchored_at, database, previous, key }: Omit<Anchor, 'signature'>) {
  return { number, seq, hash, anchored_at, database, previous, key };
}
