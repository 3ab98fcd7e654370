import type { PoolClient } from 'pg';
import { afterAll, describe, expect, test } from 'vitest';
import { testDatabase } from '#tests/support/test-database.ts';
import { refuseHandedOn } from './refuse-handed-on.ts';
import { openRoleDatabase } from './role-database.ts';

const handle = await testDatabase();
const open: { close(): Promise<void> }[] = [];
afterAll(async () => {
  for (const one of open) await one.close();
});

const causes = async () =>
  (await handle.pool.query(`select cause from restorations order by id`)).rows.map(({ cause }) => cause);

const moveTo = (place: object) =>
  handle.pool.query(`update settings set value = value || $1::jsonb where key = 'database-place'`, [place]);

async function openAs(options: Parameters<typeof openRoleDatabase>[1]) {
  const role = await openRoleDatabase(handle.url, options);
  open.push(role);
  return role;
}

test('whichever role starts first marks a restored database, and the others find the mark', async () => {
  await openAs({ poolSize: 1 });
  expect(await causes()).toEqual([]);
  await moveTo({ timeline: '00000009' });
  const [api] = await Promise.all([openAs({ poolSize: 1, asApi: true }), openAs({ poolSize: 1 })]);
  expect(await causes()).toEqual(['timeline']);
  expect((await api.pool.query('select current_user as name')).rows).toEqual([{ name: 'bellwether_api' }]);
});

test('a role that lives through a takeover marks it before its first statement there', async () => {
  const api = await openAs({ poolSize: 1, asApi: true });
  const session = (await handle.pool.query(`select count(*)::int as count from restorations`)).rows[0].count;
  const [{ pid }] = (await api.pool.query('select pg_backend_pid() as pid')).rows;
  await moveTo({ cluster: '1' });
  await handle.owner.query('select pg_terminate_backend($1)', [pid]);
  // The connection ends before the next statement looks for one.
  await expect.poll(() => api.pool.totalCount).toBe(0);
  const { rows } = await api.pool.query(`select count(*)::int as count from restorations`);
  expect(rows).toEqual([{ count: session + 1 }]);
});

describe('where a standby confirms each commit', () => {
  const takeOver = async (timeline: string, hasSynchronousStandby: boolean) => {
    const before = (await causes()).length;
    await moveTo({ timeline });
    await openAs({ poolSize: 1, hasSynchronousStandby });
    return (await causes()).slice(before);
  };
  const traderAlive = (ago: string) =>
    handle.pool.query(
      `insert into traders (id, lock_key, expires_at) values (gen_random_uuid(), 1, clock_timestamp() - $1::interval)`,
      [ago],
    );

  test('its takeover is no restore while a trader was alive just before', async () => {
    await openAs({ poolSize: 1 });
    await traderAlive('30 seconds');
    expect(await takeOver('0000000A', true)).toEqual([]);
    expect(await takeOver('0000000B', false)).toEqual(['timeline']);
  });

  test('a new timeline long after the last trader is a restore from a backup', async () => {
    await handle.pool.query('delete from traders');
    expect(await takeOver('0000000C', true)).toEqual(['timeline']);
    await traderAlive('1 hour');
    expect(await takeOver('0000000D', true)).toEqual(['timeline']);
  });

  test('another cluster is never a takeover', async () => {
    await traderAlive('1 second');
    await moveTo({ cluster: '2' });
    const before = (await causes()).length;
    await openAs({ poolSize: 1, hasSynchronousStandby: true });
    expect((await causes()).slice(before)).toEqual(['cluster']);
  });
});

test('a role does not start behind a pooler that hands connections on after each transaction', async () => {
  const [one, other] = await Promise.all([handle.pool.connect(), handle.pool.connect()]);
  // As such a pooler does: each statement goes to whichever connection is free.
  const pooled = { connect: async () => ({ query: roundRobin([one, other]), release: () => undefined }) };
  await expect(refuseHandedOn(pooled as never)).rejects.toThrow('pool_mode = session');
  for (const client of [one, other]) client.release(true);
  await refuseHandedOn(handle.pool);
});

function roundRobin(clients: readonly PoolClient[]) {
  let turn = 0;
  return (text: string) => clients[turn++ % clients.length]!.query(text);
}
