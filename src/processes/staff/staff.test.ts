import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import { withVendorInAccounts } from '#adapters/broker/vendor-in-accounts.ts';
import type { Broker } from '#ports/broker.ts';
import { accountOfVendor } from '#units/account-of-vendor.ts';
import { credentialsPurpose, openSecret } from '#records/keys/sealed-secret.ts';
import { verifyPassword } from '#server/identity/password/password-hash.ts';
import { deliverMails } from '#tests/support/deliver-mails.ts';
import { giveRole } from '#tests/support/give-role.ts';
import { startDesk } from '#tests/support/answering-desk.ts';
import { testApp } from '#tests/support/test-app.ts';
import { brokerId, PASSWORD, signedInPerson } from '#tests/support/test-person.ts';
import { decide } from '#tests/support/two-people.ts';
import { instant } from '#units/instant.ts';
import { BOTH_ABOVE_30, tradingWorld } from '#tests/support/trading-world.ts';
import { parseStaffArguments, type StaffCommand } from './staff-arguments.ts';
import { runStaffCommand } from './staff-command.ts';

const desk = await testApp();
const handle = desk.records;
const world = await tradingWorld(handle);
afterAll(() => world.trader.close());
const { pool, database } = handle;
const { market } = world;
const row = async (query: string, ...values: unknown[]) => (await pool.query(query, values)).rows[0];

async function staff(line: string, password: string | null = null) {
  const command = parseStaffArguments(line.match(/"[^"]+"|\S+/g)!.map((word) => word.replaceAll('"', '')));
  expect(typeof command).toBe('object');
  return runStaffCommand(command as StaffCommand, database, password);
}

const runTicks = () => {
  world.wait(60_000);
  return world.trader.tick();
};

/** A deployment with open positions, and a request about it. */
async function requested() {
  market.setPrice('AAA', 100);
  market.setPrice('BBB', 40);
  market.closeDay();
  await runTicks();
  const id = await world.deploy(await world.addStrategy({ ...BOTH_ABOVE_30, name: randomUUID() }));
  await runTicks();
  market.openDay();
  await runTicks();
  const request = randomUUID();
  await pool.query(
    'insert into liquidation_requests (id, deployment_id, requested_at) values ($1, $2, now())',
    [request, id],
  );
  return { id, request };
}

test('a new account has the role and the password; a weak one is refused', async () => {
  expect(await staff('create --email Sue@Example.test --role support', 'for the desk')).toMatchObject({
    ok: true,
  });
  const made = await row(`select role, password_hash from users where email = 'sue@example.test'`);
  expect(made.role).toBe('support');
  expect(await verifyPassword('for the desk', made.password_hash)).toBe(true);
  for (const weak of ['short', 'eleven figs', 'bellwether-support', 'password1234'])
    expect(await staff('create --email x@y.test --role support', weak)).toMatchObject({
      ok: false,
      lines: [expect.stringMatching(/^STAFF_PASSWORD: .+ hard to guess\.$/)],
    });
  expect((await staff('create --email z@y.test --role support')).lines[1]).toMatch(/^Its password: \S{16}$/);
});

test('whoever has registered an address does not become staff by it', async () => {
  const app = await testApp();
  const { database: theirs, pool: own } = app.records;
  const stranger = await signedInPerson(app);
  const create = { name: 'create', email: stranger.email, role: 'support', firstName: 'S' } as const;
  const outcome = await runStaffCommand(create, theirs, 'another long one');
  expect(outcome).toMatchObject({ ok: false, lines: [expect.stringContaining('has an account already')] });
  const { rows } = await own.query('select role from users where email = $1', [stranger.email]);
  expect(rows).toEqual([{ role: 'investor' }]);
  expect((await app.request({ url: '/api/operations/', token: stranger.token })).status).toBe(404);
});

test('the command line invites the first admin alone; an admin is asked for everybody else', async () => {
  const app = await testApp();
  const run = (line: string) =>
    runStaffCommand(parseStaffArguments(line.split(' ')) as StaffCommand, app.records.database, null);
  expect(await run('invite --email ada@example.test --role support')).toMatchObject({ ok: false });
  expect(await run('invite --email ada@example.test')).toMatchObject({ ok: true });
  await deliverMails(app.dependencies);
  const token = /\/invitation\?token=([\w-]+)/.exec(app.world.mails[0]!.text)![1];
  const body = { token, first_name: 'Ada', password: PASSWORD, confirm_password: PASSWORD };
  const accepted = await app.request({ method: 'POST', url: '/api/staff/invitations/accept/', body });
  expect(accepted.status, accepted.text).toBe(201);
  expect(await run('invite --email eve@example.test')).toMatchObject({ ok: false });
  const invited = (by: string) => run(`invite --email bob@example.test --role support --by ${by}`);
  expect((await invited('ada@example.test')).ok).toBe(true);
  expect((await invited('bob@example.test')).ok).toBe(false);
});

test('a role that is taken away is gone at once, and nobody takes their own', async () => {
  const app = await testApp();
  const [sue, bob] = [await signedInPerson(app), await signedInPerson(app)];
  await giveRole(app.records, sue, 'admin');
  await giveRole(app.records, bob, 'support');
  const desk = (token: string) => app.request({ url: '/api/operations/', token });
  expect((await desk(bob.token)).status).toBe(200);
  const revoke = (email: string, by: string) =>
    runStaffCommand({ name: 'revoke', email, by }, app.records.database, null);
  expect(await revoke(sue.email, sue.email)).toMatchObject({ ok: false });
  expect(await revoke(bob.email, 'nobody@example.test')).toMatchObject({ ok: false });
  expect(await revoke(bob.email, sue.email)).toMatchObject({ ok: true });
  app.world.now = instant(app.world.now + 1_000);
  expect((await desk(bob.token)).status).toBe(401);
  expect(await revoke(bob.email, sue.email)).toMatchObject({
    ok: false,
    lines: [`${bob.email} is not staff`],
  });
  expect((await app.request({ url: '/api/staff/', token: sue.token })).status).toBe(200);
});

test.each([
  ['', 'Name a command'],
  ['frobnicate', 'no command'],
  ['create --email nobody --role support', 'e-mail address'],
  ['create --email a@b.test --role king', 'support, provider, auditor, admin'],
  ['invite --email nobody', 'e-mail address'],
  ['liquidate --by a@b.test', 'Name the request'],
  ['liquidate 1', '--by'],
  ['liquidate 1 --by a@b.test', '--because'],
  ['kill-switch off 1 --by a@b.test', '--because'],
  ['create --mail a@b.test', '--mail'],
])('%j is refused with what is missing', (line, says) => {
  expect(parseStaffArguments(line.split(' ').filter(Boolean))).toContain(says);
});

/** A second person at the desk approves what the command line proposed. */
async function approve(lines: readonly string[]): Promise<void> {
  const id = /^Proposed: (\S+)\./.exec(lines.at(-1)!)![1]!;
  const second = await signedInPerson(desk);
  await giveRole(handle, second, 'support');
  const answer = await decide(desk, second, { id });
  expect(answer.status, answer.text).toBe(200);
}

test('the command line asks to liquidate and a person decides: then everything is sold, and the deployment ends', async () => {
  await staff('create --email desk@example.test --role support', 'for the desk');
  const { id, request } = await requested();
  const listed = await staff('requests');
  expect(listed.lines.find((line) => line.startsWith(request))).toContain('active');
  const line = `liquidate ${request} --by desk@example.test --because "the client confirmed it"`;
  const asked = await staff(line);
  expect(asked).toMatchObject({ ok: true });
  expect((await staff(line)).lines[0]).toContain('already an open proposal');
  expect(await row('select status, requested_status from deployments where id = $1', id)).toEqual({
    status: 'active',
    requested_status: null,
  });
  await approve(asked.lines);
  expect((await staff(line)).lines[0]).toContain('decided already');
  market.closeDay();
  await runTicks();
  market.openDay();
  await runTicks();
  await runTicks();
  const ended = await row(
    `select status, cash_micro = equity_micro as flat,
       (select count(*)::int from positions where deployment_id = d.id) as positions from deployments d where id = $1`,
    id,
  );
  expect(ended).toEqual({ status: 'liquidated', flat: true, positions: 0 });
  expect(
    await row(`select kind from notifications where deployment_id = $1 and kind = 'liquidated'`, id),
  ).toEqual({
    kind: 'liquidated',
  });
});

test('the command line halts at once, and asks to cancel orders and to lift', async () => {
  await staff('create --email desk@example.test --role support', 'for the desk');
  const on = await staff(
    'kill-switch on --scope global --cancel --by desk@example.test --because "prices look wrong"',
  );
  expect(on.lines[0]).toMatch(/^On: /);
  const halt = () => row('select id, cancels_working from kill_switches where lifted_at is null');
  const { id } = await halt();
  expect(await halt()).toMatchObject({ cancels_working: false });
  await approve(on.lines);
  expect(await halt()).toMatchObject({ cancels_working: true });
  const off = await staff(`kill-switch off ${id} --by desk@example.test --because "prices are right again"`);
  expect(await halt()).toMatchObject({ id });
  await approve(off.lines);
  expect(await halt()).toBeUndefined();
});

test('only support asks', async () => {
  const { request } = await requested();
  await staff('create --email maker@example.test --role provider', 'for the maker');
  for (const by of ['maker@example.test', 'nobody@example.test']) {
    expect((await staff(`liquidate ${request} --by ${by} --because "I say so"`)).ok).toBe(false);
  }
  expect(await row('select count(*)::int from proposals where subject = $1', request)).toEqual({ count: 0 });
});

describe('linking an account', async () => {
  const adviser = withVendorInAccounts({
    vendor: 'interactive-brokers',
    linksAccounts: 'staff',
    openSession: async () => ({
      outcome: 'ok',
      value: {
        accounts: async () => ({
          outcome: 'ok',
          value: [
            ...Array.from({ length: 9 }, (_, index) => ({ accountId: `DU${index + 1}`, currency: 'USD' })),
            { accountId: 'DU90', currency: 'CHF' },
          ],
        }),
        close: async () => undefined,
      },
    }),
    beginAuthorization: async () => ({ outcome: 'failed', code: 'refused', reason: 'not so' }),
  } as unknown as Broker);

  const app = await testApp();
  const { database, pool } = app.records;
  const { keys } = app.dependencies;
  const integrated = await brokerId(app, 'interactive-brokers');
  const by = `${randomUUID()}@example.test`;

  /** What the trader reaches. */
  let reached = adviser;
  const broker = {
    ...adviser,
    openSession: (credentials: object) => reached.openSession(credentials as never),
  };
  const stopDesk = startDesk({ handle: app.records, broker, answersFor: 'adviser' });
  afterAll(stopDesk);
  const { brokerQuestions } = app.dependencies;
  const staff = (line: string, port: Broker = adviser) => {
    reached = port.openSession === undefined ? adviser : port;
    return runStaffCommand(
      parseStaffArguments(line.split(' ')) as StaffCommand,
      database,
      'for the desk',
      async () => ({ brokers: [port], brokerQuestions, keys }),
    );
  };
  await staff(`create --email ${by} --role support`);

  const link = (email: string, account: string, broker?: Broker) =>
    staff(`link-account ${email} ${account} --by ${by}`, broker);
  const connections = async (token: string) =>
    (await app.request({ url: '/api/broker-connections/', token })).body as { connection_status: string }[];
  const owners = async (account: string) =>
    (
      await pool.query(`select user_id from broker_connections where account_id = $1 and status = 'active'`, [
        accountOfVendor('interactive-brokers', account),
      ])
    ).rows.length;

  test('an account under the adviser is linked to the client that staff name, and trades without a secret', async () => {
    const { email, token } = await signedInPerson(app);
    expect(await link(email, 'DU1')).toMatchObject({ ok: true });
    expect(await connections(token)).toEqual([
      expect.objectContaining({
        connection_status: 'active',
        broker: integrated,
        is_primary: true,
        account_id: '••••DU1',
      }),
    ]);
    const { rows } = await pool.query(
      `select id, sealed_credentials, linked_by from broker_connections where account_id = 'interactive-brokers:DU1'`,
    );
    expect(rows[0].linked_by).toBe(by);
    const purpose = credentialsPurpose({ id: rows[0].id, vendor: 'interactive-brokers' });
    expect(await openSecret(rows[0].sealed_credentials, { keys, purpose })).toBe('{}');
    // Repeating the command still gives one link.
    expect(await link(email, 'DU1')).toMatchObject({ ok: true });
    expect(await connections(token)).toHaveLength(1);
  });

  test('an account cannot be linked to a second client, even concurrently', async () => {
    const people = await Promise.all(Array.from({ length: 4 }, () => signedInPerson(app)));
    const outcomes = await Promise.all(people.map(({ email }) => link(email, 'DU2')));
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
    expect(await owners('DU2')).toBe(1);
    const refused = outcomes.find(({ ok }) => !ok);
    expect(refused?.lines).toEqual(["DU2 is another client's."]);
  });

  test('a database constraint limits an account to one client', async () => {
    const [first, second] = [await signedInPerson(app), await signedInPerson(app)];
    await link(first.email, 'DU3');
    const again = pool.query(
      `insert into broker_connections (id, user_id, broker_id, status, account_id, expires_at, linked_by)
     values ($1, $2, $3, 'active', 'interactive-brokers:DU3', now(), 'x')`,
      [randomUUID(), second.id, integrated],
    );
    await expect(again).rejects.toThrow('broker_connections_linked_account');
  });

  test('an account that a client gave up is free for the next', async () => {
    const [first, second] = [await signedInPerson(app), await signedInPerson(app)];
    await link(first.email, 'DU4');
    expect((await link(second.email, 'DU4')).ok).toBe(false);
    const [mine] = (await app.request({ url: '/api/broker-connections/', token: first.token })).body;
    await app.request({ method: 'DELETE', url: `/api/broker-connections/${mine.id}/`, token: first.token });
    expect((await link(second.email, 'DU4')).ok).toBe(true);
  });

  const refusals: readonly [string, () => Promise<string>, Broker | undefined, string][] = [
    [
      'an account that the broker does not show',
      async () => `${(await signedInPerson(app)).email} DU77`,
      undefined,
      'shows no account',
    ],
    [
      'an account in another currency',
      async () => `${(await signedInPerson(app)).email} DU90`,
      undefined,
      'CHF',
    ],
    ['a client that there is not', async () => 'nobody@example.test DU5', undefined, 'no client'],
    ['one of the staff as client', async () => `${by} DU5`, undefined, 'no client'],
    [
      'a broker that does not answer',
      async () => `${(await signedInPerson(app)).email} DU5`,
      {
        ...adviser,
        openSession: async () => ({ outcome: 'failed', code: 'unreachable', reason: 'silence' }),
      } as Broker,
      'does not list its accounts (unreachable)',
    ],
    [
      'a broker where clients sign in',
      async () => `${(await signedInPerson(app)).email} DU5`,
      { vendor: 'interactive-brokers' } as Broker,
      'IBKR_TENANCY',
    ],
  ];
  for (const [what, words, broker, reason] of refusals)
    test(`nothing is linked with ${what}`, async () => {
      const { ok, lines } = await staff(`link-account ${await words()} --by ${by}`, broker);
      expect(ok).toBe(false);
      expect(lines[0]).toContain(reason);
      expect(await owners('DU5')).toBe(0);
    });

  test('only support links accounts, and a client sees that at the start of the connection', async () => {
    const { email, token } = await signedInPerson(app);
    const own = await staff(`link-account ${email} DU6 --by ${email}`);
    expect(own).toMatchObject({ ok: false, lines: [`${email} is not a support account`] });
    const listed = async () =>
      (await app.request({ method: 'GET', url: '/api/brokers/', token })).body
        .filter((one: { linked_by: string | null }) => one.linked_by === 'staff')
        .map(({ id }: { id: string }) => id);
    expect(await listed()).toEqual([]);
    Object.assign(app.dependencies.brokers[0]!, { linksAccounts: 'staff' });
    expect(await listed()).toEqual([integrated]);
    const begun = await app.request({
      method: 'POST',
      url: '/api/broker-connections/',
      token,
      body: { broker: integrated, is_primary: true },
    });
    expect(begun.status).toBe(422);
    expect(JSON.stringify(begun.body)).toContain('Our staff link accounts');
    expect(await connections(token)).toEqual([]);
  });
});
