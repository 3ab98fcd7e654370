import fc from 'fast-check';
import { expect, it } from 'vitest';
import { heldLease, heldSince, LEASE_MS, leaseKey, mayAct, mustRenew, surplusShards } from './lease.ts';

it('ends for its holder before another could take it, even when the request was slow', () => {
  fc.assert(
    fc.property(fc.nat(), fc.nat(), (askedAt, later) => {
      const lease = heldLease(askedAt);
      if (mayAct(lease, askedAt + later)) expect(later).toBeLessThan(LEASE_MS);
      // It is renewed long before that.
      if (!mayAct(lease, askedAt + later)) expect(mustRenew(lease, askedAt + later)).toBe(true);
    }),
  );
});

it('gives up the highest shards beyond a fair share, and keeps all others', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat({ max: 63 })), fc.nat({ max: 64 }), (held, share) => {
      const surplus = surplusShards(held, share);
      const kept = held.filter((shard) => !surplus.includes(shard));
      expect(kept.length).toBe(Math.min(held.length, share));
      for (const shard of surplus) expect(kept.every((one) => one < shard)).toBe(true);
    }),
  );
});

it('has another key when a shard was lost and taken back', () => {
  expect(leaseKey([{ shard: 1, fence: '7' }])).not.toBe(leaseKey([{ shard: 1, fence: '8' }]));
});

it('takes a shard that was lost and taken back as not held since', () => {
  const keyOf = (...fences: readonly string[]) => leaseKey(fences.map((fence, shard) => ({ shard, fence })));
  expect(heldSince(keyOf('7', '3'), keyOf('7', '3'))).toEqual([0, 1]);
  expect(heldSince(keyOf('7', '3'), keyOf('7', '5'))).toEqual([0]);
  expect(heldSince(keyOf('7'), keyOf('7', '5')), 'a shard that is new').toEqual([0]);
  expect(heldSince('', keyOf('7'))).toEqual([]);
  expect(heldSince(keyOf('7'), '')).toEqual([]);
});
