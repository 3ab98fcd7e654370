import { expect, test } from 'vitest';
import { leaseKey } from '#engine/execution/connection/lease.ts';
import type { ShardLease, ShardLeases } from './leases/shard-lease.ts';
import { createMarkMemory } from './rebalance/mark-changes.ts';
import { renewLease, type TraderMemory } from './trader-memory.ts';

test('what is known of a connection goes with its shard, also where another trader had it for less than a tick', async () => {
  const kept: (readonly number[])[] = [];
  const memory = {
    leaseKey: '',
    market: { intraday: new Map() },
    connections: { keepOnly: (shards: readonly number[]) => kept.push(shards) },
    strategies: { targetCache: { forgetAllLatest: () => undefined } },
    marks: createMarkMemory(),
    judged: new Map(),
    endOfDay: {},
    stops: {},
  } as unknown as TraderMemory;
  const renew = (...held: readonly { shard: number; fence: string }[]) => {
    const lease = { shards: held.map(({ shard }) => shard), key: leaseKey(held) } as unknown as ShardLease;
    const leases = { current: async () => lease, surplus: () => [] } as unknown as ShardLeases;
    return renewLease(leases, memory);
  };
  await renew({ shard: 1, fence: '4' }, { shard: 2, fence: '9' });
  await renew({ shard: 1, fence: '4' }, { shard: 2, fence: '9' });
  await renew({ shard: 1, fence: '4' }, { shard: 2, fence: '11' });
  await renew({ shard: 2, fence: '11' });
  expect(kept).toEqual([[], [1], [2]]);
});
