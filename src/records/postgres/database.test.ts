import { expect, test } from 'vitest';
import { testDatabase } from '../../../tests/support/test-database.ts';
import { openDatabase } from './database.ts';

const { url, pool } = await testDatabase();

test('a transaction that nobody goes on with is ended by the server, and its locks are free', async () => {
  await pool.query('create table held (id integer primary key); insert into held values (1)');
  const sleeper = openDatabase(url, { patienceMs: 150 });
  const client = await sleeper.pool.connect();
  await client.query('begin');
  await client.query('select * from held for update');
  await pool.query('select * from held for update');
  await expect(client.query('commit')).rejects.toThrow();
  client.release(true);
  await sleeper.close();
});

test('whoever waits too long for a lock gives up', async () => {
  const holder = await pool.connect();
  await holder.query('begin');
  await holder.query('lock table held');
  const waiting = openDatabase(url, { patienceMs: 150 });
  await expect(waiting.pool.query('select * from held')).rejects.toMatchObject({ code: '55P03' });
  await holder.query('rollback');
  holder.release();
  await waiting.close();
});
