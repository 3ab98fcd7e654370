import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { insertPerson } from '#tests/support/trading-rows.ts';
import { testDatabase } from '#tests/support/test-database.ts';
import { parseInstant } from '#units/instant.ts';
import { countUnnamedAccounts, permitBrokers } from './permitted-brokers.ts';

const { database, pool } = await testDatabase();
const rows = { database, pool, newId: randomUUID, now: () => parseInstant('2026-01-05T12:00:00Z') };

const SCRIPTED = { scripted: 'scripted at one.test' };

test('permissions of one broker are never taken to another, and without any the broker may change', async () => {
  expect(await permitBrokers(database, { scripted: 'scripted at zero.test' })).toEqual({ outcome: 'ok' });
  expect(await permitBrokers(database, SCRIPTED)).toEqual({ outcome: 'ok' });
  await insertPerson(rows);
  expect(await permitBrokers(database, SCRIPTED)).toEqual({ outcome: 'ok' });
  const refused = { outcome: 'refused', before: 'scripted at one.test', permissions: 1 };
  const elsewhere = { scripted: 'scripted at two.test' };
  expect(await permitBrokers(database, elsewhere)).toEqual(refused);
  expect(await permitBrokers(database, elsewhere), 'still refused').toEqual(refused);
  await pool.query(`update broker_connections set status = 'revoked', sealed_credentials = null`);
  expect(await permitBrokers(database, elsewhere)).toEqual({ outcome: 'ok' });
});

test('a vendor may come and go beside another, unless permissions of it are stored', async () => {
  await pool.query(`delete from settings`);
  const both = { ...SCRIPTED, alpaca: 'alpaca' };
  await insertPerson(rows);
  expect(await permitBrokers(database, both)).toEqual({ outcome: 'ok' });
  expect(await permitBrokers(database, { alpaca: 'alpaca' })).toEqual({
    outcome: 'refused',
    before: 'scripted at one.test',
    permissions: 1,
  });
  expect(await permitBrokers(database, SCRIPTED)).toEqual({ outcome: 'ok' });
  expect(await permitBrokers(database, both)).toEqual({ outcome: 'ok' });
});

test('a vendor of which nobody wrote down where it is reached is not guessed', async () => {
  await pool.query(`delete from settings`);
  expect(await permitBrokers(database, { alpaca: 'alpaca' })).toMatchObject({
    outcome: 'refused',
    before: 'scripted',
  });
});

test('processes that start at once agree on one broker', async () => {
  await pool.query(`delete from settings`);
  const answers = await Promise.all(['one', 'two'].map((scripted) => permitBrokers(database, { scripted })));
  expect(answers.map(({ outcome }) => outcome).toSorted()).toEqual(['ok', 'refused']);
});

test('accounts that are named by their number alone are counted', async () => {
  await pool.query('update broker_connections set account_id = null');
  expect(await countUnnamedAccounts(database)).toBe(0);
  await insertPerson(rows, { account: 'DU1' });
  expect(await countUnnamedAccounts(database)).toBe(1);
  await pool.query(`update broker_connections set account_id = 'scripted:DU1' where account_id = 'DU1'`);
  expect(await countUnnamedAccounts(database)).toBe(0);
});
