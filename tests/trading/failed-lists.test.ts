import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { testDatabase } from '../support/test-database.ts';
import { BOTH_ABOVE_30, tradingWorld } from '../support/trading-world.ts';

const handle = await testDatabase();
const world = await tradingWorld(handle);
const { market, venue } = world;
const version = await world.addStrategy(BOTH_ABOVE_30);
afterAll(() => world.trader.close());
const opened = venue.broker.openSession;
const broker = venue.broker as { openSession: typeof opened };

const rows = async (query: string, ...values: unknown[]) => (await handle.pool.query(query, values)).rows;
const statuses = async (id: string) =>
  (
    await rows(`select symbol, status from orders where deployment_id = $1 order by symbol, decided_at`, id)
  ).map(({ symbol, status }) => `${symbol} ${status}`);
const runTicks = () => {
  world.wait(60_000);
  return world.trader.tick();
};

/** One list fails from now on; everything else answers. */
async function breakList(which: 'orders' | 'executions' | 'positions'): Promise<void> {
  broker.openSession = async (credentials) => {
    const answer = await opened(credentials);
    if (answer.outcome === 'failed') return answer;
    const failed = { outcome: 'failed', code: 'unreachable', reason: `no ${which}` } as const;
    return { outcome: 'ok', value: { ...answer.value, [which]: async () => failed } };
  };
  await world.restart();
}
async function mend(): Promise<void> {
  broker.openSession = opened;
  await world.restart();
}

beforeEach(() => {
  market.closeDay();
});
afterEach(() => {
  broker.openSession = opened;
});

for (const which of ['orders', 'executions', 'positions'] as const) {
  test(`${which} that could not be read are not read as none: nothing is concluded and nothing is sent`, async () => {
    const id = await world.deploy(version);
    venue.faults.push('lost, accepted');
    venue.hidesOrders = true;
    await runTicks();
    expect(await statuses(id)).toEqual(['AAA unknown', 'BBB working']);
    await breakList(which);
    venue.hidesOrders = false;
    const before = venue.submissions.length;
    const later = await world.deploy(version);
    // The day of the lost order ends, and looks are further apart than the broker lists late.
    for (let i = 0; i < 4; i++) {
      market.advance(20 * 60_000);
      const { problems } = await runTicks();
      expect(problems.map(({ reason }) => reason).join()).toContain(`no ${which}`);
    }
    expect(venue.submissions).toHaveLength(before);
    expect(await statuses(later)).toEqual(['AAA intended', 'BBB intended']);
    await mend();
    await runTicks();
    expect(await statuses(id)).toEqual(['AAA working', 'BBB working']);
    expect(new Set(venue.submissions).size).toBe(venue.submissions.length);
  });
}
