import { expect, test } from 'vitest';
import { agreeOn, supportPeople } from '#tests/support/agreed-adjustment.ts';
import { testDatabase } from '#tests/support/test-database.ts';
import { tradingFloor } from '#tests/support/trading-floor.ts';
import type { BrokerAccountId, Symbol } from '#units/identifiers.ts';
import { toQuantity } from '#units/quantity.ts';
import { findAgreedDifference } from './adjustments.ts';

const handle = await testDatabase();
const floor = await tradingFloor(handle);
const [first, second] = await supportPeople(handle);
const person = await floor.person();
const deployment = await floor.deploy(person);
const account = floor.connect(person).connection.accountId as BrokerAccountId;
const agreed = (symbol = 'AAA') => findAgreedDifference(handle.database, account, symbol as Symbol);
const rows = async (query: string) => (await handle.pool.query(query)).rows;

test('a difference counts from the approval of its adjustment until it is booked, and only while it is the same', async () => {
  await rows(
    `insert into reconciliation_breaks (account_id, symbol, ours, external, theirs) values ('${account}', 'AAA', -95, 2, -7)`,
  );
  expect(await agreed()).toBe(0);
  const wanted = { deployment, units: 86, price: 100 };
  const proposed = await agreeOn(handle, [first, null], wanted);
  expect(await agreed()).toBe(0);
  await rows(`update adjustments set status = 'approved', decided_by = '${second}' where id = '${proposed}'`);
  expect(await agreed()).toBe(toQuantity(86));
  expect(await agreed('BBB')).toBe(0);
  // Further trades move both sides.
  await rows(`update reconciliation_breaks set ours = -100, theirs = -12`);
  expect(await agreed()).toBe(toQuantity(86));
  await rows(`update reconciliation_breaks set theirs = -13`);
  expect(await agreed(), 'a fill since then').toBe(0);
  await rows(`update reconciliation_breaks set theirs = -12`);
  await rows(`update adjustments set status = 'declined'`);
  expect(await agreed()).toBe(0);
});
