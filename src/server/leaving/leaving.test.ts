import { unzipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { eraseExpired } from '#records/leaving/close-account.ts';
import { billedDeployment } from '#tests/support/billed-deployment.ts';
import { giveRole } from '#tests/support/give-role.ts';
import { testApp } from '#tests/support/test-app.ts';
import { newDeployment } from '#tests/support/test-deployment.ts';
import { PASSWORD, signedInPerson } from '#tests/support/test-person.ts';
import { unpaidFee } from '#tests/support/unpaid-fee.ts';

const app = await testApp();
const { request, records } = app;
const { pool } = records;
type Person = { readonly token: string; readonly email: string; readonly id: string };

const leaving = async ({ token }: Pick<Person, 'token'>) =>
  (await request({ url: '/api/account/leaving/', token })).body;
const close = ({ token, email }: Pick<Person, 'token' | 'email'>) =>
  request({ method: 'POST', url: '/api/account/close/', token, body: { email } });
const rowsOf = async (table: string, id: string) =>
  (await pool.query(`select * from ${table} where user_id = $1`, [id])).rows;
const end = (deploymentId: string) =>
  pool.query(
    `update deployments set status = 'stopped', requested_status = null, ended_at = coalesce(billed_through, deployed_at),
       billed_through = coalesce(billed_through, deployed_at), revision = revision + 1 where id = $1`,
    [deploymentId],
  );

describe('an account is not closed', () => {
  test('while a deployment runs, and says which', async () => {
    const { person, deploymentId } = await newDeployment(app);
    expect((await leaving(person)).refusals).toEqual([
      expect.stringMatching(/ still runs\. Stop or liquidate it first\.$/),
    ]);
    expect(await close(person)).toMatchObject({ status: 409, body: { code: 'in_use' } });
    await end(deploymentId);
    expect((await leaving(person)).refusals).toEqual([]);
  });

  test('while money is owed, and says how much', async () => {
    const { person, deploymentId } = await newDeployment(app);
    await end(deploymentId);
    await unpaidFee(records, deploymentId, { daysAgo: 1 });
    expect(await close(person)).toMatchObject({
      status: 409,
      body: { message: 'You owe $300 in performance fees. Pay your bills first.' },
    });
  });

  test('before the final bill is made', async () => {
    const { person, deploymentId } = await newDeployment(app);
    await end(deploymentId);
    await pool.query('update deployments set billed_through = null where id = $1', [deploymentId]);
    expect((await close(person)).body.message).toMatch(/^The final fee bill of .+ is not made yet\./);
  });

  test('while an order is open', async () => {
    const { person, deploymentId } = await newDeployment(app);
    await end(deploymentId);
    await pool.query(
      `insert into orders (id, deployment_id, broker_connection_id, client_order_id, cause, purpose, attempt, symbol, side, quantity,
         limit_price, reference_price, status, decided_at, stop_loss_percentage)
       select gen_random_uuid(), id, broker_connection_id, 'left-open-' || id, 'test', 'liquidation', 1, 'SPY', 'sell', 1, 1, 1, 'unknown',
         now(), 10 from deployments where id = $1`,
      [deploymentId],
    );
    expect((await close(person)).body.message).toBe(
      'An order is still open at your broker. Wait until it has ended.',
    );
  });

  test('while a payment is on its way, for staff, and with another e-mail', async () => {
    const [payer, staff] = [await signedInPerson(app), await signedInPerson(app)];
    await pool.query(
      `insert into charges (id, user_id, purpose, amount_micro, vendor, quote, is_automatic, opened_at)
       values (gen_random_uuid(), $1, 'plan', 79000000, 'ledger', '{}', false, now())`,
      [payer.id],
    );
    expect((await close(payer)).body.message).toContain(
      'One of your payments, refunds or disputes is not over yet',
    );
    await giveRole(records, staff, 'support');
    expect((await close(staff)).body.message).toContain('You are staff');
    const other = await close({ ...payer, email: staff.email });
    expect(other).toMatchObject({ status: 400, body: { field: 'email' } });
    expect((await request({ url: '/api/auth/me/', token: payer.token })).status).toBe(200);
  });
});

test('closing signs out everywhere, erases what the law does not keep, and locks what it does', async () => {
  const { person, deploymentId } = await billedDeployment(app);
  const own = { ...person, id: person.id };
  await end(deploymentId);
  await pool.query(
    `insert into fee_payments (id, bill_id, amount_micro, vendor, vendor_reference, is_automatic, paid_at)
     select id, id, fee_micro, 'ledger', 'v', true, now() from fee_bills where deployment_id = $1 and fee_micro > 0`,
    [deploymentId],
  );
  const second = await request({
    method: 'POST',
    url: '/api/auth/login/',
    body: { email: own.email, password: PASSWORD },
  });
  expect(await close(own)).toMatchObject({ status: 200 });
  // As with every session that ends: at most half a second later.
  app.world.now = (app.world.now + 1_000) as typeof app.world.now;
  for (const token of [own.token, second.body.token])
    expect((await request({ url: '/api/auth/me/', token })).status).toBe(401);
  const again = await request({
    method: 'POST',
    url: '/api/auth/login/',
    body: { email: own.email, password: PASSWORD },
  });
  expect(again.status).toBe(401);
  for (const table of [
    'sessions',
    'account_events',
    'notifications',
    'mails',
    'subscriptions',
    'idempotency_keys',
  ])
    expect([table, await rowsOf(table, own.id)]).toEqual([table, []]);
  const { rows: connections } = await pool.query(
    'select status, sealed_credentials from broker_connections where user_id = $1',
    [own.id],
  );
  expect(connections).toEqual([{ status: 'revoked', sealed_credentials: null }]);
  expect((await pool.query('select email, first_name from users where id = $1', [own.id])).rows).toEqual([
    { email: `closed-${own.id}@closed.invalid`, first_name: '' },
  ]);
  // Kept: who they were, what they traded, what they were billed.
  const [kept] = await rowsOf('closed_accounts', own.id);
  expect(kept).toMatchObject({ email: own.email, rule_version: '2026-11' });
  const years = kept.kept_until.getUTCFullYear() - kept.closed_at.getUTCFullYear();
  expect(years).toBe(5);
  expect((await pool.query('select from fee_bills where deployment_id = $1', [deploymentId])).rowCount).toBe(
    2,
  );
  await expect(pool.query('update closed_accounts set email = $1', ['x'])).rejects.toThrow('is locked until');
  await expect(pool.query('delete from closed_accounts')).rejects.toThrow('is locked until');
  // The address is free for its owner.
  const anew = await request({
    method: 'POST',
    url: '/api/auth/register/',
    body: {
      email: own.email,
      username: own.email,
      password: PASSWORD,
      confirm_password: PASSWORD,
      first_name: 'New',
      last_name: 'Start',
    },
  });
  expect(anew.status, anew.text).toBe(201);
});

test('two closings at once are one', async () => {
  const person = await signedInPerson(app);
  const answers = await Promise.all([close(person), close(person), close(person)]);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(await rowsOf('closed_accounts', person.id)).toHaveLength(1);
});

test('what the law keeps no longer is erased, and not a day sooner', async () => {
  const person = await signedInPerson(app);
  await noteAbout(person.id);
  for (const statement of [
    `insert into attestations (user_id, kind, basis, is_withdrawal, rule_version, text, address, user_agent)
     values ($1, 'qualified_client', 'net_worth', false, '1', 't', '203.0.113.7', 'u')`,
    `insert into eligibility_decisions (user_id, rule, rule_version, occasion, inputs, outcome, reasons)
     values ($1, 'investing', '1', 'details', '{"country": "US"}', 'allowed', '{}')`,
    `insert into identity_checks (user_id, provider, reference, status, documents, sanctions, inputs)
     values ($1, 'p', 'r', 'passed', 'verified', '[]', '{"name": "A"}')`,
  ])
    await pool.query(statement, [person.id]);
  const ofPerson = ['attestations', 'eligibility_decisions', 'identity_checks'];
  await close(person);
  await eraseExpired(records.database);
  for (const table of ofPerson) {
    expect(await rowsOf(table, person.id)).toHaveLength(1);
    await expect(pool.query(`delete from ${table} where user_id = $1`, [person.id])).rejects.toThrow(
      'is append-only',
    );
  }
  expect(await rowsOf('closed_accounts', person.id)).toHaveLength(1);
  expect(await rowsOf('client_notes', person.id), 'support answers for what it said').toHaveLength(1);
  await records.owner.query('alter table closed_accounts disable trigger closed_accounts_locked');
  await pool.query(
    `update closed_accounts set closed_at = now() - interval '6 years', kept_until = now() - interval '1 year' where user_id = $1`,
    [person.id],
  );
  await records.owner.query('alter table closed_accounts enable trigger closed_accounts_locked');
  await eraseExpired(records.database);
  expect(await rowsOf('closed_accounts', person.id)).toEqual([]);
  for (const table of [...ofPerson, 'client_notes'])
    expect([table, await rowsOf(table, person.id)]).toEqual([table, []]);
});

async function noteAbout(id: string): Promise<void> {
  await pool.query(
    `insert into client_notes (id, user_id, note, written_by, written_at)
     values (gen_random_uuid(), $1, 'asked for a statement', $1, now())`,
    [id],
  );
}

describe('the export', () => {
  const link = async ({ token }: Pick<Person, 'token'>) =>
    (
      await request({
        method: 'POST',
        url: '/api/account/download-link/',
        token,
        body: { address: '/api/account/export/file' },
      })
    ).body.url as string;
  const download = (url: string) => app.app.inject({ url });

  test('is one zip with every list as JSON and CSV, and opens once', async () => {
    const { person, deploymentId } = await billedDeployment(app, 1_000.5);
    await noteAbout(person.id);
    const url = await link(person);
    const answer = await download(url);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-type']).toContain('application/zip');
    expect(answer.headers['cache-control']).toBe('private, no-store');
    const files = unzipSync(new Uint8Array(answer.rawPayload));
    const text = (name: string) => new TextDecoder().decode(files[name]);
    expect(JSON.parse(text('json/profile.json'))).toMatchObject([{ email: person.email }]);
    expect(JSON.parse(text('json/deployments.json'))).toMatchObject([{ id: deploymentId }]);
    expect(JSON.parse(text('json/fee_bills.json'))).toHaveLength(2);
    expect(JSON.parse(text('json/notes_of_support.json'))).toMatchObject([{ note: 'asked for a statement' }]);
    const [names, ...bills] = text('csv/fee_bills.csv').trim().split('\r\n');
    expect(names!.split(',')).toContain('fee');
    expect(bills).toHaveLength(2);
    for (const name of Object.keys(files).filter((one) => one.startsWith('json/')))
      expect(files[name.replace('json/', 'csv/').replace('.json', '.csv')]).toBeDefined();
    expect((await download(url)).statusCode).toBe(400);
  });

  test('has no secrets and nothing of anybody else', async () => {
    const other = await billedDeployment(app);
    const { person } = await billedDeployment(app);
    const files = unzipSync(new Uint8Array((await download(await link(person))).rawPayload));
    const all = Object.values(files)
      .map((file) => new TextDecoder().decode(file))
      .join('\n');
    for (const secret of [
      'password_hash',
      'sealed_credentials',
      'token_hash',
      'hush',
      other.person.email,
      other.person.id,
      other.deploymentId,
    ])
      expect(all).not.toContain(secret);
  });

  test('ends with its minute and with the account', async () => {
    const person = await signedInPerson(app);
    const newer = await link(person);
    const before = app.world.now;
    app.world.now = (before + 61_000) as typeof before;
    expect((await download(newer)).statusCode).toBe(400);
    app.world.now = before;
    const last = await link(person);
    await close(person);
    expect((await download(last)).statusCode).toBe(400);
  });
});
