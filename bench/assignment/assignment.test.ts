import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { LeaseLost } from '#trader/lease-lost.ts';
import type { BrokerConnectionId } from '#units/identifiers.ts';
import { wallInstant } from '#units/wall-instant.ts';
import { testDatabase } from '../../tests/support/test-database.ts';
import { runCampaign } from './campaign.ts';
import { FENCES, holdConnections } from './held-connections.ts';
import { oneLook } from './one-look.ts';
import { criteria, keptCampaign, type TrialRun } from './report.ts';
import { hasRestate } from './restate-server.ts';
import { WAYS } from './stage.ts';
import type { StrikeName } from './strikes.ts';

const database = await testDatabase();
await database.owner.query(FENCES);

const CONNECTION = randomUUID() as BrokerConnectionId;

/** A trader without a tick: its leases, and what it was told it keeps. */
function holder() {
  const kept: string[] = [];
  const holding = holdConnections({
    handle: database,
    realNow: () => wallInstant(0),
    look: oneLook(() => holding.leases.current(), 10),
    onKept: (connection) => kept.push(connection),
    termMs: Number.POSITIVE_INFINITY,
  });
  const attempt = new AbortController();
  return {
    ...holding,
    kept,
    /** Begins an attempt; resolves once it acts. */
    async take(): Promise<void> {
      holding.hold(CONNECTION, attempt.signal).catch(() => undefined);
      const before = holding.fenceOf(CONNECTION);
      await expect.poll(() => holding.fenceOf(CONNECTION) ?? before).not.toBe(before);
    },
    async write(): Promise<void> {
      const lease = await holding.leases.current();
      await database.database.transaction().execute((trx) => lease.fence(trx, [CONNECTION]));
    },
    end: () => attempt.abort(),
  };
}

test('a former holder writes nothing once another was given the connection', async () => {
  const [first, second] = [holder(), holder()];
  await first.take();
  await first.write();
  await second.take();
  await second.write();
  await expect(first.write()).rejects.toThrow(LeaseLost);
  // Its attempt ends, and it does not act for it any more.
  first.end();
  await expect.poll(() => first.fenceOf(CONNECTION)).toBe(null);
  second.end();
});

test('who gets it back keeps what it remembers, unless another had it meanwhile', async () => {
  const [first, other] = [holder(), holder()];
  await first.take();
  await first.take();
  expect(first.kept).toEqual([CONNECTION]);
  await other.take();
  void first.hold(CONNECTION, new AbortController().signal).catch(() => undefined);
  // Left first, as a shard that was another's is: its session is closed, and read again.
  await expect.poll(() => first.leases.surplus()).toHaveLength(1);
  expect(first.fenceOf(CONNECTION)).toBe(null);
  await first.leases.release(first.leases.surplus());
  await first.write();
  expect(first.kept).toEqual([CONNECTION]);
  await expect(other.write()).rejects.toThrow(LeaseLost);
});

test('all who ask share the next tick, and a tick that runs is not the next', async () => {
  let ticks = 0;
  const first = Promise.withResolvers<void>();
  const look = oneLook(async () => {
    ticks += 1;
    if (ticks === 1) await first.promise;
  }, 60_000);
  const running = look('at once');
  await expect.poll(() => ticks).toBe(1);
  const next = [look('in turn'), look('in turn'), look('at once')];
  first.resolve();
  await Promise.all([running, ...next]);
  expect(ticks).toBe(2);
});

test('one kill too few, one violation, a slow hand-over or slower orders keep the leases', () => {
  const holds = criteria([run({})]);
  expect(holds.map(({ isMet }) => isMet)).toEqual([true, true, true, true]);
  const broken = [
    { kills: 9_999 },
    { violations: ['an order twice'] },
    { takenOverMs: 2_001 },
    { fanOutMs: 106 },
  ];
  expect(broken.map((one) => criteria([run(one)]).map(({ isMet }) => isMet))).toEqual([
    [false, true, true, true],
    [true, false, true, true],
    [true, true, false, true],
    [true, true, true, false],
  ]);
});

type Made = { kills?: number; violations?: string[]; takenOverMs?: number; fanOutMs?: number };

function run({ kills = 10_000, violations = [], takenOverMs = 2_000, fanOutMs = 105 }: Made): TrialRun {
  const strikes = { 'kill of a trader': { times: kills, takenOverMs: [takenOverMs], givenMs: [] } };
  const idle = {
    wallMs: 1,
    transactions: 0,
    traderCpuMs: 0,
    databaseCpuMs: 0,
    serverCpuMs: 0,
    traderMib: 0,
    serverMib: 0,
  };
  return {
    date: '',
    commit: '',
    command: '',
    seed: 1,
    load: {
      deployments: 1,
      connections: 1,
      leases: { fanOutMs: [100], idle },
      restate: { fanOutMs: [fanOutMs], idle },
    },
    machineLoad: [0, 0],
    campaigns: [{ way: 'restate', orders: 1, fills: 1, violations, strikes }],
  };
}

/** Where its packages were installed: `npm run assignment-trial` does. */
const PLAYED = WAYS.filter((way) => way === 'leases' || hasRestate());

test.each(PLAYED)(
  'two strikes at what %s assigns are taken over, and lose nothing',
  { timeout: 300_000 },
  async (way) => {
    const campaign = await runCampaign(way, { kills: 2, seed: 1, people: 2, say: () => undefined });
    expect(campaign.violations).toEqual([]);
    expect(campaign.struck).toHaveLength(2);
    expect(campaign.orders).toBeGreaterThan(0);
    const kept = Object.entries(keptCampaign(campaign).strikes).filter(([name]) => name !== PAUSE);
    expect(kept.every(([, { takenOverMs, givenMs }]) => takenOverMs.length > 0 && givenMs.length > 0)).toBe(
      true,
    );
  },
);

const PAUSE: StrikeName = 'pause longer than a lease';
