import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '#tests/support/test-database.ts';
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
