import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { testApp } from '../../../tests/support/test-app.ts';
import { brokerId, signedInPerson } from '../../../tests/support/test-person.ts';
import type { Broker } from '#ports/broker.ts';
import { credentialsPurpose, openSecret } from '#records/brokerage/sealed-secret.ts';
import { parseStaffArguments, type StaffCommand } from './staff-arguments.ts';
import { runStaffCommand } from './staff-command.ts';

const adviser = {
  vendor: 'interactive-brokers',
  linksAccounts: true,
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
} as unknown as Broker;

const app = await testApp();
const { database, pool } = app.records;
const sealingKey = app.dependencies.config.sealingKey;
const integrated = await brokerId(app, 'interactive-brokers');
const by = `${randomUUID()}@example.test`;

const staff = (line: string, broker: Broker = adviser) =>
  runStaffCommand(
    parseStaffArguments(line.split(' ')) as StaffCommand,
    database,
    'for the desk',
    async () => ({
      broker,
      sealingKey,
    }),
  );
await staff(`create --email ${by} --role support`);

const link = (email: string, account: string, broker?: Broker) =>
  staff(`link-account ${email} ${account} --by ${by}`, broker);
const connections = async (token: string) =>
  (await app.request({ url: '/api/broker-connections/', token })).body as { connection_status: string }[];
const owners = async (account: string) =>
  (
    await pool.query(`select user_id from broker_connections where account_id = $1 and status = 'active'`, [
      account,
    ])
  ).rows.length;

test('an account under the adviser becomes the one client’s whom the staff names, and trades without a secret', async () => {
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
    `select id, sealed_credentials, linked_by from broker_connections where account_id = 'DU1'`,
  );
  expect(rows[0].linked_by).toBe(by);
  const purpose = credentialsPurpose(rows[0].id);
  expect(openSecret(rows[0].sealed_credentials, { key: sealingKey, purpose })).toBe('{}');
  // Said twice, it is still one.
  expect(await link(email, 'DU1')).toMatchObject({ ok: true });
  expect(await connections(token)).toHaveLength(1);
});

test('nobody gets an account that is another’s, also when both are linked at once', async () => {
  const people = await Promise.all(Array.from({ length: 4 }, () => signedInPerson(app)));
  const outcomes = await Promise.all(people.map(({ email }) => link(email, 'DU2')));
  expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
  expect(await owners('DU2')).toBe(1);
  const refused = outcomes.find(({ ok }) => !ok);
  expect(refused?.lines).toEqual(["DU2 is another client's."]);
});

test('the rows themselves hold that an account has one client', async () => {
  const [first, second] = [await signedInPerson(app), await signedInPerson(app)];
  await link(first.email, 'DU3');
  const again = pool.query(
    `insert into broker_connections (id, user_id, broker_id, status, account_id, expires_at, linked_by)
     values ($1, $2, $3, 'active', 'DU3', now(), 'x')`,
    [randomUUID(), second.id, integrated],
  );
  await expect(again).rejects.toThrow('broker_connections_linked_account');
});

test('an account that a client left is free for the next', async () => {
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
    'silence',
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

test('only support links, and a client is told so where they begin', async () => {
  const { email, token } = await signedInPerson(app);
  const own = await staff(`link-account ${email} DU6 --by ${email}`);
  expect(own).toMatchObject({ ok: false, lines: [`${email} is not a support account`] });
  const listed = async () =>
    (await app.request({ method: 'GET', url: '/api/brokers/', token })).body
      .filter((one: { linked_by_staff: boolean }) => one.linked_by_staff)
      .map(({ id }: { id: string }) => id);
  expect(await listed()).toEqual([]);
  Object.assign(app.dependencies.broker, { linksAccounts: true });
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
