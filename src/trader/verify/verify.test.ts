import { afterAll, describe, expect, test } from 'vitest';
import { testDatabase } from '../../../tests/support/test-database.ts';
import { BOTH_ABOVE_30, tradingWorld } from '../../../tests/support/trading-world.ts';
import { verify, verifyRecords } from './verify.ts';

const handle = await testDatabase();
const world = await tradingWorld(handle);
const { market, venue, trader } = world;
afterAll(() => trader.close());

const version = await world.addStrategy(BOTH_ABOVE_30);
await world.deploy(version, { account: 'DU1' });
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

const brokerSide = { broker: venue.broker, openCredentials: () => ({}), pause: async () => undefined };
const failing = async () =>
  (await verify(handle.database, brokerSide))
    .filter(({ offences }) => offences.length > 0)
    .map(({ says }) => says);

test('a history of purchases, a sale at a loss and a reduction holds every claim, at the broker too', async () => {
  const verdicts = await verify(handle.database, brokerSide);
  expect(verdicts.flatMap(({ offences }) => offences)).toEqual([]);
  expect(verdicts.filter(({ notChecked }) => notChecked !== null)).toEqual([]);
  const { rows } = await handle.pool.query(`select count(*)::int as fills from fills`);
  expect(rows).toEqual([{ fills: 4 }]);
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
      'a position that nobody bought',
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
      'an execution that is also external',
      `insert into external_fills select execution_id, account_id, symbol, side, quantity, price, executed_at from fills limit 1`,
      `delete from external_fills`,
      /both booked and external/,
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
      await handle.pool.query(spoil);
      expect((await failing()).some((says) => claim.test(says))).toBe(true);
      await handle.pool.query(restore);
      expect(await failing()).toEqual([]);
    });
  }

  test('a ledger transaction whose entries are gone', async () => {
    await handle.pool.query(`alter table ledger_entries disable trigger ledger_entries_append_only`);
    const { rows } = await handle.pool.query(
      `delete from ledger_entries where ledger_account = 'commission' returning transaction_id`,
    );
    expect(rows.length).toBeGreaterThan(0);
    const verdicts = await verifyRecords(handle.database);
    const says = verdicts.filter(({ offences }) => offences.length > 0).map((verdict) => verdict.says);
    expect(says).toContain('Every ledger transaction has entries and sums to zero per currency');
  });
});

test('an order and an execution at the broker that we know nothing of are found there', async () => {
  venue.orders.push({ ...venue.orders[0]!, brokerOrderId: 'B99', clientOrderId: 'BWFORGED' as never });
  venue.tradeByHand('DU1', 'BBB', 'buy', 3);
  const found = await failing();
  expect(found).toContain(
    'Every order of ours at the broker has one intent that says the same (account DU1)',
  );
  expect(found).toContain(
    'Every execution that the broker tells is booked or kept as external (account DU1)',
  );
  expect(found).toContain(
    "The positions of all deployments and external trades are the broker's (account DU1)",
  );
});

test('a broker that does not answer is said to be unchecked, not taken for flat', async () => {
  venue.down = true;
  const verdicts = await verify(handle.database, brokerSide);
  expect(verdicts.at(-1)).toMatchObject({
    invariant: 'I5',
    offences: [],
    notChecked: 'unreachable: the venue is down',
  });
});
