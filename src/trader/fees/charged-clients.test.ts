import { afterEach, expect, test } from 'vitest';
import { feeDesk } from '#tests/support/fee-desk.ts';
import { testDatabase } from '#tests/support/test-database.ts';

const handle = await testDatabase();
const desk = await feeDesk(handle);
const { pool } = handle;

afterEach(async () => {
  expect(desk.problems).toEqual([]);
  expect(await desk.violations()).toEqual([]);
});

const reside = (user: string, country: string) =>
  pool.query('update users set country = $2 where id = $1', [user, country]);

const state = (user: string, basis: string | null) =>
  pool.query(
    `insert into attestations (user_id, kind, basis, is_withdrawal, rule_version, text, address, user_agent)
     values ($1, 'qualified_client', $2, $3, '2026-06', 'I am.', '192.0.2.7', 'A browser')`,
    [user, basis, basis === null],
  );

const decisionsOf = async (user: string) =>
  (
    await pool.query(
      'select rule, rule_version, occasion, outcome, reasons, inputs from eligibility_decisions where user_id = $1 order by id',
      [user],
    )
  ).rows;

test('a client in the United States pays nothing until they state that they are qualified, and never for before', async () => {
  const { id, person } = await desk.begin('monthly');
  await reside(person.user, 'US');
  await desk.earn(id, 1_000, '2026-03-20T15:00:00Z');
  await desk.bill('2026-04-01T00:00:00Z');
  await state(person.user, 'net_worth');
  await desk.earn(id, 500, '2026-04-20T15:00:00Z');
  await desk.bill('2026-05-01T00:00:00Z');
  await state(person.user, null);
  await desk.earn(id, 200, '2026-05-20T15:00:00Z');
  await desk.bill('2026-06-01T00:00:00Z');

  expect(await desk.bills(id)).toMatchObject([
    { profit: 1_000, fee: 0, mark: 11_000 },
    { profit: 500, fee: 150, mark: 11_500 },
    { profit: 200, fee: 0, mark: 11_700 },
  ]);
  const { rows } = await pool.query(
    'select fee_percent::float8 as percent from fee_bills where deployment_id = $1 order by number',
    [id],
  );
  expect(rows.map(({ percent }) => percent)).toEqual([0, 30, 0]);
  expect(await decisionsOf(person.user)).toMatchObject([
    { rule: 'performance_fee', rule_version: '2021-08', outcome: 'refused', reasons: ['no_attestation'] },
    { outcome: 'allowed', reasons: ['qualified_client'], inputs: { basis: 'net_worth', country: 'US' } },
    { occasion: 'billing', outcome: 'refused', reasons: ['no_attestation'], inputs: { deployment: id } },
  ]);
});

test('a client elsewhere is charged without a statement', async () => {
  const { id, person } = await desk.begin('monthly');
  await reside(person.user, 'CH');
  await desk.earn(id, 1_000, '2026-03-20T15:00:00Z');
  await desk.bill('2026-04-01T00:00:00Z');
  expect(await desk.bills(id)).toMatchObject([{ fee: 300 }]);
  expect(await decisionsOf(person.user)).toMatchObject([{ outcome: 'allowed', reasons: ['not_restricted'] }]);
});

test('nobody pays a fee on rules that they wrote, and the mark rises all the same', async () => {
  const { id, person } = await desk.begin('monthly');
  await pool.query(
    `update strategies set owner_id = $1, status = 'draft' where id = (select strategy_id from deployments where id = $2)`,
    [person.user, id],
  );
  await desk.earn(id, 1_000, '2026-03-20T15:00:00Z');
  await desk.bill('2026-04-01T00:00:00Z');
  expect(await desk.bills(id)).toMatchObject([{ profit: 1_000, fee: 0, mark: 11_000 }]);
  expect(await decisionsOf(person.user)).toMatchObject([
    { outcome: 'refused', reasons: ['own_strategy'], inputs: { deployment: id, own_strategy: true } },
  ]);
  await pool.query(
    `update strategies set owner_id = null, status = 'published' where id = (select strategy_id from deployments where id = $1)`,
    [id],
  );
});
