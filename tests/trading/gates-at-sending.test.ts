import { afterAll, beforeEach, expect, test } from 'vitest';
import { testDatabase } from '../support/test-database.ts';
import { BOTH_ABOVE_30, tradingWorld } from '../support/trading-world.ts';
import { withoutGuards } from '../support/without-guards.ts';

const handle = await testDatabase();
const world = await tradingWorld(handle);
const { market, venue } = world;
const version = await world.addStrategy(BOTH_ABOVE_30, 3);
afterAll(() => world.trader.close());

const rows = async (query: string, ...values: unknown[]) => (await handle.pool.query(query, values)).rows;
const statuses = async (id: string) =>
  (
    await rows(`select symbol, status from orders where deployment_id = $1 order by symbol, decided_at`, id)
  ).map((row) => `${row.symbol} ${row.status}`);
const runTicks = () => {
  world.wait(60_000);
  return world.trader.tick();
};
/** Decided and written while every gate was open, and not sent. */
const decided = async () => {
  const id = await world.deploy(version);
  venue.down = true;
  await runTicks();
  expect(await statuses(id)).toEqual(['AAA intended', 'BBB intended']);
  return id;
};
const owner = `(select user_id from deployments where id = $1)`;
const connection = `(select broker_connection_id from deployments where id = $1)`;

beforeEach(() => {
  market.closeDay();
});

test('a purchase is not sent once the risk profile no longer allows the strategy', async () => {
  const id = await decided();
  await rows(`update risk_profiles set risk_score = 2 where user_id = ${owner}`, id);
  venue.down = false;
  const before = venue.submissions.length;
  await runTicks();
  expect(venue.submissions).toHaveLength(before);
  expect(await statuses(id)).toEqual(['AAA withdrawn', 'BBB withdrawn']);
  expect(await rows(`select distinct reason_code from orders where deployment_id = $1`, id)).toEqual([
    { reason_code: 'not_suitable' },
  ]);
});

/** The gate shuts between the list of what is to be sent and the look at this order. */
const shutsAsItIsSent = async (shut: (id: string) => Promise<unknown>) => {
  const id = await decided();
  venue.down = false;
  let isShut = false;
  // The last question before orders leave.
  venue.onCall = async (call) => {
    if (call !== 'submitOrder' || isShut) return;
    isShut = true;
    await shut(id);
  };
  const other = await world.deploy(version);
  const before = venue.submissions.length;
  await runTicks();
  venue.onCall = null;
  expect(isShut).toBe(true);
  return { id, other, sent: venue.submissions.length - before };
};

test('a kill switch that comes while one order leaves stops the next one of the same list', async () => {
  const { sent } = await shutsAsItIsSent(() =>
    rows(
      `insert into kill_switches (id, scope, target, cancels_working, because, set_by)
       values (gen_random_uuid(), 'global', null, false, 'prices look wrong', 'test')`,
    ),
  );
  await rows(`update kill_switches set lifted_by = 'test', lifted_at = now()`);
  // Those that were on their way at that moment, one of each connection, and no second one.
  expect(sent).toBeLessThanOrEqual(2);
});

test('a connection that is revoked while one order leaves stops the next one of the same list', async () => {
  const { id } = await shutsAsItIsSent((deployment) =>
    rows(`update broker_connections set status = 'revoked' where id = ${connection}`, deployment),
  );
  const own = (await statuses(id)).filter((one) => !one.endsWith('intended'));
  expect(own.length).toBeLessThanOrEqual(1);
  expect((await statuses(id)).some((one) => one.endsWith('intended'))).toBe(true);
});

test('what was decided by a later reading of the clock than the look’s is not sent before it was decided', async () => {
  const id = await decided();
  await withoutGuards(
    handle.pool,
    `update orders set decided_at = decided_at + interval '2 minutes' where deployment_id = '${id}'`,
  );
  venue.down = false;
  await runTicks();
  const times = `select bool_and(sent_at = decided_at) as same, count(*)::int as n from orders where deployment_id = $1`;
  expect(await rows(times, id)).toEqual([{ same: true, n: 2 }]);
});
