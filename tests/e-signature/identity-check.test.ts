// The check of identities against its stand-in, before an agreement.
import Fastify from 'fastify';
import { afterAll, expect, test } from 'vitest';
import { httpIdentityCheck } from '#adapters/identity-check/http/http-identity-check.ts';
import { mountIdentityStandIn } from '#sandbox/identity-check/stand-in.ts';
import { testApp } from '#tests/support/test-app.ts';
import { newDeployment } from '#tests/support/test-deployment.ts';
import { signedInPerson } from '#tests/support/test-person.ts';
import { publishedStrategy } from '#tests/support/test-strategy.ts';

const key = 'the key of the checks';
const service = Fastify();
mountIdentityStandIn(service, { key });
const url = await service.listen({ port: 0, host: '127.0.0.1' });
const app = await testApp({}, () => ({
  signing: {
    provider: 'none',
    createSigningSession: () =>
      Promise.resolve({
        signingUrl: 'http://product.test/sign/t',
        envelopeId: 'envelope-1',
        expiresAt: 0 as never,
      }),
  } as never,
  signingCeremony: null,
  vendorSigning: null,
}));
afterAll(() => service.close());

async function named(firstName: string) {
  const person = await signedInPerson(app);
  const body = { first_name: firstName, date_of_birth: '1980-02-29', country: 'CH' };
  await app.request({ method: 'PATCH', url: '/api/auth/me/', token: person.token, body });
  const get = async (path: string) => app.request({ method: 'GET', url: path, token: person.token });
  return {
    ...person,
    change: (changed: object) =>
      app.request({ method: 'PATCH', url: '/api/auth/me/', token: person.token, body: changed }),
    ask: () => get('/api/investment-agreement-url'),
    identity: async () => (await get('/api/eligibility/')).body.identity,
    rows: async () =>
      (
        await app.records.pool.query(
          'select provider, status, documents, sanctions, inputs from identity_checks where user_id = $1',
          [person.id],
        )
      ).rows,
  };
}

test('without a service nobody is checked, and the account says so', async () => {
  Object.assign(app.dependencies, { identityCheck: null });
  const ada = await named('Ada');
  expect((await ada.ask()).status).toBe(200);
  expect(await ada.identity()).toMatchObject({
    status: 'not_checked',
    text: expect.stringMatching(/^Not checked/),
  });
  expect(await ada.rows()).toEqual([]);
});

test.each([
  ['Ada', 200, { status: 'passed', documents: 'verified', sanctions: [] }],
  ['Ada Unclear', 422, { status: 'review', documents: 'unclear' }],
  ['Ada Forged', 422, { status: 'failed', documents: 'rejected' }],
  [
    'Viktor Sanctioned',
    422,
    {
      status: 'failed',
      documents: 'verified',
      sanctions: [{ list: 'stand-in list', name: 'Viktor Sanctioned' }],
    },
  ],
])('%s is checked once, and answered with %i', async (name, status, kept) => {
  Object.assign(app.dependencies, { identityCheck: httpIdentityCheck({ url, key }) });
  const person = await named(name);
  expect((await person.ask()).status).toBe(status);
  expect((await person.ask()).status).toBe(status);
  expect(await person.rows()).toMatchObject([{ ...kept, inputs: { name, country: 'CH' } }]);
  expect(await person.identity()).toMatchObject({ status: kept.status });
});

test('a service that does not answer leaves nothing behind, and the person is asked to try again', async () => {
  for (const broken of [
    { url, key: 'another' },
    { url: 'http://127.0.0.1:1', key },
  ]) {
    Object.assign(app.dependencies, { identityCheck: httpIdentityCheck(broken) });
    const ada = await named('Ada');
    expect(await ada.ask()).toMatchObject({ status: 503, body: { code: 'unavailable' } });
    expect(await ada.rows()).toEqual([]);
    expect(await ada.identity()).toMatchObject({ status: 'not_checked' });
  }
});

test('whose name, birth date or country changes is checked again, and nobody else is', async () => {
  Object.assign(app.dependencies, { identityCheck: httpIdentityCheck({ url, key }) });
  const ada = await named('Ada');
  await ada.change({ last_name: 'Byron' });
  expect(await ada.rows()).toEqual([]);
  await ada.ask();
  const changes = [{ last_name: 'King' }, { date_of_birth: '1980-03-01' }, { country: 'IN' }];
  for (const [index, changed] of changes.entries()) {
    await ada.change(changed);
    await ada.change(changed);
    expect(await ada.rows()).toHaveLength(index + 2);
  }
  expect((await ada.ask()).status).toBe(200);
  await ada.change({ first_name: 'Ada Forged' });
  expect(await ada.identity()).toMatchObject({ status: 'failed' });
  expect((await ada.ask()).status).toBe(422);
});

test('an identity that did not pass keeps money from being deployed and trading from resuming', async () => {
  Object.assign(app.dependencies, { identityCheck: httpIdentityCheck({ url, key }) });
  const { person, deploymentId } = await newDeployment(app);
  await app.request({
    method: 'PATCH',
    url: '/api/auth/me/',
    token: person.token,
    body: { first_name: 'Viktor Sanctioned' },
  });
  const deployed = await newDeploymentOf(person);
  expect(deployed).toMatchObject({ status: 422, body: { code: 'not_eligible' } });
  await app.records.pool.query(`update deployments set status = 'paused' where id = $1`, [deploymentId]);
  const resume = `/api/deployments/${deploymentId}/resume/`;
  const resumed = await app.request({ method: 'POST', url: resume, token: person.token });
  expect(resumed).toMatchObject({ status: 422, body: { code: 'not_eligible' } });
});

async function newDeploymentOf(person: { readonly token: string; readonly connectionId: string }) {
  return app.request({
    method: 'POST',
    url: '/api/deployments/',
    token: person.token,
    body: {
      strategy: await publishedStrategy(app),
      broker_connection: person.connectionId,
      investment_amount: 10_000,
      stop_loss_percentage: 10,
      max_allocation_per_trade: 20,
      freeze_on_drawdown: 25,
    },
  });
}
