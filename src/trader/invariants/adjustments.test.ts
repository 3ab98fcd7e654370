import { afterAll, expect, test } from 'vitest';
import { agreeOn, supportPeople } from '../../../tests/support/agreed-adjustment.ts';
import { testDatabase } from '../../../tests/support/test-database.ts';
import { BOTH_ABOVE_30, tradingWorld } from '../../../tests/support/trading-world.ts';
import { checkRecords } from './check-invariants.ts';

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
// Three of them and four of the deployment's its owner sells by hand, and the deployment gives those up.
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
// All are sold, and the purchase is taken back: what is not there any more is kept apart.
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

test('adjustments, one that falls short, one that was sold by hand, and a holding that was kept apart hold every claim', async () => {
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
for (const table of TABLES) await handle.pool.query(`create table saved_${table} as table ${table}`);
await handle.pool.query(`alter table adjustments drop constraint four_eyes; drop index adjustments_once;
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
    'an adjustment that nobody proposed',
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
    /fell short is kept apart/,
  ],
  [
    'more kept apart than fell short',
    `update suspense_entries set quantity = quantity + 1 where kind = 'shortfall'`,
    /fell short is kept apart/,
  ],
  [
    'something kept apart that fell short of no adjustment',
    `update suspense_entries set kind = 'shortfall' where symbol = 'BBB'`,
    /fell short is kept apart/,
  ],
  [
    'what was given up and is of others all the same',
    `delete from suspense_entries where kind = 'released'`,
    /is of others no more/,
  ],
  [
    'more given up than was booked',
    `update suspense_entries set quantity = quantity + 1 where kind = 'released'`,
    /is of others no more/,
  ],
  [
    'a holding of others under the name of what was given up',
    `update suspense_entries set kind = 'released' where kind = 'difference'`,
    /is of others no more/,
  ],
  [
    'an adjustment that falls short by another quantity than it leaves',
    event(`entitled = entitled + 1`),
    /undoes, books and leaves/,
  ],
  [
    'an adjustment that its owner was not told of',
    `delete from notifications where cause like 'adjustment:%'`,
    /exactly one notice/,
  ],
])('%s is found', async (_, spoil, claim) => {
  await handle.pool.query(spoil);
  expect((await failing()).filter((says) => claim.test(says))).not.toEqual([]);
  await restore();
  expect(await failing()).toEqual([]);
});
