import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { lockOwnDeployment, requestStatus as saveRequestedStatus } from '#records/deployments/deployments.ts';
import { requestStatus } from '#tests/support/deployment-commands.ts';
import { testDatabase } from '#tests/support/test-database.ts';
import { tradingFloor } from '#tests/support/trading-floor.ts';
import type { TradingPerson } from '#tests/support/trading-rows.ts';
import { BOTH_ABOVE_30, SHORT_ABOVE_30, tradingWorld } from '#tests/support/trading-world.ts';
import { withoutGuards } from '#tests/support/without-guards.ts';
import { sendOrders } from '#trader/execution/send-orders.ts';
import type { DeploymentId, UserId } from '#units/identifiers.ts';

describe('the second before an order leaves', async () => {
  let steady = 0;
  const handle = await testDatabase();
  const world = await tradingWorld(handle, () => steady);
  const { market, venue, trader } = world;
  afterAll(() => trader.close());
  afterEach(() => {
    venue.onCall = null;
  });
  const version = await world.addStrategy(BOTH_ABOVE_30);
  market.closeDay();

  const statuses = async (id: string) =>
    (
      await handle.pool.query(`select symbol, status from orders where deployment_id = $1 order by symbol`, [
        id,
      ])
    ).rows.map(({ symbol, status }) => `${symbol} ${status}`);
  const runTicks = () => {
    world.wait(60_000);
    return trader.tick();
  };

  test('a process that slept between the commit and the request sends no order', async () => {
    const id = await world.deploy(version);
    venue.onCall = (call) => {
      if (call === 'submitOrder') steady += 60_000;
    };
    await runTicks();
    expect(venue.submissions).toEqual([]);
    expect((await statuses(id)).filter((one) => !/intended|sending/.test(one))).toEqual([]);
    venue.onCall = null;
    await runTicks();
    await runTicks();
    expect(new Set(venue.submissions).size).toBe(venue.submissions.length);
  });

  test('an order that waited a second since its checks is checked again', async () => {
    const id = await world.deploy(version);
    const before = venue.submissions.length;
    venue.onCall = (call) => {
      if (call === 'submitOrder') steady += 900;
    };
    await runTicks();
    expect(venue.submissions).toHaveLength(before);
    expect(await statuses(id)).toEqual(['AAA intended', 'BBB intended']);
    venue.onCall = null;
    await runTicks();
    expect(await statuses(id)).toEqual(['AAA working', 'BBB working']);
  });
});

describe('pre-trade checks', async () => {
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
  /** Decided and written while all checks passed, and not sent. */
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

  /** The check fails between the list of orders to send and the check of this order. */
  const shutsAsItIsSent = async (shut: (id: string) => Promise<unknown>) => {
    const id = await decided();
    venue.down = false;
    let isShut = false;
    // The last check before orders leave.
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

  test('a kill switch set while one order is being sent stops the next one of the same list', async () => {
    const { sent } = await shutsAsItIsSent(() =>
      rows(
        `insert into kill_switches (id, scope, target, cancels_working, because, set_by)
       values (gen_random_uuid(), 'global', null, false, 'prices look wrong', 'test')`,
      ),
    );
    await rows(`update kill_switches set lifted_by = 'test', lifted_at = now()`);
    // Those in flight at that moment, one per connection, and no second one.
    expect(sent).toBeLessThanOrEqual(2);
  });

  test('a connection revoked while one order is being sent stops the next one of the same list', async () => {
    const { id } = await shutsAsItIsSent((deployment) =>
      rows(`update broker_connections set status = 'revoked' where id = ${connection}`, deployment),
    );
    const own = (await statuses(id)).filter((one) => !one.endsWith('intended'));
    expect(own.length).toBeLessThanOrEqual(1);
    expect((await statuses(id)).some((one) => one.endsWith('intended'))).toBe(true);
  });

  test('an order decided at a later reading of the clock is sent once this clock has caught up', async () => {
    const id = await decided();
    await withoutGuards(
      handle,
      `update orders set decided_at = decided_at + interval '2 minutes' where deployment_id = '${id}'`,
    );
    venue.down = false;
    await runTicks();
    const times = `select bool_and(sent_at >= decided_at) as after, count(sent_at)::int as sent from orders where deployment_id = $1`;
    expect(await rows(times, id)).toEqual([{ after: null, sent: 0 }]);
    market.advance(3 * 60_000);
    await runTicks();
    expect(await rows(times, id)).toEqual([{ after: true, sent: 2 }]);
  });
});

describe('a pause while orders leave', async () => {
  const handle = await testDatabase();
  const floor = await tradingFloor(handle);
  const { pool, database } = handle;
  /** PAUSE_TRIALS asks for more than fit into every run of all tests. */
  const PAUSE_TRIALS = Number(process.env.PAUSE_TRIALS ?? 200);

  /** Yields the event loop for none, some or many turns, so that each trial meets at another place. */
  const turns = async (count: number) => {
    for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve));
  };

  const person = await floor.person();
  const id = await floor.deploy(person);
  let sent: string[] = [];
  beforeEach(() => {
    sent = [];
    floor.reported.submit = (order, mayLeave) => {
      if (!mayLeave()) return { outcome: 'not_sent', code: 'refused', reason: 'too late' };
      sent.push(order.clientOrderId);
      return { outcome: 'accepted', brokerOrderId: `B${sent.length}` };
    };
  });
  afterEach(() => {
    expect(new Set(sent).size).toBe(sent.length);
  });

  /**
   * One order to be sent while `stop` is made known, the sending some turns ahead: whether it had begun to leave, and how
   * many left.
   */
  async function race(ahead: number, stop: () => Promise<void>, undo: () => Promise<unknown>) {
    const [order] = await floor.order(person, [id]);
    const before = sent.length;
    const sending = sendOrders(floor.context, floor.connect(person));
    await turns(ahead);
    await stop();
    const { rows } = await pool.query(`select status from orders where id = $1`, [order!.id]);
    const hadBegun = rows[0].status !== 'intended' && rows[0].status !== 'withdrawn';
    await sending;
    await sendOrders(floor.context, floor.connect(person));
    const left = sent.length - before;
    await undo();
    await pool.query(`update orders set status = 'cancelled', ended_at = now() where id = $1`, [order!.id]);
    return { hadBegun, left };
  }

  async function outcomes(trials: number, stop: () => Promise<void>, undo: () => Promise<unknown>) {
    const counts = { leftBefore: 0, heldBack: 0 };
    let ahead = 0;
    for (let trial = 0; trial < trials; trial++) {
      const { hadBegun, left } = await race(ahead, stop, undo);
      // The start converges to the point where the two meet at the speed of this machine, so most trials are close.
      ahead = hadBegun ? Math.floor(ahead * 0.8) : Math.ceil(ahead * 1.2) + 5;
      // An order that had begun to leave when the answer came may leave, once; no other.
      expect({ trial, left }).toEqual({ trial, left: hadBegun ? 1 : 0 });
      counts[hadBegun ? 'leftBefore' : 'heldBack'] += 1;
    }
    expect(floor.problems).toEqual([]);
    return counts;
  }

  test(`in ${PAUSE_TRIALS} races of a pause and a sending, no order begins to leave once the pause is answered`, {
    timeout: 60_000 + PAUSE_TRIALS * 200,
  }, async () => {
    const userId = person.user as UserId;
    const pause = () =>
      database.transaction().execute(async (trx) => {
        const locked = await lockOwnDeployment(trx, { id, userId });
        await saveRequestedStatus(trx, { id: locked!.id, status: 'paused' });
      });
    const resume = () => pool.query(`update deployments set requested_status = null where id = $1`, [id]);
    const { leftBefore, heldBack } = await outcomes(PAUSE_TRIALS, pause, resume);
    // Both outcomes must occur, or there was no race.
    expect(leftBefore).toBeGreaterThan(0);
    expect(heldBack).toBeGreaterThan(0);
  });
});

// A sale never exceeds the account's holding, whether a strategy, a stop loss or an exit decided it.
describe('available quantity', async () => {
  const handle = await testDatabase();
  const world = await tradingWorld(handle, undefined, ['equity']);
  const { market, venue, runTicks } = world;
  const long = await world.addStrategy(BOTH_ABOVE_30);
  const short = await world.addStrategy(SHORT_ABOVE_30);
  afterAll(() => world.trader.close());

  const rows = async (query: string, ...values: unknown[]) => (await handle.pool.query(query, values)).rows;
  const held = async (id: DeploymentId) =>
    (
      await rows(
        `select quantity::float as units from positions where deployment_id = $1 and symbol = 'AAA'`,
        id,
      )
    )[0]?.units ?? 0;
  const sales = (id: DeploymentId) =>
    rows(
      `select purpose, status, reason_code as code from orders
     where deployment_id = $1 and symbol = 'AAA' and side = 'sell' and purpose <> 'protective' order by decided_at, attempt`,
      id,
    );
  const personOf = async (id: DeploymentId, account: string): Promise<TradingPerson> => {
    const [row] = await rows(
      `select user_id as user, broker_connection_id as connection from deployments where id = $1`,
      id,
    );
    return { ...row, account };
  };
  const workingStops = (account: string) =>
    venue.orders.filter(
      (one) =>
        one.accountId === account &&
        one.symbol === 'AAA' &&
        one.stopPrice !== null &&
        one.status === 'working',
    );

  beforeEach(async () => {
    await rows(`update deployments set status = 'stopped', requested_status = null`);
    market.setPrice('AAA', 100);
    market.setPrice('BBB', 40);
    market.closeDay();
  });

  test('a strategy does not sell units that its owner has sold externally', async () => {
    const id = await world.deploy(long, { account: 'HAND' });
    await runTicks();
    market.openDay();
    await runTicks();
    expect(await held(id)).toBe(40);
    venue.tradeExternally('HAND', 'AAA', 'sell', 5);
    await runTicks();
    market.setPrice('AAA', 25);
    market.closeDay();
    await runTicks();
    market.openDay();
    await runTicks();
    expect(venue.position('HAND', 'AAA')).toBe(35e8);
    expect((await sales(id)).at(-1)).toEqual({
      purpose: 'rebalance',
      status: 'intended',
      code: 'quantity_not_available',
    });
    venue.tradeExternally('HAND', 'AAA', 'buy', 5);
    await runTicks();
    expect(venue.position('HAND', 'AAA')).toBe(0);
    expect(await held(id)).toBe(0);
  });

  test('a stop loss sells the units its owner has left, and the others once they are bought back', async () => {
    const id = await world.deploy(long, { account: 'LEFT', stopLoss: 10 });
    await runTicks();
    market.openDay();
    await runTicks();
    expect(await held(id)).toBe(40);
    venue.tradeExternally('LEFT', 'AAA', 'sell', 5);
    await runTicks();
    market.setPrice('AAA', 85);
    await runTicks();
    await runTicks();
    expect(venue.position('LEFT', 'AAA')).toBe(0);
    expect(await held(id)).toBe(5);
    market.setPrice('AAA', 84);
    await runTicks();
    expect((await sales(id)).map(({ purpose, status }) => `${purpose} ${status}`)).toEqual([
      'stop_loss withdrawn',
      'stop_loss filled',
      'stop_loss intended',
    ]);
    venue.tradeExternally('LEFT', 'AAA', 'buy', 5);
    await runTicks();
    expect([await held(id), venue.position('LEFT', 'AAA')]).toEqual([0, 0]);
  });

  test('an exit that waits for missing units does not cancel another deployment’s orders repeatedly', async () => {
    const first = await world.deploy(long, { account: 'GONE' });
    await runTicks();
    market.openDay();
    await runTicks();
    venue.tradeExternally('GONE', 'AAA', 'sell', 40);
    await runTicks();
    await requestStatus(handle.pool, first, 'stopped');
    await runTicks();
    expect((await sales(first)).at(-1)).toMatchObject({ purpose: 'liquidation', status: 'intended' });
    market.closeDay();
    const person = await personOf(first, 'GONE');
    const second = await world.deploy(long, { person });
    for (let look = 0; look < 3; look++) await runTicks();
    const purchases = () =>
      rows(
        `select status from orders where deployment_id = $1 and symbol = 'AAA' and side = 'buy'
         order by created_at, id`,
        second,
      );
    // The exit of the new day has been looked at once by then.
    expect(await purchases()).toEqual([{ status: 'cancelled' }, { status: 'working' }]);
    for (let look = 0; look < 3; look++) await runTicks();
    market.openDay();
    await runTicks();
    expect(await purchases()).toEqual([{ status: 'cancelled' }, { status: 'filled' }]);
  });

  test('a short of one deployment does not reduce what another may sell, or its stop', async () => {
    const first = await world.deploy(long, { account: 'BOTH', stopLoss: 10 });
    await runTicks();
    market.openDay();
    await runTicks();
    const person = await personOf(first, 'BOTH');
    const second = await world.deploy(short, { person, stopLoss: 10 });
    market.closeDay();
    await runTicks();
    market.openDay();
    await runTicks();
    expect([await held(first), await held(second)]).toEqual([40, -15]);
    for (let i = 0; i < 3; i++) await runTicks();
    expect(
      workingStops('BOTH')
        .map(({ side }) => side)
        .sort(),
    ).toEqual(['buy', 'sell']);
    await requestStatus(handle.pool, first, 'stopped');
    await runTicks();
    expect(await sales(first)).toMatchObject([{ purpose: 'liquidation', status: 'filled' }]);
    expect([await held(first), await held(second)]).toEqual([0, -15]);
    expect(venue.position('BOTH', 'AAA')).toBe(-15e8);
  });
});
