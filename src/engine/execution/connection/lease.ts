// Whether a trader may still act for its shards. Its lease is valid on its own steady clock only until well before
// another trader could take over; shards beyond its fair share are given up.
import { SECOND_MS } from '#units/instant.ts';

export type HeldLease = {
  /** On the steady clock: from then on another trader may have taken over. */
  readonly validUntil: number;
  readonly renewAt: number;
};

/** Of a lease requested at `askedAt`: it began no earlier than that. */
export function heldLease(askedAt: number): HeldLease {
  return { validUntil: askedAt + LEASE_MS - MARGIN_MS, renewAt: askedAt + RENEW_MS };
}

export function mustRenew({ renewAt }: HeldLease, steadyNow: number): boolean {
  return steadyNow >= renewAt;
}

/** Whether no other trader can have taken over at this moment. */
export function mayAct({ validUntil }: HeldLease, steadyNow: number): boolean {
  return steadyNow < validUntil;
}

/** The shards beyond a fair share, the highest numbers. */
export function surplusShards(held: readonly number[], fairShare: number): readonly number[] {
  return held.toSorted((one, other) => one - other).slice(fairShare);
}

/** Changes when a shard was gained or lost: one that was lost and taken back has a new fence. */
export function leaseKey(held: readonly { readonly shard: number; readonly fence: string }[]): string {
  return held.map(({ shard, fence }) => `${shard}.${fence}`).join(' ');
}

/** Of the shards of a key, those that were held without a break since an earlier key. */
export function heldSince(earlier: string, key: string): readonly number[] {
  const before = new Set(earlier.split(' '));
  return key.split(' ').flatMap((part) => (part !== '' && before.has(part) ? Number.parseInt(part, 10) : []));
}

/** A stopped trader's work is taken over within this plus one renewal; a dead one's at the next renewal. */
export const LEASE_MS = 15 * SECOND_MS;
export const RENEW_MS = 3 * SECOND_MS;
/** A wide margin for the difference in speed of two clocks. */
const MARGIN_MS = 2 * SECOND_MS;
