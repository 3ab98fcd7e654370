import { requestStatus } from '../support/deployment-commands.ts';
import { describe, expect, test } from 'vitest';
import { faultStage } from '../support/fault-stage.ts';
import { shownNotices } from '../support/shown-notices.ts';

const stage = await faultStage();
const { handle, world, market, venue, version, rows, statuses, submittedOnce, runTicks } = stage;

describe('a lost answer', () => {
  test('is unknown, never sent again, and adopted when the broker shows the order', async () => {
    const id = await world.deploy(version);
    venue.faults.push('lost, accepted');
    venue.hidesOrders = true;
    await runTicks();
    expect(await statuses(id)).toEqual(['AAA unknown', 'BBB working']);
    venue.hidesOrders = false;
    await runTicks();
    expect(await statuses(id)).toEqual(['AAA working', 'BBB working']);
    market.openDay();
    await runTicks();
    expect(await statuses(id)).toEqual(['AAA filled', 'BBB filled']);
    submittedOnce();
    await world.everythingHolds();
  });

  test('of an order that never arrived keeps it in quarantine until well after its day, then the target is tried again', async () => {
    const id = await world.deploy(version);
    venue.faults.push('lost, not accepted');
    await runTicks();
    market.openDay();
    await runTicks();
    market.closeDay();
    await runTicks();
    expect(await statuses(id)).toEqual(['AAA unknown', 'BBB filled']);
    for (let i = 0; i < 3; i++) {
      market.openDay();
      await runTicks();
    }
    expect(await statuses(id)).toEqual(['AAA expired', 'AAA filled', 'BBB filled']);
    submittedOnce();
    await world.everythingHolds();
  });

  test('of an order that has since filled is resolved by its execution', async () => {
    const id = await world.deploy(version);
    venue.faults.push('lost, accepted');
    venue.hidesOrders = true;
    await runTicks();
    market.openDay();
    await runTicks();
    venue.hidesOrders = false;
    expect(await statuses(id)).toEqual(['AAA filled', 'BBB filled']);
    submittedOnce();
    await world.everythingHolds();
  });
});

describe('a kill', () => {
  for (const fault of ['dies before', 'dies after'] as const) {
    test(`while sending (${fault} it reaches the broker) doubles no order and loses none`, async () => {
      const id = await world.deploy(version);
      venue.faults.push(fault, fault);
      await world.trader.tick();
      await world.restart();
      for (let i = 0; i < 5; i++) {
        market.openDay();
        await runTicks();
      }
      submittedOnce();
      expect(
        await rows(
          `select symbol, quantity::float from positions where deployment_id = $1 order by symbol`,
          id,
        ),
      ).toMatchObject([
        { symbol: 'AAA', quantity: 40 },
        { symbol: 'BBB', quantity: 100 },
      ]);
      await world.everythingHolds();
    });
  }

  test('at any statement of the chain leaves records from which the next trader continues', {
    timeout: 180_000,
  }, async () => {
    let statement = 0;
    let diesAt = 1;
    const real = handle.pool.connect.bind(handle.pool);
    for (let run = 0; run < 24; run++) {
      const id = await world.deploy(version);
      statement = 0;
      diesAt = 3 + run * 5;
      handle.pool.connect = (async () => {
        const client = await real();
        const query = client.query.bind(client);
        client.query = ((...args: Parameters<typeof query>) => {
          statement += 1;
          // From here on this process no longer reaches the database or the broker.
          if (statement >= diesAt)
            return Promise.reject(Object.assign(new Error('killed'), { code: '57P01' }));
          return query(...args);
        }) as typeof client.query;
        const release = client.release.bind(client);
        client.release = (...args) => {
          client.query = query;
          client.release = release;
          release(...args);
        };
        return client;
      }) as typeof handle.pool.connect;
      venue.onCall = () => {
        if (statement >= diesAt) throw new Error('killed');
      };
      await world.trader.tick().catch(() => undefined);
      handle.pool.connect = real;
      venue.onCall = null;
      await world.restart();
      await runTicks();
      market.openDay();
      await runTicks();
      market.closeDay();
      await runTicks();
      market.openDay();
      await runTicks();
      submittedOnce();
      const held = await rows(
        `select symbol, quantity::float from positions where deployment_id = $1 order by symbol`,
        id,
      );
      expect({ diesAt, held }).toEqual({
        diesAt,
        held: [
          { symbol: 'AAA', quantity: 40 },
          { symbol: 'BBB', quantity: 100 },
        ],
      });
      market.closeDay();
      await runTicks();
    }
    await world.everythingHolds();
  });
});

describe('executions', () => {
  test('that are reported many times and in any order are booked once', async () => {
    venue.tellsExecutions = 4;
    venue.fillsAtMost = (7 * 1e8) as never;
    const id = await world.deploy(version);
    await runTicks();
    market.openDay();
    for (let i = 0; i < 20; i++) {
      market.advance(60_000);
      await runTicks();
    }
    venue.tellsExecutions = 1;
    venue.fillsAtMost = null;
    expect(await statuses(id)).toEqual(['AAA filled', 'BBB filled']);
    expect(await rows(`select count(*)::int as fills from fills where deployment_id = $1`, id)).toEqual([
      { fills: 6 + 15 },
    ]);
    expect(
      await rows(
        `select count(*)::int as notices from notifications where deployment_id = $1 and kind = 'order_filled'`,
        id,
      ),
    ).toEqual([{ notices: 21 }]);
    await world.everythingHolds();
  });

  test('of trades by hand go into suspense and are attributed to no deployment', async () => {
    const id = await world.deploy(version, { account: 'DUHAND' });
    await runTicks();
    market.openDay();
    await runTicks();
    venue.tradeExternally('DUHAND', 'AAA', 'sell', 5);
    await runTicks();
    expect(
      await rows(`select symbol, side, quantity::float from suspense_entries where account_id = 'DUHAND'`),
    ).toEqual([{ symbol: 'AAA', side: 'sell', quantity: 5 }]);
    expect(
      await rows(`select quantity::float from positions where deployment_id = $1 and symbol = 'AAA'`, id),
    ).toEqual([{ quantity: 40 }]);
    await world.everythingHolds();
    // It would close 40, the account holds 35: it sells 35, none short, and the other 5 say why they wait.
    await requestStatus(handle.pool, id, 'stopped');
    await runTicks();
    await runTicks();
    await runTicks();
    expect(venue.position('DUHAND', 'AAA')).toBe(0);
    expect(
      await rows(
        `select quantity::float, status, reason_code as code, (reason_params ->> 'available')::float8 as available from orders
         where deployment_id = $1 and symbol = 'AAA' and purpose = 'liquidation' order by attempt`,
        id,
      ),
    ).toEqual([
      {
        quantity: 40,
        status: 'withdrawn',
        code: 'resized',
        available: 35e8,
      },
      { quantity: 35, status: 'filled', code: null, available: null },
      { quantity: 5, status: 'intended', code: 'quantity_not_available', available: null },
    ]);
    venue.tradeExternally('DUHAND', 'AAA', 'buy', 5);
    await runTicks();
    await runTicks();
    expect(venue.position('DUHAND', 'AAA')).toBe(0);
    await world.everythingHolds();
  });

  test('in part, then the day ends: the rest expires, and the remainder is sized from what was booked', async () => {
    venue.fillsAtMost = (10 * 1e8) as never;
    const id = await world.deploy(version);
    await runTicks();
    market.openDay();
    await runTicks();
    market.closeDay();
    venue.fillsAtMost = null;
    await runTicks();
    expect(await statuses(id)).toContain('AAA expired');
    market.openDay();
    await runTicks();
    expect(
      await rows(
        `select symbol, quantity::float from positions where deployment_id = $1 order by symbol`,
        id,
      ),
    ).toEqual([
      { symbol: 'AAA', quantity: 39 },
      { symbol: 'BBB', quantity: 99 },
    ]);
    await world.everythingHolds();
  });
});

describe('the broker', () => {
  test('that is down does not count as flat: nothing is concluded, and trading continues afterwards', async () => {
    const id = await world.deploy(version);
    await runTicks();
    venue.down = true;
    market.openDay();
    const report = await runTicks();
    expect(report.problems[0]?.reason).toMatch(/unreachable/);
    expect(await statuses(id)).toEqual(['AAA working', 'BBB working']);
    venue.down = false;
    await runTicks();
    expect(await statuses(id)).toEqual(['AAA filled', 'BBB filled']);
    await world.everythingHolds();
  });

  test('that rejects an order gets no retry, and the client is notified', async () => {
    const id = await world.deploy(version);
    venue.faults.push('rejected');
    await runTicks();
    await runTicks();
    expect(await statuses(id)).toEqual(['AAA rejected', 'BBB working']);
    expect(await shownNotices(handle, `deployment_id = $1 and kind = 'order_not_filled'`, id)).toMatchObject([
      {
        title: 'Order for AAA not filled',
        message:
          'Both above thirty: the order to buy 40 AAA was not filled in full: the broker rejected it: the venue does not like it.',
      },
    ]);
    await world.everythingHolds();
  });

  test('that could not be reached gets the same intent later', async () => {
    const id = await world.deploy(version);
    venue.faults.push('not sent');
    await runTicks();
    expect(await statuses(id)).toEqual(['AAA intended', 'BBB intended']);
    await runTicks();
    expect(await statuses(id)).toEqual(['AAA working', 'BBB working']);
    await world.everythingHolds();
  });

  test('that fails for one person delays no one else', async () => {
    const broken = await world.deploy(version, { account: 'BROKEN' });
    const sound = await world.deploy(version, { account: 'SOUND' });
    await handle.pool.query(
      `update broker_connections set sealed_credentials = null where account_id = 'BROKEN'`,
    );
    await runTicks();
    expect(await statuses(broken)).toEqual(['AAA intended', 'BBB intended']);
    expect(await statuses(sound)).toEqual(['AAA working', 'BBB working']);
  });
});

test('a deployment that always throws is set aside after five failures, and the others trade', async () => {
  const poisoned = await world.deploy(version, { account: 'POISON' });
  const sound = await world.deploy(version, { account: 'SOUND2' });
  await handle.owner.query(`create function poison() returns trigger language plpgsql as $$
    begin if new.deployment_id = '${poisoned}' then raise exception 'poison'; end if; return new; end $$`);
  await handle.owner.query(
    `create trigger poison before insert on orders for each row execute function poison()`,
  );
  for (let i = 0; i < 6; i++) await runTicks();
  await handle.owner.query(`drop trigger poison on orders`);
  expect(await statuses(sound)).toEqual(['AAA working', 'BBB working']);
  expect(
    await rows(`select status, reason_code, reason_params from deployments where id = $1`, poisoned),
  ).toEqual([
    {
      status: 'failed',
      reason_code: 'quarantined',
      reason_params: { failing: { task: 'fan-out', symbol: null }, from: 'active' },
    },
  ]);
});
