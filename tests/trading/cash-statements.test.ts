// What the cash of an account says each day, and what happens when it says something else than the books.
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { testDatabase } from '#tests/support/test-database.ts';
import { BOTH_ABOVE_30, tradingWorld } from '#tests/support/trading-world.ts';
import { listTradingConnections } from '#records/brokerage/trading-connections.ts';
import { brokerInvariants } from '#trader/invariants/broker-invariants.ts';
import { checkRecords } from '#trader/invariants/check-invariants.ts';
import { toMicro } from '#units/money.ts';

const handle = await testDatabase();
const world = await tradingWorld(handle);
const { market, venue } = world;
const version = await world.addStrategy(BOTH_ABOVE_30);
let account: string;
let nth = 0;

afterAll(() => world.trader.close());
beforeEach(async () => {
  account = `DUCASH${(nth += 1)}`;
  venue.onCall = null;
  venue.statesCommissions = true;
  await world.deploy(version, { account });
  market.closeDay();
  await world.runTicks();
  market.openDay();
  await world.runTicks();
});

const rows = async (query: string, ...values: unknown[]) => (await handle.pool.query(query, values)).rows;
const statements = () =>
  rows(
    `select opening_micro::float / 1e6 as opening, trades_micro::float / 1e6 as trades,
       commissions_micro::float / 1e6 as commissions, external_trades_micro::float / 1e6 as external,
       unexplained_micro::float / 1e6 as unexplained, closing_micro::float / 1e6 as closing, is_final
     from cash_statements where account_id = $1 order by date`,
    account,
  );
const breaks = () =>
  rows(
    `select unexplained_micro::float / 1e6 as unexplained, ended_at is null as is_open from cash_breaks
     where account_id = $1`,
    account,
  );
const incidents = () =>
  rows(
    `select facts, ended_at is null as is_open from incidents where kind = 'cash_unexplained' and subject = $1`,
    account,
  );
const broken = async () => {
  const records = (await checkRecords(handle.database)).filter(({ violations }) => violations.length > 0);
  const opened = await venue.broker.openSession({});
  if (opened.outcome === 'failed') throw new Error(opened.reason);
  const [connection] = (await listTradingConnections(handle.database, 'all')).filter(
    ({ accountId }) => accountId === account,
  );
  const found: string[] = records.map(({ says }) => says);
  for (const { says, find } of brokerInvariants(connection!, opened.value))
    if ((await find(handle.database)).length > 0) found.push(says);
  return found;
};

it('a day is explained to the cent: opening, trades, commissions, the owner’s own trades', async () => {
  venue.tradeExternally(account, 'AAA', 'buy', 3);
  const price = market.price('AAA');
  await world.runTicks();
  market.closeDay();
  await world.runTicks(3);
  const [statement] = await statements();
  const [ours] = await rows(
    `select sum(quantity * price)::float as paid, sum(commission_micro)::float / 1e6 as fees
     from fills where account_id = $1`,
    account,
  );
  expect(statement).toMatchObject({ opening: 1_000_000, unexplained: 0, is_final: true });
  expect(statement.trades).toBeCloseTo(-ours.paid, 6);
  expect(statement.commissions).toBeCloseTo(-ours.fees, 6);
  expect(statement.external).toBeCloseTo(-3 * price * 1.0005, 6);
  expect(statement.closing).toBeCloseTo(venue.cash(account) / 1e6, 6);
  expect(await breaks()).toEqual([]);
  expect(await broken()).toEqual([]);
});

it('the commission of an owner’s trade is not taken from a row with another price than was kept', async () => {
  venue.statesCommissions = false;
  venue.tradeExternally(account, 'AAA', 'buy', 3);
  await world.runTicks();
  const known = async () =>
    (
      await rows(
        `select commission_micro::float / 1e6 as fee from suspense_entries where account_id = $1`,
        account,
      )
    )[0].fee;
  expect(await known()).toBeNull();
  venue.statesCommissions = true;
  const nth = venue.executions.length - 1;
  const row = venue.executions[nth]!;
  const { execution } = row;
  const spoilt = { ...execution, price: -execution.price, commission: toMicro(-execution.price) };
  venue.executions[nth] = { ...row, execution: spoilt };
  await world.runTicks();
  expect(await known()).toBeNull();
  venue.executions[nth] = row;
  await world.runTicks();
  expect(await known()).toBe(execution.commission! / 1e6);
  // Not of a fresh one either: a negative figure may be a placeholder, for a day.
  venue.stateCommission(nth, toMicro(-1));
  await world.runTicks();
  expect(await known()).toBe(execution.commission! / 1e6);
});

describe('money that nothing explains', () => {
  it('is a difference once two looks see the same, with one incident, and ends when it is gone', async () => {
    market.closeDay();
    venue.pay(account, toMicro(250));
    await world.runTicks(1);
    expect(await breaks()).toEqual([]);
    expect((await statements()).at(-1)).toMatchObject({ unexplained: 250, is_final: false });
    await world.runTicks(3);
    expect(await breaks()).toEqual([{ unexplained: 250, is_open: true }]);
    expect(await incidents()).toMatchObject([{ facts: { amount: 250, currency: 'USD' }, is_open: true }]);
    expect((await statements()).at(-1)).toMatchObject({ unexplained: 250, is_final: true });
    expect(await broken()).toEqual([]);

    venue.pay(account, toMicro(-250));
    await world.runTicks(2);
    expect(await breaks()).toEqual([{ unexplained: 250, is_open: false }]);
    expect(await incidents()).toMatchObject([{ is_open: false }]);
    expect(await broken()).toEqual([]);
  });

  it('of a cent or less is none', async () => {
    market.closeDay();
    venue.pay(account, toMicro(0.01));
    await world.runTicks(4);
    expect(await breaks()).toEqual([]);
    expect((await statements()).at(-1)).toMatchObject({ unexplained: 0.01, is_final: true });
  });

  it('is seen by verify before anybody else has looked', async () => {
    market.closeDay();
    await world.runTicks(2);
    expect(await broken()).toEqual([]);
    venue.pay(account, toMicro(-40));
    expect(await broken()).toEqual([
      'The cash of the account is explained to the cent, or a person is asked',
    ]);
  });
});

it('a commission that is still to come delays the verdict, and explains the cash when it comes', async () => {
  venue.statesCommissions = false;
  venue.tradeExternally(account, 'AAA', 'buy', 3);
  venue.stateCommission(venue.executions.length - 1, toMicro(7.5));
  await world.runTicks();
  market.closeDay();
  await world.runTicks(3);
  expect((await statements()).at(-1)).toMatchObject({ unexplained: -7.5, is_final: false });
  expect(await breaks()).toEqual([]);
  venue.statesCommissions = true;
  await world.runTicks(2);
  expect((await statements()).at(-1)).toMatchObject({ unexplained: 0, is_final: true });
  expect(await breaks()).toEqual([]);
  expect(await broken()).toEqual([]);
});
