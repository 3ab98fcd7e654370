// What support does about fees at the command line.
import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '#tests/support/test-database.ts';
import { BOTH_ABOVE_30, tradingWorld } from '#tests/support/trading-world.ts';
import { unpaidFee } from '#tests/support/unpaid-fee.ts';
import { parseStaffArguments, type StaffCommand } from './staff-arguments.ts';
import { runStaffCommand } from './staff-command.ts';

const handle = await testDatabase();
const world = await tradingWorld(handle);
afterAll(() => world.trader.close());
const { pool, database } = handle;
const row = async (query: string, ...values: unknown[]) => (await pool.query(query, values)).rows[0];
const staff = (line: string) =>
  runStaffCommand(parseStaffArguments(line.split(' ')) as StaffCommand, database, null);

/** A deployment with open positions. */
async function trading() {
  world.market.closeDay();
  const id = await world.deploy(await world.addStrategy(BOTH_ABOVE_30));
  await world.runTicks(1);
  world.market.openDay();
  await world.runTicks(1);
  return { id };
}

test('support proposes to close the account of a client whose fee is unpaid a month after its due date, and not before', async () => {
  await staff('create --email fees@example.test --role support');
  const { id } = await trading();
  const { email } = await row(
    `select u.email from deployments d join users u on u.id = d.user_id where d.id = $1`,
    id,
  );
  const close = (by = 'fees@example.test') => staff(`close-unpaid ${email} --by ${by} --because unanswered`);
  expect(parseStaffArguments(['close-unpaid', email, '--by', 'fees@example.test'])).toContain('--because');
  expect((await close()).lines[0]).toContain('no overdue fee bill');
  await unpaidFee(handle, id, { daysAgo: 29 });
  expect((await close()).lines[0]).toContain('30 days after that');
  expect((await staff('unpaid')).lines.join('\n')).toMatch(new RegExp(`stopped  ${email}  .+, \\$300`));
  await pool.query(`update heartbeats set market_at = market_at + interval '1 day' where process = 'trader'`);
  expect((await close(email)).ok).toBe(false);
  expect((await close()).lines[0]).toMatch(/^Proposed: .+ A second person of support approves it/);
  expect(await row('select requested_status from deployments where id = $1', id)).toEqual({
    requested_status: null,
  });
  await pool.query(`update heartbeats set market_at = market_at - interval '1 day' where process = 'trader'`);
});

test('support bills what is due by the market’s clock, and says how often a client is billed', async () => {
  await staff('create --email bills@example.test --role support');
  const { id } = await trading();
  const { email } = await row(
    `select u.email from deployments d join users u on u.id = d.user_id where d.id = $1`,
    id,
  );
  expect(await staff(`fee-period ${email} weekly --by bills@example.test`)).toMatchObject({ ok: true });
  expect((await staff(`fee-period nobody@example.test weekly --by bills@example.test`)).ok).toBe(false);
  expect((await staff(`fee-period ${email} weekly --by ${email}`)).ok).toBe(false);
  expect(parseStaffArguments(['fee-period', email, 'daily', '--by', 'bills@example.test'])).toContain(
    'weekly or monthly',
  );
  const later = `update heartbeats set market_at = market_at + interval '8 days' where process = 'trader'`;
  await pool.query(later);
  const billed = await staff('bill --by bills@example.test');
  expect(billed.ok).toBe(true);
  expect(billed.lines[0]).toMatch(/^\d+ periods? billed\.$/);
  expect((await row(`select number from fee_bills where deployment_id = $1`, id)).number).toBe(1);
  expect((await staff('bill --by bills@example.test')).lines[0]).toContain('Nothing is due');
  expect((await staff(`bill --by ${email}`)).ok).toBe(false);
  expect(
    await row(`select actor from audit_log where action = 'person.changed' order by seq desc limit 1`),
  ).toEqual({ actor: 'staff:bills@example.test' });
});
