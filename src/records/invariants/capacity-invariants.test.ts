import { afterAll, expect, test } from 'vitest';
import { admitWaiting, takePlace } from '#records/strategies/capacity-queue.ts';
import { requestStatus } from '#tests/support/deployment-commands.ts';
import { testDatabase } from '#tests/support/test-database.ts';
import { BOTH_ABOVE_30, tradingWorld } from '#tests/support/trading-world.ts';
import type { DeploymentId, StrategyId } from '#units/identifiers.ts';
import { toMicro } from '#units/money.ts';
import { CAPACITY_INVARIANTS } from './capacity-invariants.ts';

const handle = await testDatabase();
const { database, owner, pool } = handle;
const world = await tradingWorld(handle);
afterAll(() => world.trader.close());

const version = await world.addStrategy(BOTH_ABOVE_30);
const { rows } = await pool.query('select strategy_id as id from strategy_versions');
const strategyId = rows[0].id as StrategyId;
const limit = (dollars: number) =>
  pool.query(`insert into capacity_limits (strategy_id, limit_micro, set_by) values ($1, $2, 'x')`, [
    strategyId,
    dollars * 1_000_000,
  ]);
async function follow(dollars: number): Promise<{ readonly id: DeploymentId; readonly is: string }> {
  const id = await world.deploy(version, { investment: dollars });
  const is = await database
    .transaction()
    .execute((trx) =>
      takePlace(trx, { strategyId, deploymentId: id, flowId: null, amount: toMicro(dollars) }),
    );
  return { id, is };
}
const letIn = () => database.transaction().execute((trx) => admitWaiting(trx, strategyId));
const broken = async () => {
  const found = [];
  for (const { says, find } of CAPACITY_INVARIANTS)
    if ((await find(database)).length > 0) found.push(says.split(':')[0]);
  return found;
};

await limit(25_000);
const first = await follow(15_000);
const large = await follow(20_000);
const small = await follow(5_000);

test('a queue in which a small amount would fit before a large one keeps its order, and every invariant holds', async () => {
  await letIn();
  expect([first.is, large.is, small.is]).toEqual(['admitted', 'waits', 'waits']);
  expect(await broken()).toEqual([]);
});

test('who signs once there is room for everybody still waits behind those who were not let in yet', async () => {
  await limit(45_000);
  expect((await follow(1_000)).is).toBe('waits');
  // Less room again, before anybody looked.
  await limit(25_000);
  await letIn();
  expect(await broken()).toEqual([]);
});

test('who asks for more than the whole capacity is passed over, and that overtakes nobody', async () => {
  await limit(19_000);
  await pool.query('update deployments set equity_micro = 9000000000 where id = $1', [first.id]);
  expect((await letIn()).map(({ deploymentId }) => deploymentId)).toContain(small.id);
  await pool.query('update deployments set equity_micro = 15000000000 where id = $1', [first.id]);
  expect(await broken()).toEqual([]);
});

test('each planted corruption is found, and nothing else', async () => {
  const spoil = async (query: string, ...values: unknown[]) => {
    await owner.query('alter table capacity_places disable trigger all');
    await owner.query(query, values);
    await owner.query('alter table capacity_places enable trigger all');
    return broken();
  };
  const place = 'update capacity_places set';
  const { id } = await follow(2_000);
  expect(
    await spoil(
      `${place} admitted_at = clock_timestamp(), in_use_micro = 0, capacity_micro = 25000000000 where deployment_id = $1`,
      id,
    ),
  ).toEqual(['Nobody in the queue of a strategy was overtaken']);
  expect(
    await spoil(
      `${place} admitted_at = null, in_use_micro = null, capacity_micro = null where deployment_id = $1`,
      id,
    ),
  ).toEqual([]);
  expect(await spoil(`${place} amount_micro = amount_micro + 1 where deployment_id = $1`, id)).toEqual([
    'Each place is for the strategy and the amount that its owner asked for, with real money',
  ]);
  expect(await spoil(`${place} amount_micro = amount_micro - 1 where deployment_id = $1`, id)).toEqual([]);
  await pool.query(`update deployments set status = 'active' where id = $1`, [large.id]);
  expect(await broken()).toEqual(['Nobody is both waiting and in']);
  await pool.query(`update deployments set status = 'pending' where id = $1`, [large.id]);
  await world.deploy(version, { investment: 1_000 });
  expect(await broken()).toEqual(['Since a strategy counts its places, every real deployment of it has one']);
});

test('who asked to leave is overtaken by nobody', async () => {
  await requestStatus(pool, large.id, 'stopped');
  await letIn();
  expect(await broken()).toEqual(['Since a strategy counts its places, every real deployment of it has one']);
});
