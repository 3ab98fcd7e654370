import { afterAll, describe, expect, test } from 'vitest';
import { agreeOn, supportPeople } from '#tests/support/agreed-adjustment.ts';
import { testDatabase } from '#tests/support/test-database.ts';
import { BOTH_ABOVE_30, tradingWorld } from '#tests/support/trading-world.ts';
import { checkInvariants, checkRecords } from './check-invariants.ts';

const handle = await testDatabase();
const world = await tradingWorld(handle);
const { market, venue, trader } = world;
afterAll(() => trader.close());

await world.deploy(await world.addStrategy(BOTH_ABOVE_30), { account: 'DU1' });
market.closeDay();
await trader.tick();
market.setPrice('AAA', 101);
market.openDay();
await trader.tick();
market.setPrice('AAA', 29);
market.closeDay();
await trader.tick();
market.openDay();
await trader.tick();

await handle.pool.query(
  `insert into users (id, email, password_hash, first_name) values (gen_random_uuid(), 'other@example.test', 'x', 'O')`,
);

const brokerSide = { brokers: [venue.broker], openCredentials: () => ({}), pause: async () => undefined };
const failing = async () =>
  (await checkInvariants(handle.database, brokerSide))
    .filter(({ violations }) => violations.length > 0)
    .map(({ says }) => says);

test('a history of purchases, a sale at a loss and a reduction satisfies every invariant, at the broker too', async () => {
  const verdicts = await checkInvariants(handle.database, brokerSide);
  expect(verdicts.flatMap(({ violations }) => violations)).toEqual([]);
  expect(verdicts.filter(({ notChecked }) => notChecked !== null)).toEqual([]);
  expect((await handle.pool.query(`select from fills`)).rowCount).toBe(4);
});

describe('each planted corruption is found', () => {
  const planted: [name: string, spoil: string, restore: string, claim: RegExp][] = [
    [
      'cash that moved without the ledger',
      `update deployments set cash_micro = cash_micro + 1, equity_micro = equity_micro + 1`,
      `update deployments set cash_micro = cash_micro - 1, equity_micro = equity_micro - 1`,
      /ledger of a deployment sums to what is stored/,
    ],
    [
      'a stale equity',
      `update deployments set equity_micro = equity_micro + 1`,
      `update deployments set equity_micro = equity_micro - 1`,
      /Equity is cash plus/,
    ],
    [
      'a realised result that is not what was traded',
      `update deployments set realized_micro = realized_micro + 5`,
      `update deployments set realized_micro = realized_micro - 5`,
      /are what the executions/,
    ],
    [
      'a closed trade that made more than its executions',
      `update round_trips set pnl_micro = pnl_micro + 1`,
      `update round_trips set pnl_micro = pnl_micro - 1`,
      /Round trips are what everything/,
    ],
    [
      'a position without a purchase',
      `update positions set quantity = quantity + 1`,
      `update positions set quantity = quantity - 1`,
      /are what the executions/,
    ],
    [
      'a position valued at another price',
      `update positions set mark_price = mark_price + 1`,
      `update positions set mark_price = mark_price - 1`,
      /worth what the engine says/,
    ],
    [
      'an order that claims less than it executed',
      `update orders set filled_quantity = filled_quantity - 1, status = 'cancelled' where symbol = 'BBB'`,
      `update orders set filled_quantity = filled_quantity + 1, status = 'filled' where symbol = 'BBB'`,
      /sum of its executions/,
    ],
    [
      'a client order id that does not derive',
      `update orders set attempt = attempt + 7`,
      `update orders set attempt = attempt - 7`,
      /derives from its order/,
    ],
    [
      'an equity mark that does not add up',
      `update equity_marks set equity_micro = equity_micro + 1`,
      `update equity_marks set equity_micro = equity_micro - 1`,
      /equity mark is its cash/,
    ],
    [
      'a day that was worth more than its books say',
      `update equity_marks set equity_micro = equity_micro + 5, positions_micro = positions_micro + 5`,
      `update equity_marks set equity_micro = equity_micro - 5, positions_micro = positions_micro - 5`,
      /worth on each day is what its books/,
    ],
    [
      'an execution that is also external',
      `insert into suspense_entries select account_id, 'external_trade', execution_id, symbol, side, quantity, price, executed_at from fills limit 1`,
      `delete from suspense_entries`,
      /both booked and external/,
    ],
    [
      'an execution without a notice',
      `update notifications set cause = 'not ' || cause where kind = 'order_filled'`,
      `update notifications set cause = substr(cause, 5) where kind = 'order_filled'`,
      /exactly one notice/,
    ],
    [
      'a state that the audit log knows nothing of',
      `alter table deployments disable trigger audited_update; update deployments set status = 'paused'; alter table deployments enable trigger audited_update`,
      `alter table deployments disable trigger audited_update; update deployments set status = 'active'; alter table deployments enable trigger audited_update`,
      /audit log led it to/,
    ],
    [
      'a value that is days old',
      `update heartbeats set market_at = market_at + interval '3 days'`,
      `update heartbeats set market_at = market_at - interval '3 days'`,
      /older than a day/,
    ],
    [
      'a connection of another user',
      `update broker_connections set user_id = (select id from users where email = 'other@example.test')`,
      `update broker_connections set user_id = (select user_id from deployments)`,
      /connection of its own owner/,
    ],
    [
      'a rewritten row of the audit log',
      `alter table audit_log disable trigger user; update audit_log set actor = actor || '!' where seq = 2; alter table audit_log enable trigger user`,
      `alter table audit_log disable trigger user; update audit_log set actor = rtrim(actor, '!') where seq = 2; alter table audit_log enable trigger user`,
      /one unbroken chain/,
    ],
    [
      'a freeze that was lifted',
      `update deployments set frozen_at = now()`,
      `update deployments set frozen_at = null`,
      /freeze stays/,
    ],
  ];
  for (const [name, spoil, restore, claim] of planted) {
    test(name, async () => {
      await handle.owner.query(spoil);
      expect((await failing()).some((says) => claim.test(says))).toBe(true);
      await handle.owner.query(restore);
      expect(await failing()).toEqual([]);
    });
  }

  test('a ledger transaction without entries', async () => {
    await handle.owner.query(`alter table ledger_entries disable trigger ledger_entries_append_only`);
    const { rows } = await handle.pool.query(
      `delete from ledger_entries where ledger_account = 'commission' returning transaction_id`,
    );
    expect(rows.length).toBeGreaterThan(0);
    const verdicts = await checkRecords(handle.database);
    const says = verdicts.filter(({ violations }) => violations.length > 0).map((verdict) => verdict.says);
    expect(says).toContain('Every ledger transaction has entries and sums to zero per currency');
  });
});

test('an execution is unbooked only if the look before found it too: the trader reads in between', async () => {
  const makeExternalTrade = () => {
    venue.tradeExternally('DU1', 'BBB', 'buy', 1);
    venue.tradeExternally('DU1', 'BBB', 'sell', 1);
  };
  const pause = async () => {
    await trader.tick();
    makeExternalTrade();
  };
  makeExternalTrade();
  const verdicts = await checkInvariants(handle.database, { ...brokerSide, pause });
  expect(verdicts.find(({ invariant }) => invariant === 'I2')).toMatchObject({ violations: [] });
  await trader.tick();
});

test('an order and an execution at the broker that the records do not have are found there', async () => {
  venue.orders.push({ ...venue.orders[0]!, brokerOrderId: 'B99', clientOrderId: 'BWFORGED' as never });
  venue.tradeExternally('DU1', 'BBB', 'buy', 3);
  const found = await failing();
  expect(found).toContain(
    'Every order of ours at the broker has one intent that says the same (account DU1)',
  );
  expect(found).toContain(
    'Every execution that the broker reports is booked or kept as external (account DU1)',
  );
  expect(found).toContain(
    "The positions of all deployments and external trades are the broker's (account DU1)",
  );
});

test('a broker that does not answer is reported as unchecked, not as flat', async () => {
  venue.down = true;
  const verdicts = await checkInvariants(handle.database, brokerSide);
  expect(verdicts.at(-1)).toMatchObject({
    invariant: 'I5',
    violations: [],
    notChecked: 'unreachable: the venue is down',
  });
});

test('an order sent during a pause, and one sent under a kill switch, are found permanently', async () => {
  await handle.pool.query(`update deployments set status = 'paused'`);
  await handle.pool.query(`insert into kill_switches (id, scope, cancels_working, because, set_by, set_at)
    values (gen_random_uuid(), 'global', false, 'x', 'y', clock_timestamp() - interval '2 seconds')`);
  await handle.pool.query(`update orders set status = 'sending' where symbol = 'BBB'`);
  const found = await failing();
  expect(found.some((says) => /while its deployment was pending, paused/.test(says))).toBe(true);
  expect(found.some((says) => /after a kill switch was on/.test(says))).toBe(true);
});

test('a transition that the life cycle does not have is found', async () => {
  await handle.pool.query(`update deployments set status = 'liquidated'`);
  expect((await failing()).some((says) => /only along the edges/.test(says))).toBe(true);
});

test('an order that waits to be sent for six days is found, unless its broker has been silent meanwhile', async () => {
  await handle.pool.query(`update orders set status = 'filled' where status = 'sending'`);
  await handle.pool.query(`
    insert into orders (id, deployment_id, broker_connection_id, client_order_id, cause, purpose, attempt, symbol, side,
      quantity, limit_price, reference_price, status, decided_at)
    select gen_random_uuid(), deployment_id, broker_connection_id, 'BWWAITS', cause, purpose, attempt, symbol, side,
      quantity, limit_price, reference_price, 'intended', market_at - interval '6 days'
    from orders, heartbeats where process = 'trader' limit 1`);
  const waits = async () => (await failing()).some((says) => /none waits to be sent/.test(says));
  const silentFor = (time: string) =>
    handle.pool.query(
      `update broker_sessions set unresponsive_since = market_at - $1::interval from heartbeats where process = 'trader'`,
      [time],
    );
  expect(await waits()).toBe(true);
  await silentFor('2 days');
  expect(await waits()).toBe(false);
  await silentFor('12 hours');
  expect(await waits()).toBe(true);
});

describe('adjustments', async () => {
  const handle = await testDatabase();
  const world = await tradingWorld(handle);
  const { market, venue, runTicks } = world;
  afterAll(() => world.trader.close());

  market.closeDay();
  const id = await world.deploy(await world.addStrategy(BOTH_ABOVE_30), { account: 'DU1' });
  await runTicks();
  market.openDay();
  await runTicks();
  const people = await supportPeople(handle);
  for (const units of [-15, 5]) {
    venue.deliver('DU1', 'AAA', units);
    await runTicks(3);
    await agreeOn(handle, people, { deployment: id, units, price: 99, commission: 2 });
    await runTicks();
  }
  venue.deliver('DU1', 'BBB', 3);
  await runTicks(3);
  await agreeOn(handle, people, { deployment: id, symbol: 'BBB', units: 3, inSuspense: true });
  await runTicks();
  // The owner sells three of them and four of the deployment's by hand, and the deployment gives those up.
  venue.tradeExternally('DU1', 'BBB', 'sell', 7);
  await runTicks(3);
  await agreeOn(handle, people, {
    deployment: id,
    symbol: 'BBB',
    kind: 'external_trade',
    units: -4,
    price: 37,
  });
  await runTicks();
  // All are sold, and the purchase is reversed: the missing shares are in suspense.
  const bought = venue.executions.findIndex(({ execution }) => execution.symbol === 'AAA');
  const { executionId: undoes } = venue.executions[bought]!.execution;
  market.setPrice('AAA', 29);
  market.closeDay();
  await runTicks();
  market.openDay();
  await runTicks();
  venue.executions.splice(bought, 1);
  await runTicks(3);
  await agreeOn(handle, people, { deployment: id, undoes, units: 0 });
  await runTicks();

  const failing = async () =>
    (await checkRecords(handle.database))
      .filter(({ violations }) => violations.length > 0)
      .map(({ says }) => says);

  test('adjustments, a shortfall, an external sale and a holding from suspense satisfy every invariant', async () => {
    expect(await failing()).toEqual([]);
    const { rows } = await handle.pool.query(
      'select closes_as, status from adjustments order by applied_at, closes_as',
    );
    expect(rows).toEqual([
      { closes_as: 'adjustment', status: 'applied' },
      { closes_as: 'adjustment', status: 'applied' },
      { closes_as: 'adjustment', status: 'applied' },
      { closes_as: 'external', status: 'applied' },
      { closes_as: 'adjustment', status: 'applied' },
    ]);
  });

  const event = (change: string) => `update position_events set ${change} where id = (
  select min(id) from position_events where kind = 'adjustment')`;
  const proposal = (change: string) => `update adjustments set ${change} where units = -15`;
  const TABLES = ['position_events', 'adjustments', 'suspense_entries', 'notifications'] as const;
  for (const table of TABLES) await handle.owner.query(`create table saved_${table} as table ${table}`);
  await handle.owner.query(`alter table adjustments drop constraint four_eyes; drop index adjustments_once;
  ${[...TABLES, 'ledger_transactions'].map((table) => `alter table ${table} disable trigger user`).join(';')}`);
  const restore = () =>
    handle.pool.query(
      TABLES.map(
        (table) =>
          `delete from ${table}; insert into ${table} overriding system value select * from saved_${table}`,
      ).join(';'),
    );

  test.each([
    [
      'an adjustment of another quantity than was agreed on',
      event(`event = jsonb_set(event, '{books,units}', '-1400000000')`),
      /as it was agreed on/,
    ],
    [
      'an adjustment whose price was changed in the books alone',
      event(`event = jsonb_set(event, '{books,price}', '98')`),
      /make of the investment/,
    ],
    [
      'one that is said to have realised something else',
      `${event('realized_micro = realized_micro + 1')}; ${proposal('realized_micro = realized_micro + 1')}`,
      /make of the investment/,
    ],
    [
      'an adjustment without a proposal',
      `delete from adjustments where units = 5`,
      /agreed on by two people/,
    ],
    ['one that its proposer approved', proposal('decided_by = proposed_by'), /agreed on by two people/],
    [
      'one that is booked twice',
      `insert into position_events (deployment_id, symbol, kind, date, event, entitled, realized_micro, after_entry, at,
       execution) select deployment_id, symbol, kind, date + 1, event, entitled, realized_micro, after_entry, at, execution
     from position_events where kind = 'adjustment' order by id limit 1`,
      /make of the investment/,
    ],
    ['one that the ledger knows nothing of', proposal('cash_micro = cash_micro + 1'), /in the ledger once/],
    ['a holding of others that is not there', `delete from suspense_entries`, /counts once/],
    [
      'what fell short and is kept nowhere',
      `delete from suspense_entries where kind = 'shortfall'`,
      /shortfall of an adjustment is in the suspense/,
    ],
    [
      'more in suspense than fell short',
      `update suspense_entries set quantity = quantity + 1 where kind = 'shortfall'`,
      /shortfall of an adjustment is in the suspense/,
    ],
    [
      'something in suspense that fell short of no adjustment',
      `update suspense_entries set kind = 'shortfall' where symbol = 'BBB'`,
      /shortfall of an adjustment is in the suspense/,
    ],
    [
      'what was given up and is of others all the same',
      `delete from suspense_entries where kind = 'released'`,
      /left the suspense account/,
    ],
    [
      'more given up than was booked',
      `update suspense_entries set quantity = quantity + 1 where kind = 'released'`,
      /left the suspense account/,
    ],
    [
      'a holding of others under the name of what was given up',
      `update suspense_entries set kind = 'released' where kind = 'difference'`,
      /left the suspense account/,
    ],
    [
      'an adjustment that falls short by another quantity than it leaves',
      event(`entitled = entitled + 1`),
      /undoes, books and leaves/,
    ],
    [
      'an adjustment without a notice to its owner',
      `delete from notifications where cause like 'adjustment:%'`,
      /exactly one notice/,
    ],
  ])('%s is found', async (_, spoil, claim) => {
    await handle.pool.query(spoil);
    expect((await failing()).filter((says) => claim.test(says))).not.toEqual([]);
    await restore();
    expect(await failing()).toEqual([]);
  });
});
