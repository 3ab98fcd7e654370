import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { listToCheck } from '#records/brokerage/trading-connections.ts';
import { SHARDS } from '#records/operations/trading-shards.ts';
import { testDatabase } from '#tests/support/test-database.ts';
import { type PlacedOrder, tradingFloor } from '#tests/support/trading-floor.ts';
import type { TradingPerson } from '#tests/support/trading-rows.ts';
import type { BrokerConnectionId, DeploymentId } from '#units/identifiers.ts';

// Of the orders that work at a broker, only those are checked at each turn that may not be wanted any more.
describe('an order that works at the broker', async () => {
  const handle = await testDatabase();
  const floor = await tradingFloor(handle);
  const run = (text: string, ...values: readonly unknown[]) => handle.owner.query(text, [...values]);
  const shards = Array.from({ length: SHARDS }, (_, shard) => shard);

  let person: TradingPerson;
  let deployment: DeploymentId;
  let placed: PlacedOrder;

  beforeEach(async () => {
    person = await floor.person();
    deployment = await floor.deploy(person);
    [placed] = (await floor.order(person, [deployment])) as [PlacedOrder];
    await run(
      `update orders set status = 'working', broker_order_id = '7', sent_at = decided_at where id = $1`,
      placed.id,
    );
  });

  const isChecked = async (keeping: readonly string[] = []) =>
    (await listToCheck(handle.database, { shards, keeping })).has(person.connection as BrokerConnectionId);

  test('is left alone while its deployment follows the target that it follows', async () => {
    expect(await isChecked()).toBe(false);
    expect(await isChecked(['another vendor'])).toBe(false);
  });

  test('is checked at a vendor who keeps orders beyond their day', async () => {
    expect(await isChecked(['scripted'])).toBe(true);
  });

  test.each([
    [
      'its fate is not known',
      `update orders set status = 'unknown', reason_code = 'no_answer', reason_since = now() where id = $1`,
    ],
    [
      'it is being cancelled',
      `update orders set reason_code = 'cancel_requested', reason_since = now() where id = $1`,
    ],
  ])('is checked while %s', async (_, change) => {
    await run('alter table orders disable trigger user');
    await run(change, placed.id);
    await run('alter table orders enable trigger user');
    expect(await isChecked()).toBe(true);
  });

  test.each([
    ['a pause is requested', `requested_status = 'paused'`],
    ['its deployment is stopping', `status = 'stopping'`],
    ['its deployment is frozen', `frozen_at = now()`],
    ['returns are below the record', `tripwire_state = 'red'`],
  ])('is checked while %s', async (_, change) => {
    await run('alter table deployments disable trigger user');
    await run(`update deployments set ${change} where id = $1`, deployment);
    await run('alter table deployments enable trigger user');
    expect(await isChecked()).toBe(true);
  });

  test('is checked while another order of its account waits, over whichever connection', async () => {
    const other = await floor.person(person.account);
    await floor.order(other, [await floor.deploy(other)]);
    expect(await isChecked()).toBe(true);
  });

  test('is checked while any kill switch is on', async () => {
    await run(
      `insert into kill_switches (id, scope, target, cancels_working, because, set_by) values ($1, 'client', $2, true, 'b', 's')`,
      randomUUID(),
      randomUUID(),
    );
    expect(await isChecked()).toBe(true);
    await run(`update kill_switches set lifted_at = now(), lifted_by = 's'`);
    expect(await isChecked()).toBe(false);
  });

  test('is checked once a newer target moves weights', async () => {
    const insert = async (rebalance: boolean, minutes: number) =>
      run(
        `insert into targets (id, strategy_version_id, as_of, weights, rebalance, turn, receipt, hash)
         select $1, d.strategy_version_id, o.decided_at + $3 * interval '1 minute', '{}', $2, case when $2 then 1 end, '{}', 'h'
         from orders o join deployments d on d.id = o.deployment_id where o.id = $4`,
        randomUUID(),
        rebalance,
        minutes,
        placed.id,
      );
    await insert(false, 1);
    expect(await isChecked()).toBe(false);
    await insert(true, 2);
    expect(await isChecked()).toBe(true);
  });
});
