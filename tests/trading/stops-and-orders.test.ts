// A stop together with other activity in the account: other orders, other deployments, halts, trades by hand.
import { describe, expect, test, vi } from 'vitest';
import { MINUTE_MS } from '#units/instant.ts';
import { msBetween, type WallInstant, wallAfter, wallInstantOf } from '#units/wall-instant.ts';
import { checkInvariants } from '#trader/invariants/check-invariants.ts';
import { stopStage } from '../support/stop-stage.ts';
import { shownNotices } from '../support/shown-notices.ts';

const stage = await stopStage();
const { handle, world, market, venue, version, orders, held, rows } = stage;
const { command, limit, runTicks, workingStops, holds, invested } = stage;

test('a stop does not sell units that the owner has sold externally', async () => {
  const { account } = await invested();
  venue.tradeExternally(account, 'AAA', 'sell', 50);
  await runTicks();
  await runTicks();
  expect(workingStops(account)).toEqual([]);
});

test('a stop at the broker that would close more than is held there is found by the check of the invariants', async () => {
  const { account } = await invested();
  const found = async () => {
    const side = { brokers: [venue.broker], openCredentials: () => ({}), pause: async () => undefined };
    const verdicts = await checkInvariants(handle.database, side);
    return verdicts.filter(({ says }) => says.includes(`at most what it holds (account ${account})`));
  };
  expect(await found()).toMatchObject([{ violations: [], notChecked: null }]);
  venue.deliver(account, 'AAA', -30);
  expect(await found()).toMatchObject([{ violations: [{ side: 'sell', closing: 80, held: 50 }] }]);
  // It is our row that counts where the broker's list leaves the order out.
  venue.hidesStops = true;
  expect(await found()).toMatchObject([{ violations: [{ side: 'sell', closing: 80, held: 50 }] }]);
  venue.hidesStops = false;
  for (let look = 0; look < 3; look++) await runTicks();
  expect(await found()).toMatchObject([{ violations: [] }]);
  venue.deliver(account, 'AAA', 30);
});

test('no stop works at the broker over its planned reset: it would not be shown afterwards', async () => {
  const { id, account } = await invested();
  expect(workingStops(account)).toEqual(['sell 80 at 89.1']);
  // The reset begins in a quarter of an hour of the market.
  const from = wallAfter(wallInstantOf(market.now()), 15 * MINUTE_MS);
  const until = wallAfter(from, 60 * MINUTE_MS);
  const isInside = (at: WallInstant) => msBetween(from, at) >= 0 && msBetween(at, until) > 0;
  const resets = vi
    .spyOn(venue.broker, 'resetAt')
    .mockImplementation((at) => (isInside(at) ? { kind: 'daily', from, until } : null));
  await runTicks();
  expect(workingStops(account)).toEqual(['sell 80 at 89.1']);
  market.advance(6 * MINUTE_MS);
  await runTicks();
  await runTicks();
  expect(workingStops(account)).toEqual([]);
  market.advance(75 * MINUTE_MS);
  await runTicks();
  await runTicks();
  expect(workingStops(account)).toEqual(['sell 80 at 89.1']);
  expect((await orders(id)).slice(1)).toEqual(['sell 80 protective cancelled', 'sell 80 protective working']);
  resets.mockRestore();
  await holds();
});

test('a kill switch leaves stops working, unless it cancels all working orders', async () => {
  const { account } = await invested();
  const set = (cancels: boolean) =>
    handle.pool.query(
      `insert into kill_switches (id, scope, cancels_working, because, set_by) values (gen_random_uuid(), 'global', $1, 'x', 'y')`,
      [cancels],
    );
  const lift = () =>
    handle.pool.query(
      `update kill_switches set lifted_by = 'y', lifted_at = clock_timestamp() where lifted_at is null`,
    );
  await set(false);
  market.setPrice('AAA', 89.5);
  await runTicks();
  await runTicks();
  expect(workingStops(account)).toEqual(['sell 80 at 89.1']);
  await lift();
  market.setPrice('AAA', 100);
  await set(true);
  await runTicks();
  await runTicks();
  expect(workingStops(account)).toEqual([]);
  await lift();
  await runTicks();
});

test('two deployments of one account have a stop each, of their own size', async () => {
  const first = await invested();
  const [row] = await rows(`select user_id, broker_connection_id from deployments where id = $1`, first.id);
  const person = { user: row.user_id, connection: row.broker_connection_id, account: first.account };
  const second = await world.deploy(version, { stopLoss: 20, investment: 5_000, person });
  await runTicks();
  await runTicks();
  await runTicks();
  expect(workingStops(first.account).toSorted()).toEqual(['sell 40 at 79.2', 'sell 80 at 89.1']);
  expect(await held(second)).toBe(40);
  await command(first.id, 'stopped');
  for (let i = 0; i < 4; i++) await runTicks();
  expect(workingStops(first.account)).toEqual(['sell 40 at 79.2']);
  expect(venue.position(first.account, 'AAA')).toBe(40e8);
  await holds();
});

test('a stop that the broker rejects is tried again ever later: one notice, one task for staff', async () => {
  venue.faults.push(null, 'rejected');
  const { id, account } = await invested();
  await runTicks();
  await runTicks();
  expect(await orders(id)).toEqual(['buy 80 rebalance filled', 'sell 80 protective rejected']);
  expect(workingStops(account)).toEqual([]);
  const [reported] = await shownNotices(handle, `deployment_id = $1 and kind = 'order_not_filled'`, id);
  expect(reported?.message).toContain('protective stop');
  const task = () =>
    rows(
      `select kind, facts ->> 'refusals' as refusals, ended_at is null as open from incidents where deployment_id = $1`,
      id,
    );
  expect(await task()).toEqual([{ kind: 'position_unprotected', refusals: '1', open: true }]);
  venue.faults.push('rejected');
  market.advance(15 * MINUTE_MS);
  await runTicks();
  market.advance(15 * MINUTE_MS);
  await runTicks();
  expect(await orders(id)).toEqual([
    'buy 80 rebalance filled',
    'sell 80 protective rejected',
    'sell 80 protective rejected',
  ]);
  expect(await shownNotices(handle, `deployment_id = $1 and kind = 'order_not_filled'`, id)).toHaveLength(1);
  expect(await task()).toEqual([{ kind: 'position_unprotected', refusals: '2', open: true }]);
  market.advance(15 * MINUTE_MS);
  await runTicks();
  await runTicks();
  expect(workingStops(account)).toEqual(['sell 80 at 89.1']);
  expect(await task()).toEqual([{ kind: 'position_unprotected', refusals: '2', open: false }]);
});

test('a stop that cannot be sent is tried ever more rarely, and is a task for staff from the third time on', async () => {
  venue.faults.push(null, ...Array.from({ length: 40 }, () => 'not sent' as const));
  const { id, account } = await invested();
  const { length: before } = venue.submissions;
  const task = () =>
    rows(
      `select kind, facts ->> 'reason' as reason, ended_at is null as open from incidents
       where deployment_id = $1 and kind = 'position_unprotected'`,
      id,
    );
  for (let minute = 0; minute < 2; minute++) await runTicks();
  expect(await task()).toEqual([{ kind: 'position_unprotected', reason: 'not_sent', open: true }]);
  for (let minute = 0; minute < 30; minute++) await runTicks();
  expect(venue.submissions.length - before).toBeLessThan(12);
  venue.faults.length = 0;
  for (let minute = 0; minute < 6; minute++) await runTicks();
  expect(workingStops(account)).toEqual(['sell 80 at 89.1']);
  expect(await task()).toEqual([{ kind: 'position_unprotected', reason: 'not_sent', open: false }]);
  await holds();
});

test('a stop gives way to an exit of the units still held, and the others are closed once they are back', async () => {
  const { id, account } = await invested();
  market.setPrice('AAA', 89.5);
  // The exit would close 80; the account shows 70.
  venue.deliver(account, 'AAA', -10);
  for (let look = 0; look < 4; look++) await runTicks();
  expect((await orders(id)).slice(-2)).toEqual(['sell 80 stop_loss withdrawn', 'sell 70 stop_loss filled']);
  expect(workingStops(account)).toEqual([]);
  market.setPrice('AAA', 89.4);
  for (let look = 0; look < 2; look++) await runTicks();
  const [waiting] = await rows(
    `select reason_code as code from orders
     where deployment_id = $1 and purpose = 'stop_loss' and status = 'intended'`,
    id,
  );
  expect(waiting).toEqual({ code: 'quantity_not_available' });
  venue.deliver(account, 'AAA', 10);
  for (let look = 0; look < 2; look++) await runTicks();
  expect(venue.position(account, 'AAA')).toBe(0);
  expect(workingStops(account)).toEqual([]);
  await holds();
});

test('a stop is back in the look in which the other order of its position ends', async () => {
  const { id, account } = await invested();
  venue.faults.push('rejected');
  await handle.pool.query(
    `update deployments set applied_target_id = null, max_allocation_percent = 40, revision = revision + 1 where id = $1`,
    [id],
  );
  await runTicks();
  expect(await orders(id)).toEqual([
    'buy 80 rebalance filled',
    'sell 80 protective cancelled',
    'sell 41 rebalance rejected',
    'sell 80 protective working',
  ]);
  expect(workingStops(account)).toEqual(['sell 80 at 89.1']);
  await holds();
});

describe('an order of another deployment of the account', () => {
  const second = async (first: { id: string; account: string }, limitPrice: number) => {
    const [row] = await rows(`select user_id, broker_connection_id from deployments where id = $1`, first.id);
    const person = { user: row.user_id, connection: row.broker_connection_id, account: first.account };
    const id = await world.deploy(version, { stopLoss: 20, investment: 5_000, person });
    // In the session in which the stop works; the test sets the limit.
    await handle.owner.query(
      `alter table orders add constraint limited check (deployment_id <> '${id}' or limit_price > 0) not valid`,
    );
    await handle.owner.query(`create or replace function limited() returns trigger language plpgsql as
      $$ begin if new.deployment_id = '${id}' and new.purpose = 'rebalance' then new.limit_price := ${limitPrice}; end if; return new; end $$;
      create trigger limited before insert on orders for each row execute function limited()`);
    await runTicks();
    await handle.owner.query(`drop trigger limited on orders; alter table orders drop constraint limited`);
    return id;
  };

  test('that fills before the stop would trigger is sent while the stop works', async () => {
    const first = await invested();
    const id = await second(first, 89.11);
    expect(await orders(id)).toEqual(['buy 40 rebalance working']);
    expect(workingStops(first.account)).toEqual(['sell 80 at 89.1']);
  });

  test('that blocks an order of the position leaves the position’s stop working', async () => {
    const first = await invested();
    await second(first, 89.11);
    await handle.pool.query(
      `update deployments set applied_target_id = null, max_allocation_percent = 40 where id = $1`,
      [first.id],
    );
    for (let look = 0; look < 3; look++) await runTicks();
    expect((await orders(first.id)).at(-1)).toBe('sell 41 rebalance intended');
    expect(workingStops(first.account)).toEqual(['sell 80 at 89.1']);
  });

  test('that blocks the order for which a stop was cancelled brings the stop back', async () => {
    const first = await invested();
    venue.cancellations = 'slow';
    await handle.pool.query(
      `update deployments set applied_target_id = null, max_allocation_percent = 40 where id = $1`,
      [first.id],
    );
    await runTicks();
    expect((await orders(first.id)).at(-1)).toBe('sell 41 rebalance intended');
    const id = await second(first, 89.11);
    expect(await orders(id)).toEqual(['buy 40 rebalance working']);
    venue.cancellations = 'at once';
    venue.orders.find((order) => order.accountId === first.account && order.stopPrice !== null)!.status =
      'cancelled';
    for (let look = 0; look < 3; look++) await runTicks();
    expect((await orders(first.id)).filter((one) => one.endsWith('intended'))).toEqual([
      'sell 41 rebalance intended',
    ]);
    expect(workingStops(first.account)).toEqual(['sell 80 at 89.1']);
    await holds();
    await command(id, 'stopped');
    for (let look = 0; look < 3; look++) await runTicks();
    expect(await orders(first.id)).toContain('sell 41 rebalance filled');
    expect(workingStops(first.account)).toEqual(['sell 39 at 89.1']);
    await holds();
  });

  test('that a stop would trigger into waits until the stop is clear of it', async () => {
    const first = await invested();
    const id = await second(first, 89.1);
    expect(await orders(id)).toEqual(['buy 40 rebalance intended']);
    const [{ code }] = await rows(`select reason_code as code from orders where deployment_id = $1`, id);
    expect(code).toBe('opposite_order');
    await limit(first.id, 20);
    for (let look = 0; look < 3; look++) await runTicks();
    expect(workingStops(first.account)).toEqual(['sell 80 at 79.2']);
    expect(await orders(id)).toEqual(['buy 40 rebalance working']);
  });
});
