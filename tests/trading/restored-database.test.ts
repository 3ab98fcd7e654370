// The database goes back to an earlier moment, and the broker does not: what was sent after that moment is neither sent again nor
// lost.
import { afterAll, describe, expect, test } from 'vitest';
import { lockShards } from '#records/operations/trading-shards.ts';
import { markRestoration } from '#records/recovery/restorations.ts';
import { keepMoment } from '#tests/support/restored-world.ts';
import { testDatabase } from '#tests/support/test-database.ts';
import { tradingWorld, BOTH_ABOVE_30 } from '#tests/support/trading-world.ts';
import { wallInstant } from '#units/wall-instant.ts';

/** After a close: AAA at 100 and BBB at 40, and nobody has deployed yet. */
async function stage() {
  const handle = await testDatabase();
  const world = await tradingWorld(handle);
  const version = await world.addStrategy(BOTH_ABOVE_30);
  world.market.closeDay();
  await world.runTicks();
  let moment: Awaited<ReturnType<typeof keepMoment>> | null = null;
  afterAll(async () => {
    await world.trader.close();
    await moment?.forget();
  });
  return {
    handle,
    world,
    deploy: (options = {}) => world.deploy(version, options),
    async keep() {
      moment = await keepMoment(world, handle);
      return moment;
    },
    held: async (deployment: string) => (await handle.pool.query(HELD, [deployment])).rows,
    submittedOnce() {
      const { submissions } = world.venue;
      expect(new Set(submissions).size).toBe(submissions.length);
    },
  };
}

const HELD = `select symbol, quantity::float8 as quantity from positions where deployment_id = $1 order by symbol`;

describe('after the records went back', async () => {
  const { world, deploy, keep, held, submittedOnce } = await stage();

  test('what was decided, sent and filled after the moment is booked for its deployment, and not sent again', async () => {
    const deployment = await deploy();
    const moment = await keep();
    await world.runTicks();
    world.market.openDay();
    await world.runTicks();
    const before = await held(deployment);
    expect(before).toHaveLength(2);
    const sent = world.venue.submissions.length;

    const after = await moment.restore();
    expect(await after.rows(HELD, deployment)).toEqual([]);
    await after.runTicks(3);
    expect(await after.rows(HELD, deployment)).toEqual(before);
    const orders = await after.rows(`select status from orders where deployment_id = $1`, deployment);
    expect(orders).toEqual([{ status: 'filled' }, { status: 'filled' }]);
    expect(world.venue.submissions).toHaveLength(sent);
    // It had not begun in the restored records: it begins, and what it holds is not sized again.
    await after.runTicks(3);
    expect(await after.rows(`select status from deployments where id = $1`, deployment)).toEqual([
      { status: 'active' },
    ]);
    expect(world.venue.submissions).toHaveLength(sent);
    expect(await after.rows(`select 1 from unsettled_connections`)).toEqual([]);
    expect(
      await after.rows(
        `select ended_at is not null as ended from incidents where kind = 'database_restored'`,
      ),
    ).toEqual([{ ended: true }]);
    submittedOnce();
    await after.everythingHolds();
  });
});

describe('what only waited to be sent at the moment', async () => {
  const { world, deploy, keep, held, submittedOnce } = await stage();

  test('is looked for, booked, and not sent again', async () => {
    const deployment = await deploy();
    world.venue.onCall = (call) => {
      if (call === 'submit') throw new Error('the line is busy');
    };
    world.venue.down = true;
    await world.runTicks();
    const moment = await keep();
    world.venue.down = false;
    world.venue.onCall = null;
    await world.runTicks();
    world.market.openDay();
    await world.runTicks();
    const before = await held(deployment);
    expect(before).toHaveLength(2);
    const sent = world.venue.submissions.length;

    const after = await moment.restore();
    await after.runTicks(6);
    expect(await after.rows(HELD, deployment)).toEqual(before);
    expect(world.venue.submissions).toHaveLength(sent);
    submittedOnce();
    await after.everythingHolds();
  });
});

describe('a target of a close after the moment', async () => {
  const { world, deploy, keep, held, submittedOnce } = await stage();

  test('is decided again with the same ids: its sales are taken in', async () => {
    const deployment = await deploy();
    await world.runTicks();
    world.market.openDay();
    await world.runTicks();
    const moment = await keep();
    world.market.setPrice('AAA', 20);
    world.market.closeDay();
    await world.runTicks();
    world.market.openDay();
    await world.runTicks();
    const before = await held(deployment);
    expect(before.map(({ symbol }) => symbol)).toEqual(['BBB']);
    const sent = world.venue.submissions.length;

    const after = await moment.restore();
    expect(await after.rows(HELD, deployment)).toHaveLength(2);
    await after.runTicks(6);
    expect(await after.rows(HELD, deployment)).toEqual(before);
    expect(world.venue.submissions).toHaveLength(sent);
    submittedOnce();
    await after.everythingHolds();
  });
});

describe('a broker that does not answer after the restore', async () => {
  const { world, deploy, keep, submittedOnce } = await stage();

  test('is sent nothing, and nothing is decided; trading goes on once it has answered', async () => {
    const deployment = await deploy();
    const moment = await keep();
    const after = await moment.restore();
    world.venue.down = true;
    await after.runTicks(3);
    expect(await after.rows(`select id from orders where deployment_id = $1`, deployment)).toEqual([]);
    world.venue.down = false;
    await after.runTicks(6);
    world.market.openDay();
    await after.runTicks(6);
    expect(await after.rows(HELD, deployment)).toHaveLength(2);
    submittedOnce();
    await after.everythingHolds();
  });
});

describe('a fill of a deployment that began after the moment', async () => {
  const { world, handle, deploy, keep } = await stage();

  test('waits for a person, and its instrument opens nothing more in the account', async () => {
    const first = await deploy();
    const [{ connection }] = (
      await handle.pool.query(`select broker_connection_id as connection from deployments where id = $1`, [
        first,
      ])
    ).rows;
    const moment = await keep();
    // Another one of the same person, with a line of its own in the account.
    await handle.owner.query(
      `insert into deployments select (jsonb_populate_record(d, jsonb_build_object('id', gen_random_uuid()))).*
        from deployments d where d.id = $1`,
      [first],
    );
    await world.runTicks();
    world.market.openDay();
    await world.runTicks();
    const sent = world.venue.submissions.length;
    expect(sent).toBe(4);

    const after = await moment.restore();
    await after.runTicks(8);
    expect(await after.rows(HELD, first)).toHaveLength(2);
    expect(world.venue.orders.slice(sent)).toEqual([]);
    const waiting = await after.rows(
      `select hold_code, count(*)::int as fills from broker_inbox where connection_id = $1 and closed_at is null group by 1`,
      connection,
    );
    expect(waiting).toEqual([{ hold_code: 'order_lost', fills: 2 }]);
    const open = await after.rows(
      `select distinct facts->>'code' as code from incidents where kind = 'execution_held' and ended_at is null`,
    );
    expect(open).toEqual([{ code: 'order_lost' }]);
  });
});

describe('the mark', async () => {
  const { world, handle } = await stage();

  test('a trader from before the moment can never hold a shard of the restored records', async () => {
    await world.runTicks();
    const { rows } = await handle.pool.query(
      `select shard, fence::text from trading_shards where shard < 64`,
    );
    await world.trader.close();
    await markRestoration(handle.database, wallInstant(1), { stated: true });
    const locked = await handle.database.transaction().execute((trx) => lockShards(trx, rows));
    expect([...locked]).toEqual([]);
    // Whoever holds them now counts on from far above.
    const [{ lowest }] = (await handle.pool.query(`select min(fence)::float8 as lowest from trading_shards`))
      .rows;
    expect(lowest).toBeGreaterThanOrEqual(1_000_000_000);
  });

  test('a database that PostgreSQL took to another timeline or cluster is marked once; one that stayed is not', async () => {
    const marked = () => markRestoration(handle.database, wallInstant(1));
    const now = await marked();
    expect(await marked()).toBe(now);
    const noted = `update settings set value = value || $1::jsonb where key = 'database-place'`;
    await handle.pool.query(noted, [{ timeline: '00000009' }]);
    expect(await marked()).toBe(now + 1);
    expect(await marked()).toBe(now + 1);
    await handle.pool.query(noted, [{ cluster: '1' }]);
    expect(await marked()).toBe(now + 2);
    const { rows } = await handle.pool.query(`select cause from restorations where id > $1 order by id`, [
      now,
    ]);
    expect(rows).toEqual([{ cause: 'timeline' }, { cause: 'cluster' }]);
  });
});
