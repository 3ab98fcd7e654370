// Executions whose commission the broker states later, or as another figure than ours.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { testDatabase } from '#tests/support/test-database.ts';
import { BOTH_ABOVE_30, tradingWorld } from '#tests/support/trading-world.ts';
import { checkRecords } from '#trader/invariants/check-invariants.ts';
import type { DeploymentId } from '#units/identifiers.ts';
import { DAY_MS } from '#units/instant.ts';
import { toMicro } from '#units/money.ts';

const handle = await testDatabase();
const world = await tradingWorld(handle);
const { market, venue } = world;

const rows = async (query: string, ...values: unknown[]) => (await handle.pool.query(query, values)).rows;
const violations = async () =>
  (await checkRecords(handle.database)).flatMap(({ violations: found, says }) =>
    found.map((violation) => ({ says, violation })),
  );
const fills = () =>
  rows(`select commission_micro::float / 1e6 as commission, is_provisional, commission_revision as revision
    from fills order by symbol`);
const books = async () => {
  const [found] = await rows(
    `select cash_micro::float / 1e6 as cash, realized_micro::float / 1e6 as realized,
       equity_micro::float / 1e6 as equity from deployments where id = $1`,
    id,
  );
  return found as { cash: number; realized: number; equity: number };
};
const changes = () =>
  rows(`select t.cause, e.amount_micro::float / 1e6 as amount from ledger_transactions t
    join ledger_entries e on e.transaction_id = t.id and e.ledger_account = 'commission'
    where t.kind = 'commission' order by e.id`);

let id: DeploymentId;
let version: string;
afterAll(() => world.trader.close());
beforeAll(async () => {
  version = await world.addStrategy(BOTH_ABOVE_30);
  id = await world.deploy(version, { account: 'DU1' });
  market.closeDay();
  await world.trader.tick();
  venue.statesCommissions = false;
  market.setPrice('AAA', 101);
  market.openDay();
  await world.trader.tick();
});

it('are booked at once, at our estimate', async () => {
  expect(await fills()).toEqual([
    { commission: 2.02, is_provisional: true, revision: 0 },
    { commission: 2, is_provisional: true, revision: 0 },
  ]);
  expect(await books()).toEqual({
    cash: 10_000 - 4_040 - 4_000 - 4.02,
    realized: -4.02,
    equity: 10_000 - 4.02,
  });
  expect(await violations()).toEqual([]);
});

it('take the figure of the broker once it states it, in one posting, and again only when it changes', async () => {
  venue.statesCommissions = true;
  venue.stateCommission(0, toMicro(3.5));
  await world.runTicks(3);
  expect(await fills()).toEqual([
    { commission: 3.5, is_provisional: false, revision: 1 },
    { commission: 2, is_provisional: false, revision: 0 },
  ]);
  expect(await changes()).toEqual([{ cause: 'commission:DU1:X1:1', amount: 1.48 }]);
  expect(await rows('select pnl_micro::float / 1e6 as pnl from round_trips order by symbol')).toEqual([
    { pnl: -3.5 },
    { pnl: -2 },
  ]);
  const { cash, realized, equity } = await books();
  expect([cash, realized, equity].map((one) => Number(one.toFixed(6)))).toEqual([1_954.5, -5.5, 9_994.5]);
  expect(await violations()).toEqual([]);

  await world.restart();
  await world.runTicks(3);
  expect(await changes()).toHaveLength(1);
  venue.stateCommission(0, toMicro(3));
  await world.runTicks(3);
  expect(await changes()).toEqual([
    { cause: 'commission:DU1:X1:1', amount: 1.48 },
    { cause: 'commission:DU1:X1:2', amount: -0.5 },
  ]);
  expect(await violations()).toEqual([]);
});

it('take a rebate only after a day: cash that is not there could be spent', async () => {
  venue.stateCommission(1, toMicro(-0.35));
  await world.runTicks();
  expect((await fills())[1]).toEqual({ commission: 2, is_provisional: false, revision: 0 });
  market.advance(DAY_MS);
  await world.runTicks();
  expect((await fills())[1]).toEqual({ commission: -0.35, is_provisional: false, revision: 1 });
  expect(await violations()).toEqual([]);
});

it('of a fill that is booked cannot be changed in any other way', async () => {
  const change = (set: string) => handle.pool.query(`update fills set ${set} where execution_id = 'X1'`);
  await expect(change('commission_micro = commission_micro + 1')).rejects.toThrow('a fill is never changed');
  await expect(change('commission_revision = commission_revision + 1')).rejects.toThrow(
    'a fill is never changed',
  );
  await expect(change('price = price + 1')).rejects.toThrow('a fill is never changed');
  await expect(change('is_provisional = true')).rejects.toThrow('a fill is never changed');
  await expect(handle.pool.query('delete from fills')).rejects.toThrow('a fill is never changed');
});

it('that are still missing after a day are an incident, which ends with the figure', async () => {
  const incidents = () =>
    rows(
      `select ended_at is null as is_open from incidents where kind = 'commission_missing' and subject = 'DU2'`,
    );
  venue.statesCommissions = false;
  await world.deploy(version, { account: 'DU2' });
  market.closeDay();
  await world.runTicks();
  market.openDay();
  await world.runTicks();
  const provisional = () =>
    rows(`select count(*)::int as fills from fills where account_id = 'DU2' and is_provisional`);
  expect(await provisional()).toEqual([{ fills: 2 }]);
  expect(await incidents()).toEqual([]);
  market.advance(DAY_MS);
  await world.runTicks();
  expect(await incidents()).toEqual([{ is_open: true }]);
  venue.statesCommissions = true;
  await world.runTicks();
  expect(await provisional()).toEqual([{ fills: 0 }]);
  expect(await incidents()).toEqual([{ is_open: false }]);
  expect(await violations()).toEqual([]);
});
