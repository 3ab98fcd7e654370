// The desk and the metrics show the same figures of how the product runs.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OperationsDesk } from '#contract/operations/operations.ts';
import { addLatencies, createStageCounts, LATENCY_BOUNDS } from '#records/operations/chain-latencies.ts';
import { giveRole } from '#tests/support/give-role.ts';
import { testApp } from '#tests/support/test-app.ts';
import { signedInPerson } from '#tests/support/test-person.ts';
import { BOTH_ABOVE_30, tradingWorld } from '#tests/support/trading-world.ts';

const app = await testApp();
const world = await tradingWorld(app.records);
const { market, venue } = world;
afterAll(() => world.trader.close());
const sue = await signedInPerson(app);
await giveRole(app.records, sue, 'support');

const desk = async (): Promise<OperationsDesk> =>
  (await app.request({ url: '/api/operations/', token: sue.token })).body;
const metric = async (line: string): Promise<number> => {
  const { text } = await app.request({ url: '/api/metrics' });
  const found = text.split('\n').find((one) => one.startsWith(`${line} `));
  if (found === undefined) throw new Error(`no line ${line}`);
  return Number(found.slice(line.length + 1));
};

beforeAll(async () => {
  const version = await world.addStrategy(BOTH_ABOVE_30);
  await world.deploy(version, { account: 'DU1' });
  venue.faults.push('lost, not accepted');
  market.unquoted = 'USDJPY';
  market.closeDay();
  await world.runTicks();
});

test('orders, prices, connections and the length of a round are those of the trader', async () => {
  const { running } = await desk();
  expect(running.orders).toEqual({ intended: 0, sending: 0, working: 1, unknown: 1 });
  for (const status of ['intended', 'sending', 'working', 'unknown'] as const)
    expect(await metric(`orders_open{status="${status}"}`)).toBe(running.orders[status]);
  expect(running.feeds).toMatchObject({ vendors: [], missing: 1, refused: 0, doubted: 0, halted: 0 });
  for (const state of ['accepted', 'missing', 'refused', 'doubted', 'halted'] as const)
    expect(await metric(`feed_prices{state="${state}"}`)).toBe(running.feeds![state]);
  expect(running.feeds!.accepted).toBeGreaterThan(1);
  expect(running.connections).toEqual([{ state: 'connected', count: 1 }]);
  expect(await metric('trader_round_seconds')).toBe(running.round_seconds);
  expect(running.round_seconds).toBeGreaterThan(0);
});

test('background jobs are those that are due, and a later attempt is not', async () => {
  await app.request({ method: 'POST', url: '/api/auth/password/reset/', body: { email: sue.email } });
  const mails = async () => (await desk()).running.jobs.find(({ queue }) => queue === 'mails')!;
  const { waiting, oldest_at: oldestAt } = await mails();
  expect(waiting).toBeGreaterThan(0);
  expect(oldestAt).not.toBeNull();
  expect(await metric('jobs_waiting{queue="mails"}')).toBe(waiting);
  await app.records.pool.query(
    `update pgboss.job set start_after = now() + interval '1 hour' where name = 'mails' and state < 'active'`,
  );
  expect(await mails()).toMatchObject({ title: 'E-mail', waiting: 0, running: 0, oldest_at: null });
  expect(await metric('job_oldest_seconds{queue="mails"}')).toBe(0);
});

test('the stages of the chain are a histogram that adds up over traders and restarts', async () => {
  await app.records.pool.query('delete from chain_latencies');
  for (const seconds of [
    [0.004, 0.2],
    [0.2, 4_000],
  ]) {
    const counts = createStageCounts();
    for (const one of seconds) counts.count('fill', one);
    const taken = counts.take();
    counts.giveBack(taken);
    await addLatencies(app.records.database, counts.take());
  }
  const bucket = (le: string) => metric(`chain_stage_duration_seconds_bucket{stage="fill",le="${le}"}`);
  expect([await bucket('0.005'), await bucket('0.1'), await bucket('0.25'), await bucket('900')]).toEqual([
    1, 1, 3, 3,
  ]);
  expect(await bucket('+Inf')).toBe(4);
  expect(await metric('chain_stage_duration_seconds_count{stage="fill"}')).toBe(4);
  expect(await metric('chain_stage_duration_seconds_sum{stage="fill"}')).toBeCloseTo(4_000.404);
  expect(await metric('chain_stage_duration_seconds_count{stage="send"}')).toBe(0);
  expect(LATENCY_BOUNDS.toSorted((a, b) => a - b)).toEqual(LATENCY_BOUNDS);
});
