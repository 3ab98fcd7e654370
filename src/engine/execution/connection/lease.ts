// Whether a trader may still act for the shards that it holds. Its lease is valid on its own steady clock only until well
// before another trader could take over; what it holds beyond its fair share it gives up.
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

/** Whether no other trader can have taken anything at this moment. */
export function mayAct({ validUntil }: HeldLease, steadyNow: number): boolean {
  return steadyNow < validUntil;
}

/** What is held beyond a fair share, the highest numbers. */
export function surplusShards(held: readonly number[], fairShare: number): readonly number[] {
  return held.toSorted((one, other) => one - other).slice(fairShare);
}

/** Differs when anything was gained or lost: a shard that was taken and taken back has another fence. */
export function leaseKey(held: readonly { readonly shard: number; readonly fence: string }[]): string {
  return held.map(({ shard, fence }) => `${shard}.${fence}`).join(' ');
}

/** A stopped trader's work is taken over within this and one renewal; a dead one's at the next renewal. */
export const LEASE_MS = 15 * SECOND_MS;
export const RENEW_MS = 3 * SECOND_MS;
/** For the difference in speed of two clocks, many times over. */
const MARGIN_MS = 2 * SECOND_MS;
