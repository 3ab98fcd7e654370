// The drill of what protective stops leave to a person.
import { afterAll, expect, test } from 'vitest';
import { requestStatus } from '#tests/support/deployment-commands.ts';
import { drillDesk } from './drill-desk.ts';

const drill = await drillDesk(['equity']);
const { app, world, market, venue, runTicks, trading, desk, incidents, review, rows } = {
  ...drill,
  ...drill.world,
};
afterAll(() => world.trader.close());

test('a position whose stop the broker refuses is shown until a stop works', async () => {
  // Both purchases are taken, and no stop after them.
  venue.faults.push(null, null, ...Array.from({ length: 8 }, () => 'rejected' as const));
  await trading('DS1');
  await runTicks(3);
  await review();
  const [found] = await incidents('position_unprotected');
  expect(found).toMatchObject({ account: 'DS1', severity: 'today', deployments: 1 });
  venue.faults.length = 0;
  for (let day = 0; day < 4; day++) {
    market.closeDay();
    await runTicks(1);
    market.openDay();
    await runTicks(2);
  }
  await review();
  expect(await incidents('position_unprotected')).toEqual([]);
});

test('an exit that waits for a stop wakes an operator, who resolves the stop at the desk', async () => {
  const { id } = await trading('DS2');
  await runTicks(3);
  venue.cancellations = 'slow';
  await requestStatus(app.records.pool, id, 'stopped');
  await runTicks(4);
  await rows(`update orders set reason_since = now() - interval '10 minutes'
    where status = 'intended' and reason_code in ('stop_not_cancelled', 'stop_not_confirmed')`);
  expect((await review()).posted).toContain('incident.opened exit_waits_for_stop');
  expect((await incidents('exit_waits_for_stop'))[0]).toMatchObject({ account: 'DS2', severity: 'act_now' });
  // The broker confirms after all; where it never does, the stop is an unresolved order of the desk's list.
  expect((await desk()).orders.results.every(({ purpose }) => purpose === 'protective')).toBe(true);
  venue.cancellations = 'at once';
  for (const order of venue.orders)
    if (order.accountId === 'DS2' && order.stopPrice !== null && order.status === 'working')
      order.status = 'cancelled';
  await runTicks(4);
  expect((await review()).posted).toContain('incident.ended exit_waits_for_stop');
  expect(await incidents('exit_waits_for_stop')).toEqual([]);
});
