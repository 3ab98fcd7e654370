// Money added to a running deployment and withdrawn from it, by the trader over real PostgreSQL: books, orders, notices, and what happens
// when a request meets something else.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { cancelFlow, requestFlow } from '#records/deployments/deployment-flows.ts';
import type { FlowKind } from '#engine/execution/flows/flow.ts';
import type { DeploymentId } from '#units/identifiers.ts';
import { DAY_MS, type Instant } from '#units/instant.ts';
import { toMicro } from '#units/money.ts';
import { requestStatus, setStatus } from '../support/deployment-commands.ts';
import { testDatabase } from '../support/test-database.ts';
import { BOTH_ABOVE_30, tradingWorld } from '../support/trading-world.ts';

const handle = await testDatabase();
const { database, pool } = handle;
const world = await tradingWorld(handle);
const { market, venue } = world;
const version = await world.addStrategy(BOTH_ABOVE_30);
await pool.query('update strategies set min_investment_micro = 5000e6');
afterAll(() => world.trader.close());

const rows = async (query: string, ...values: unknown[]) => (await pool.query(query, values)).rows;
const runTicks = () => world.runTicks(3);
const ask = async (deploymentId: DeploymentId, kind: FlowKind, dollars: number) => {
  const flow = { id: randomUUID(), deploymentId, kind, requested: toMicro(dollars), at: market.now() };
  const isNew = await database.transaction().execute((trx) => requestFlow(trx, flow));
  return isNew ? flow.id : null;
};
const flowOf = async (id: string | null) =>
  (
    await rows(
      `select status, reason_code as reason, moved_micro::float / 1e6 as moved from deployment_flows where id = $1`,
      id,
    )
  )[0];
const standing = async (id: string) =>
  (
    await rows(
      `select status, cash_micro::float / 1e6 as cash, investment_micro::float / 1e6 as amount, equity_micro::float / 1e6 as equity,
         equity_micro::float / return_base_micro - 1 as return, 1 - equity_micro::float / peak_equity_micro as drawdown
       from deployments where id = $1`,
      id,
    )
  )[0];
const units = async (id: string) =>
  Object.fromEntries(
    (
      await rows(
        `select symbol, quantity::float as q from positions where deployment_id = $1 order by symbol`,
        id,
      )
    ).map(({ symbol, q }) => [symbol, q]),
  );
const notices = async (id: string) =>
  (
    await rows(
      `select kind, facts->>'reason' as reason from notifications where deployment_id = $1
       and kind = any('{money_added,money_withdrawn,flow_refused}') order by written_at`,
      id,
    )
  ).map(({ kind, reason }) => (reason === null ? kind : `${kind} ${reason}`));
/** What the broker reports for the account, read just now. */
const reports = async (id: DeploymentId, dollars: number) => {
  await pool.query(
    `insert into account_cash (account_id, cash_micro, claimed_micro, read_at)
     select c.account_id, $2::float8 * 1e6, (select sum(o.cash_micro) from deployments o where o.broker_connection_id = c.id),
       clock_timestamp() from deployments d join broker_connections c on c.id = d.broker_connection_id where d.id = $1
     on conflict (account_id) do update set cash_micro = excluded.cash_micro, claimed_micro = excluded.claimed_micro,
       read_at = excluded.read_at`,
    [id, dollars],
  );
};
const invested = async (options: Parameters<typeof world.deploy>[1] = {}) => {
  const id = await world.deploy(version, options);
  await runTicks();
  market.openDay();
  await runTicks();
  expect(await units(id)).toEqual({ AAA: 40, BBB: 100 });
  return id;
};

beforeEach(async () => {
  venue.matches = true;
  venue.down = false;
  market.setPrice('AAA', 100);
  market.setPrice('BBB', 40);
  market.closeDay();
  await runTicks();
});

test('a deposit is booked at once, buys with the next orders, and changes neither the return nor the drawdown', async () => {
  const id = await invested();
  market.setPrice('AAA', 110);
  await runTicks();
  const before = await standing(id);
  await reports(id, 50_000);
  const flow = await ask(id, 'deposit', 10_000);
  await world.trader.tick();
  expect(await flowOf(flow)).toEqual({ status: 'done', reason: null, moved: 10_000 });
  const after = await standing(id);
  expect(after).toMatchObject({
    amount: 20_000,
    cash: before!.cash + 10_000,
    equity: before!.equity + 10_000,
  });
  expect(after!.return).toBeCloseTo(before!.return, 9);
  expect(after!.drawdown).toBeCloseTo(before!.drawdown, 9);
  await runTicks();
  expect(await units(id)).toEqual({ AAA: 74, BBB: 203 });
  expect(await notices(id)).toEqual(['money_added']);
  await world.everythingHolds();
});

test('a withdrawal of free cash is done at once; more waits until positions are reduced, and takes what was asked for', async () => {
  const id = await invested();
  const small = await ask(id, 'withdrawal', 500);
  await world.trader.tick();
  expect(await flowOf(small)).toEqual({ status: 'done', reason: null, moved: 500 });
  await runTicks();
  const large = await ask(id, 'withdrawal', 4_000);
  await world.trader.tick();
  expect(await flowOf(large)).toEqual({ status: 'pending', reason: 'awaits_sales', moved: null });
  await runTicks();
  await runTicks();
  expect(await flowOf(large)).toEqual({ status: 'done', reason: null, moved: 4_000 });
  expect(await standing(id)).toMatchObject({ status: 'active', amount: 5_500 });
  const held = await units(id);
  expect(held.AAA).toBeLessThan(23);
  expect(await notices(id)).toEqual(['money_withdrawn', 'money_withdrawn']);
  await world.everythingHolds();
});

test('a deployment is never left below the minimum of its strategy', async () => {
  const id = await invested();
  market.setPrice('AAA', 60);
  market.setPrice('BBB', 31);
  await runTicks();
  const { equity } = (await standing(id))!;
  const flow = await ask(id, 'withdrawal', 4_000);
  for (let i = 0; i < 3; i++) await runTicks();
  const [done] = await rows(
    `select moved_micro::float / 1e6 as moved, (value_before_micro - moved_micro)::float / 1e6 as left from deployment_flows where id = $1`,
    flow,
  );
  expect(done!.moved).toBeLessThan(4_000);
  expect(done!.moved).toBeGreaterThan(equity - 5_000 - 100);
  expect(done!.left).toBeGreaterThanOrEqual(5_000);
  market.setPrice('AAA', 50);
  await runTicks();
  const none = await ask(id, 'withdrawal', 1_000);
  await world.trader.tick();
  expect(await flowOf(none)).toMatchObject({ status: 'refused', reason: 'below_minimum' });
  await world.everythingHolds();
});

test('two deposits cannot take the same cash, and one that the account does not hold is refused', async () => {
  const [one, other] = [await invested(), await invested()];
  await reports(one, 10_000 + 2_000);
  const first = await ask(one, 'deposit', 2_000);
  expect(await ask(one, 'deposit', 2_000)).toBeNull();
  await world.trader.tick();
  expect(await flowOf(first)).toMatchObject({ status: 'done' });
  const second = await ask(one, 'deposit', 9_000);
  await world.trader.tick();
  expect(await flowOf(second)).toMatchObject({ status: 'refused', reason: 'cash_not_enough' });
  expect(await notices(one)).toEqual(['money_added', 'flow_refused cash_not_enough']);
  expect(await notices(other)).toEqual([]);
  await world.everythingHolds();
});

test('a deposit waits for a broker that says nothing, for a day, and moves nothing until then', async () => {
  const id = await invested();
  await pool.query(`delete from account_cash`);
  venue.down = true;
  const flow = await ask(id, 'deposit', 1_000);
  await runTicks();
  expect(await flowOf(flow)).toMatchObject({ status: 'pending', reason: 'cash_not_reported' });
  expect(await standing(id)).toMatchObject({ amount: 10_000 });
  const before = market.now();
  while (market.now() < ((before + DAY_MS) as Instant)) {
    market.closeDay();
    market.openDay();
  }
  await runTicks();
  expect(await flowOf(flow)).toMatchObject({ status: 'refused', reason: 'cash_not_reported' });
  venue.down = false;
  await runTicks();
  await world.everythingHolds();
});

test.each([
  ['paused', 'withdrawal', 'pending', 'paused'],
  ['paused', 'deposit', 'done', null],
  ['frozen', 'deposit', 'refused', 'frozen'],
  ['stopping', 'withdrawal', 'refused', 'closing'],
  ['stopping', 'deposit', 'refused', 'closing'],
] as const)('in a deployment that is %s a %s is %s', async (status, kind, outcome, reason) => {
  const id = await invested();
  venue.matches = false;
  if (status === 'frozen')
    await pool.query(`update deployments set status = 'frozen', frozen_at = now() where id = $1`, [id]);
  else if (status === 'paused') await setStatus(pool, id, 'paused');
  else await requestStatus(pool, id, 'stopped');
  await reports(id, 50_000);
  const flow = await ask(id, kind, 4_000);
  await world.trader.tick();
  expect(await flowOf(flow)).toMatchObject({ status: outcome, reason });
});

test('whether the strategy still suits its owner is asked again when money is added', async () => {
  const id = await invested();
  await pool.query(
    `update risk_profiles set risk_score = 1 where user_id = (select user_id from deployments where id = $1)`,
    [id],
  );
  await pool.query(`update strategies set risk_score = 5`);
  await reports(id, 50_000);
  const flow = await ask(id, 'deposit', 1_000);
  await world.trader.tick();
  expect(await flowOf(flow)).toMatchObject({ status: 'refused', reason: 'not_suitable' });
  await pool.query(`update strategies set risk_score = 1`);
});

test('a withdrawal that is cancelled lets its money be invested again', async () => {
  const id = await invested();
  await setStatus(pool, id, 'paused');
  const flow = await ask(id, 'withdrawal', 4_000);
  await world.trader.tick();
  await database
    .transaction()
    .execute((trx) => cancelFlow(trx, { id: flow!, deploymentId: id, at: market.now() }));
  await runTicks();
  expect(await flowOf(flow)).toMatchObject({ status: 'cancelled', moved: null });
  expect(await rows(`select withdrawing_micro::int as w from deployments where id = $1`, id)).toEqual([
    { w: 0 },
  ]);
  await world.everythingHolds();
});

test('a withdrawal whose sales find no buyer ends after seven days with what was free', async () => {
  const id = await invested();
  venue.matches = false;
  const flow = await ask(id, 'withdrawal', 4_000);
  await runTicks();
  expect(await flowOf(flow)).toMatchObject({ status: 'pending', reason: 'awaits_sales' });
  for (let day = 0; day < 8; day++) {
    market.closeDay();
    await runTicks();
    market.openDay();
    await runTicks();
  }
  const { status, moved } = (await flowOf(flow))!;
  expect(status).toBe('done');
  expect(moved).toBeGreaterThan(1_900);
  expect(moved).toBeLessThan(2_100);
  await world.everythingHolds();
});

test('a kill at any statement leaves a request undone or done, and never done twice', async () => {
  const id = await invested();
  await setStatus(pool, id, 'paused');
  await reports(id, 50_000);
  await world.trader.tick();
  let died = 0;
  for (let diesAt = 1; died === diesAt - 1; diesAt++) {
    const before = (await standing(id))!;
    const kind = diesAt % 2 === 1 ? 'deposit' : 'withdrawal';
    const flow = await ask(id, kind, 100);
    const survives = await tickUntil(diesAt);
    if (!survives) died += 1;
    await world.trader.tick();
    expect({ diesAt, flow: await flowOf(flow) }).toEqual({
      diesAt,
      flow: { status: 'done', reason: null, moved: 100 },
    });
    const moved = kind === 'deposit' ? 100 : -100;
    expect((await standing(id))!.amount).toBe(before.amount + moved);
    expect((await notices(id)).length).toBe(diesAt);
  }
  expect(died).toBeGreaterThan(10);
  expect(died).toBeLessThan(40);
  await world.everythingHolds();
});

/** One tick whose connection to the database is lost at a statement of the request's transaction; false where it was. */
async function tickUntil(diesAt: number): Promise<boolean> {
  const real = pool.connect.bind(pool);
  let statement = 0;
  pool.connect = (async () => {
    const client = await real();
    const query = client.query.bind(client);
    let isOfRequest = false;
    client.query = ((...args: Parameters<typeof query>) => {
      const [asked] = args as readonly unknown[];
      const text = typeof asked === 'string' ? asked : (asked as { readonly text: string }).text;
      isOfRequest ||= text.includes(
        'from deployment_flows f join deployments d on d.id = f.deployment_id join strategies',
      );
      if (isOfRequest) statement += 1;
      if (isOfRequest && statement >= diesAt)
        return Promise.reject(Object.assign(new Error('killed'), { code: '57P01' }));
      return query(...args);
    }) as typeof client.query;
    const release = client.release.bind(client);
    client.release = () => {
      client.query = query;
      client.release = release;
      release(isOfRequest && statement >= diesAt);
    };
    return client;
  }) as typeof pool.connect;
  await world.trader.tick().catch((error: Error) => expect(error.message).toBe('killed'));
  pool.connect = real;
  return statement < diesAt;
}
