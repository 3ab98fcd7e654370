import { expect, test } from 'vitest';
import { testDatabase } from '../../../tests/support/test-database.ts';
import { BOTH_ABOVE_30, tradingWorld } from '../../../tests/support/trading-world.ts';
import { actAs, checkAuditChain, findAuditHead } from './audit-log.ts';

const handle = await testDatabase();
const { database, pool } = handle;
const world = await tradingWorld(handle);
const version = await world.addStrategy(BOTH_ABOVE_30);
const id = await world.deploy(version);
world.market.closeDay();
await world.trader.tick();
world.market.openDay();
await world.trader.tick();
await world.trader.close();

const rows = async (query: string, ...values: unknown[]) => (await pool.query(query, values)).rows;
const check = (anchors: Parameters<typeof checkAuditChain>[1] = []) => checkAuditChain(database, anchors);

test('a deployment that starts and buys leaves who did it, what moved, and a chain that holds', async () => {
  const edges = await rows(
    `select actor, details::jsonb -> 'to' ->> 'status' as became from audit_log
     where subject = $1 order by seq`,
    `deployment:${id}`,
  );
  const { user_id: owner } = (await rows('select user_id from deployments'))[0];
  expect(edges).toEqual([
    { actor: `client:${owner}`, became: 'pending' },
    { actor: 'trader', became: 'active' },
  ]);
  const moves =
    await rows(`select distinct details::jsonb -> 'moves' -> 0 ->> 'to' as became, actor from audit_log
    where action = 'orders.moved' order by 1`);
  expect(moves).toEqual([
    { became: 'filled', actor: 'trader' },
    { became: 'sending', actor: 'trader' },
    { became: 'working', actor: 'trader' },
  ]);
  const [written] = await rows(
    `select details::jsonb as details from audit_log where action = 'orders.written'`,
  );
  expect(written.details).toMatchObject({
    orders: 2,
    deployments: 1,
    digest: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  expect(await check()).toMatchObject({ broken: null });
});

test('what a member of staff does is theirs, and a change that is taken back leaves no row', async () => {
  const before = (await findAuditHead(database))!.seq;
  await database.transaction().execute(async (trx) => {
    await actAs(trx, 'staff:desk@example.test');
    await trx.updateTable('users').set({ role: 'support' }).execute();
  });
  await expect(
    database.transaction().execute(async (trx) => {
      await trx.updateTable('users').set({ role: 'provider' }).execute();
      throw new Error('no');
    }),
  ).rejects.toThrow('no');
  expect(await rows('select actor, action, details from audit_log where seq > $1', before)).toEqual([
    {
      actor: 'staff:desk@example.test',
      action: 'person.changed',
      details: '{"to": {"role": "support"}, "from": {"role": "investor"}}',
    },
  ]);
});

test('no row can be changed, removed or emptied', async () => {
  for (const attempt of [
    `update audit_log set actor = 'nobody'`,
    `delete from audit_log where seq = 1`,
    `truncate audit_log`,
  ]) {
    await expect(pool.query(attempt)).rejects.toThrow('audit_log is append-only');
  }
});

test('transactions that commit at the same time make one chain without a gap', async () => {
  const { seq } = (await findAuditHead(database))!;
  await Promise.all(
    Array.from({ length: 60 }, (_, i) =>
      pool.query(`insert into settings (key, value) values ($1, '1')`, [`key ${i}`]),
    ),
  );
  expect((await findAuditHead(database))!.seq).toBe(seq + 60);
  expect(await check()).toMatchObject({ broken: null });
  expect(await rows('select * from audit_queue')).toEqual([]);
});

test('the auditor reads every view and nothing else', async () => {
  const client = await pool.connect();
  await client.query('begin; set local role auditor');
  for (const view of ['deployments', 'orders', 'fills', 'positions', 'ledger', 'log']) {
    expect((await client.query(`select * from audit_${view}`)).rows.length).toBeGreaterThan(0);
  }
  await expect(client.query('select * from users')).rejects.toThrow('permission denied');
  await client.query('rollback');
  client.release();
});

test('an owner of the database who rewrites a row is found out, by the chain or by an anchor', async () => {
  const anchor = (await findAuditHead(database))!;
  const spoil = async (statement: string) => {
    await pool.query(`alter table audit_log disable trigger user`);
    await pool.query(statement);
    await pool.query(`alter table audit_log enable trigger user`);
  };
  await spoil(`update audit_log set details = details || ' ' where seq = 4`);
  expect((await check()).broken).toBe('row 4 is not what was written');
  await spoil(`update audit_log set details = rtrim(details) where seq = 4`);
  expect((await check([anchor])).broken).toBeNull();
  await spoil(`delete from audit_log where seq = ${anchor.seq}`);
  expect((await check()).broken).toBeNull();
  expect((await check([anchor])).broken).toMatch(/^row \d+ is missing: row \d+ was anchored/);
  await pool.query(`insert into settings (key, value) values ('another', '1')`);
  expect((await check([anchor])).broken).toMatch(/not the one that was anchored/);
});
