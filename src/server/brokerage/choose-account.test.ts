import { describe, expect, test } from 'vitest';
import { testApp } from '#tests/support/test-app.ts';
import { connectBroker, readyPerson, signedInPerson } from '#tests/support/test-person.ts';
import { publishedStrategy } from '#tests/support/test-strategy.ts';
import { MINUTE_MS } from '#units/instant.ts';

const app = await testApp();
const { request, world } = app;
const statusOf = async (token: string) => (await request({ url: '/api/ibkr-status/', token })).body;

describe('a sign-in that grants several accounts', () => {
  const savings = { accountId: 'DU7654321', title: 'Savings', currency: 'USD' } as const;
  const euros = { accountId: 'DU5550001', title: 'Euros', currency: 'EUR' } as const;
  const signIn = async (token: string) => {
    world.otherAccounts = [savings, euros] as never;
    const id = await connectBroker(app, { token });
    world.otherAccounts = [];
    return id;
  };
  const choose = (token: string, id: string, account: string) =>
    request({
      method: 'POST',
      url: `/api/broker-connections/${id}/choose_account/`,
      token,
      body: { account },
    });
  const listed = async (token: string) =>
    (await request({ url: '/api/broker-connections/', token })).body as {
      id: string;
      account_id: string;
      connection_status: string;
    }[];

  test('waits for the client, who sees each account without its whole number, and chooses one', async () => {
    const { token } = await signedInPerson(app);
    const id = await signIn(token);
    const [waiting] = await listed(token);
    expect(waiting).toMatchObject({
      id,
      connection_status: 'choose_account',
      account_id: null,
      accounts: [
        { key: '0', account_id: '••••4567', title: 'Paper', currency: 'USD', is_paper: true, refusal: null },
        { key: '1', account_id: '••••4321', title: 'Savings', refusal: null },
        { key: '2', account_id: '••••0001', currency: 'EUR', refusal: expect.stringContaining('EUR') },
      ],
    });
    expect(JSON.stringify(waiting)).not.toMatch(/DU\d/);
    expect(await choose(token, id, '2')).toMatchObject({ status: 422, body: { field: 'account' } });
    expect(await choose(token, id, '3')).toMatchObject({ status: 422, body: { field: 'account' } });
    const stranger = await signedInPerson(app);
    expect((await choose(stranger.token, id, '1')).status).toBe(404);
    const clicks = await Promise.all([
      choose(token, id, '1'),
      choose(token, id, '0'),
      choose(token, id, '1'),
    ]);
    expect(clicks.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    const [chosen] = await listed(token);
    expect(chosen).toMatchObject({ id, connection_status: 'active', accounts: null });
  });

  test('replaces the account of before while nothing is deployed, and keeps it while something is', async () => {
    world.accountId = 'DU1112222';
    const person = await readyPerson(app);
    const second = await signIn(person.token);
    expect(await choose(person.token, second, '1')).toMatchObject({
      status: 200,
      body: { account_id: '••••4321' },
    });
    const active = (await listed(person.token)).filter((one) => one.connection_status === 'active');
    expect(active.map((one) => one.account_id)).toEqual(['••••4321']);
    const body = {
      strategy: await publishedStrategy(app),
      broker_connection: second,
      investment_amount: 10_000,
      stop_loss_percentage: 10,
      max_allocation_per_trade: 20,
      freeze_on_drawdown: 25,
    };
    const made = await request({ method: 'POST', url: '/api/deployments/', token: person.token, body });
    expect(made.status).toBe(201);
    // It is renewed without a question: nothing else may be chosen now.
    expect(await signIn(person.token)).toBe(second);
    world.accountId = 'DU1234567';
  });
});

test('a sign-in that the trader could not finish in time is finished by the page that waits for it', async () => {
  const { token } = await signedInPerson(app);
  const id = await connectBroker(app, { token });
  // As an API leaves it that died after the broker granted access.
  await app.records.pool.query(
    `update broker_connections set status = 'pending', account_id = null, expires_at = $2 where id = $1`,
    [id, new Date(world.now + 5 * MINUTE_MS)],
  );
  expect(await statusOf(token)).toMatchObject({ connection_status: 'active', broker_connection_id: id });
});
