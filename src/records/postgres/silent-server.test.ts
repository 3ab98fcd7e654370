import { createServer, type Socket } from 'node:net';
import { connect } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '#tests/support/test-database.ts';
import { openDatabase } from './database.ts';

const handle = await testDatabase();
const target = new URL(handle.url);
const sockets: Socket[] = [];
let isCutOff = false;
/** Between us and the server; a cable that can be pulled out: nobody is told. */
const cable = createServer((near) => {
  const far = connect(Number(target.port), target.hostname);
  sockets.push(near, far);
  for (const [from, to] of [
    [near, far],
    [far, near],
  ] as const) {
    from.on('data', (bytes) => isCutOff || to.write(bytes));
    from.on('error', () => undefined);
    from.on('close', () => isCutOff || to.destroy());
  }
});
await new Promise<void>((resolve) => cable.listen(0, '127.0.0.1', resolve));
const url = new URL(handle.url);
url.port = String((cable.address() as { readonly port: number }).port);
afterAll(() => {
  for (const socket of sockets) socket.destroy();
  cable.close();
});

test('a statement without an answer fails as an outage, and the next one finds a new connection', async () => {
  const { pool, close } = openDatabase(url.href, {
    poolSize: 1,
    answerWithinMs: 300,
    onIdleError: () => undefined,
  });
  expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  const { port } = cable.address() as { readonly port: number };
  isCutOff = true;
  cable.close();
  await expect(pool.query('select 2 as two')).rejects.toMatchObject({ code: 'ETIMEDOUT' });
  isCutOff = false;
  await new Promise<void>((resolve) => cable.listen(port, '127.0.0.1', resolve));
  expect((await pool.query('select 3 as three')).rows).toEqual([{ three: 3 }]);
  await close();
});

test('a statement that takes long is left alone while its server can be reached', async () => {
  const { pool, close } = openDatabase(url.href, { poolSize: 1, answerWithinMs: 100 });
  expect((await pool.query('select 4 as four, pg_sleep(0.5)::text')).rows).toMatchObject([{ four: 4 }]);
  await close();
});

test('a connection that only listens is quiet for as long as it likes', async () => {
  const { pool, close } = openDatabase(url.href, { poolSize: 1, answerWithinMs: 100 });
  const client = await pool.connect();
  await client.query('listen quiet');
  const heard = new Promise((resolve) => client.once('notification', ({ payload }) => resolve(payload)));
  await handle.pool.query('select pg_sleep(0.5)');
  await handle.pool.query(`select pg_notify('quiet', 'a word')`);
  expect(await heard).toBe('a word');
  client.release();
  await close();
});
