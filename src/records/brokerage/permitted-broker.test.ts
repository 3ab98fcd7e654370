import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { insertPerson } from '#tests/support/trading-rows.ts';
import { testDatabase } from '#tests/support/test-database.ts';
import { parseInstant } from '#units/instant.ts';
import { permitBroker } from './permitted-broker.ts';

const { database, pool } = await testDatabase();
const rows = { database, pool, newId: randomUUID, now: () => parseInstant('2026-01-05T12:00:00Z') };

test('permissions of one broker are never taken to another, and without any the broker may change', async () => {
  expect(await permitBroker(database, 'sandbox')).toEqual({ outcome: 'ok' });
  expect(await permitBroker(database, 'interactive-brokers at api.ibkr.com')).toEqual({ outcome: 'ok' });
  await insertPerson(rows);
  expect(await permitBroker(database, 'interactive-brokers at api.ibkr.com')).toEqual({ outcome: 'ok' });
  const refused = {
    outcome: 'refused',
    before: 'interactive-brokers at api.ibkr.com',
    permissions: 1,
  };
  expect(await permitBroker(database, 'sandbox')).toEqual(refused);
  expect(await permitBroker(database, 'sandbox'), 'still refused').toEqual(refused);
  await pool.query(`update broker_connections set status = 'revoked', sealed_credentials = null`);
  expect(await permitBroker(database, 'sandbox')).toEqual({ outcome: 'ok' });
});

test('processes that start at once agree on one broker', async () => {
  await pool.query(`delete from settings`);
  await insertPerson(rows);
  const answers = await Promise.all(['alpaca', 'sandbox'].map((broker) => permitBroker(database, broker)));
  expect(answers.map(({ outcome }) => outcome).toSorted()).toEqual(['ok', 'refused']);
});
