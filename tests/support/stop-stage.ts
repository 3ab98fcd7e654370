// Deployments of one share with a stop loss, at a scripted venue that accepts stops: deployed and filled, or brought there,
// and checked from both sides.
import type { RequestedStatus } from '#engine/lifecycle/status.ts';
import { requestStatus } from './deployment-commands.ts';
import { afterAll, beforeEach } from 'vitest';
import { testDatabase } from './test-database.ts';
import { BOTH_ABOVE_30, tradingWorld } from './trading-world.ts';

export async function stopStage({ keepsStopsApart = false } = {}) {
  const handle = await testDatabase();
  const world = await tradingWorld(handle, () => 0, ['equity'], keepsStopsApart);
  const { market, venue } = world;
  const version = await world.addStrategy({ ...BOTH_ABOVE_30, universe: ['AAA'], name: 'One share' });
  afterAll(() => world.trader.close());

  const rows = async (query: string, ...values: unknown[]) => (await handle.pool.query(query, values)).rows;
  const orders = async (id: string) =>
    (
      await rows(
        `select side, quantity::float as quantity, purpose, status from orders where deployment_id = $1 order by created_at, id`,
        id,
      )
    ).map((row) => `${row.side} ${row.quantity} ${row.purpose} ${row.status}`);
  const held = async (id: string) =>
    (await rows(`select quantity::float as quantity from positions where deployment_id = $1`, id))[0]
      ?.quantity ?? 0;
  const command = (id: string, requested: RequestedStatus) => requestStatus(handle.pool, id, requested);
  const limit = (id: string, percent: number) =>
    handle.pool.query(`update deployments set stop_loss_percentage = $2 where id = $1`, [id, percent]);
  const runTicks = async () => {
    world.wait(60_000);
    return world.trader.tick();
  };
  /** Orders that are working at the venue. */
  const workingStops = (account: string) =>
    venue.orders
      .filter(
        (order) => order.accountId === account && order.stopPrice !== null && order.status === 'working',
      )
      .map(({ side, quantity, stopPrice }) => `${side} ${quantity / 1e8} at ${stopPrice}`);
  let accounts = 0;
  /** Deployed and filled: 80 AAA at 100, with a stop loss of ten percent. */
  const invested = async (options: { stopLoss?: number; account?: string } = {}) => {
    const account = options.account ?? `DUS${++accounts}`;
    const id = await world.deploy(version, { stopLoss: 10, account, ...options });
    await runTicks();
    market.openDay();
    await runTicks();
    return { id, account };
  };

  beforeEach(async () => {
    venue.matches = true;
    venue.cancellations = 'at once';
    venue.hidesStops = false;
    venue.fillsAtMost = null;
    venue.faults.length = 0;
    for (const { id } of await rows(
      `select id from deployments where status in ('active', 'paused', 'frozen')`,
    ))
      await command(id, 'stopped');
    market.setPrice('AAA', 100);
    // No order of one test is sent in the next: one of unknown fate takes days to end.
    const isOver = async () =>
      (await rows(`select from orders where status in ('intended', 'sending', 'working', 'unknown')`))
        .length === 0;
    for (let day = 0; day < 3 || (day < 8 && !(await isOver())); day++) {
      market.openDay();
      await runTicks();
    }
    market.setPrice('AAA', 100);
    market.closeDay();
    await runTicks();
    await runTicks();
  });

  return {
    handle,
    world,
    market,
    venue,
    version,
    rows,
    orders,
    held,
    command,
    limit,
    runTicks,
    workingStops,
    holds: () => world.everythingHolds(),
    invested,
  };
}
