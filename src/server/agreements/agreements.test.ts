import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fastify, { type FastifyInstance } from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createEmbeddedSigning } from '#adapters/signing/embedded/embedded-signing.ts';
import { openSealKey } from '#adapters/signing/embedded/seal-key.ts';
import { agreementsEndpoints } from '#contract/agreements.ts';
import { createEnvelopeStore } from '#records/agreements/agreements.ts';
import { serveSigningPage } from '#server/agreements/signing-page/serve-signing-page.ts';
import { answerErrors } from '#server/http/answer-errors.ts';
import type { Dependencies } from '#server/http/dependencies.ts';
import { mountRoom } from '#server/http/mount-room.ts';
import { issueAccessToken } from '#server/identity/session/access-token.ts';
import { authenticateCalls } from '#server/identity/session/authenticate.ts';
import { authorizeCalls } from '#server/identity/session/authorize.ts';
import { testApp } from '#tests/support/test-app.ts';
import { testKeyring } from '#tests/support/test-keyring.ts';
import { testDatabase } from '#tests/support/test-database.ts';
import { answersOf, signedInPerson } from '#tests/support/test-person.ts';
import { verifySeal } from '#adapters/signing/embedded/verify-seal.ts';
import { AGREEMENT_VERSION } from '#rules/provider.ts';
import type { UserId } from '#units/identifiers.ts';
import { instant } from '#units/instant.ts';
import { agreementsCalls } from './agreements-calls.ts';

const records = await testDatabase();
const folder = mkdtempSync(path.join(tmpdir(), 'agreements-'));
const keys = await testKeyring(records.database);
let app: FastifyInstance;
let fingerprint: string;
const config = { installation: 'provider', publicUrl: 'http://product.test', webRoot: null };

beforeAll(async () => {
  const key = await openSealKey(path.join(folder, 'seal.pem'), { owner: 'An Adviser', now: new Date() });
  fingerprint = key.fingerprint;
  const store = createEnvelopeStore(records.database);
  const signing = createEmbeddedSigning({
    store,
    openKey: async () => key,
    signingPage: 'http://product.test/sign',
  });
  const dependencies = {
    records,
    signing,
    signingCeremony: signing,
    identityCheck: null,
    now: () => instant(Date.now()),
    keys,
    config,
  } as unknown as Dependencies;
  app = fastify();
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  answerErrors(app);
  authenticateCalls(app, dependencies);
  authorizeCalls(app, dependencies);
  mountRoom(app, dependencies, { endpoints: agreementsEndpoints, calls: agreementsCalls });
  await serveSigningPage(app, signing, dependencies);
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});

test('an adult in a country we serve signs on the page and gets the sealed document', async () => {
  const ana = await person({ country: 'CH', date_of_birth: '1990-05-01' });
  expect(await ana.get('/api/docusign-callback')).toMatchObject({ body: { status: false } });
  const { path: signing, cookie } = await startSigning(ana);

  const page = await app.inject({ url: signing, headers: { cookie } });
  expect(page.statusCode).toBe(200);
  expect(page.body).toContain('30% of profit');
  expect(page.body).toContain('Finish Signing!');
  expect(page.body).not.toMatch(/checkbox"[^>]*checked/);
  expect(page.headers['cache-control']).toBe('no-store');

  const unread = await finish({ path: signing, cookie }, SIGNATURE);
  expect(unread.statusCode).toBe(422);
  expect(unread.body).toContain('please read the agreement to its end');
  expect((await readToEnd({ path: signing, cookie })).statusCode).toBe(204);
  const finished = await finish({ path: signing, cookie }, SIGNATURE);
  expect(finished.statusCode).toBe(303);
  const signed = await app.inject({ url: String(finished.headers.location), headers: { cookie } });
  expect(signed.body).toContain('data-view="signed"');

  expect(await ana.get('/api/docusign-callback')).toMatchObject({ body: { status: true } });
  const { body: agreements } = await ana.get('/api/agreements/');
  expect(agreements).toMatchObject([{ signed_name: 'Ana Müller' }]);
  const documentUrl = (agreements as { document_url: string }[])[0]!.document_url;
  const document = await app.inject({ url: documentUrl, headers: ana.headers });
  expect(document.headers['content-type']).toContain('application/pdf');
  expect(verifySeal(document.rawPayload, [fingerprint])).toMatchObject({ intact: true });

  const ben = await person({ country: 'US', date_of_birth: '1980-01-01' });
  expect((await app.inject({ url: documentUrl, headers: ben.headers })).statusCode).toBe(404);
  expect((await app.inject({ url: documentUrl })).statusCode).toBe(401);
});

test.each([
  [{ country: null, date_of_birth: '1990-05-01' }, 'country'],
  [{ country: 'FR', date_of_birth: '1990-05-01' }, 'country'],
  [{ country: 'CH', date_of_birth: null }, 'date_of_birth'],
  [{ country: 'CH', date_of_birth: '2020-01-01' }, 'date_of_birth'],
])('with %j no agreement is offered, and %s is named', async (facts, field) => {
  const someone = await person(facts);
  expect(await someone.get('/api/investment-agreement-url')).toMatchObject({
    status: 422,
    body: { code: 'not_eligible', field },
  });
});

test('where one person runs the product for themselves, a statement of the risks is signed, from any country', async () => {
  config.installation = 'own';
  const owner = await person({ country: null, date_of_birth: null });
  const signing = await startSigning(owner);
  const page = await app.inject({ url: signing.path, headers: { cookie: signing.cookie } });
  expect(page.body).toContain('<h1>Statement of Risks</h1>');
  expect(page.body).not.toMatch(/30%|fee|licensed|under number/i);
  await readToEnd(signing);
  expect((await finish(signing, SIGNATURE)).statusCode).toBe(303);
  expect(await owner.get('/api/docusign-callback')).toMatchObject({ body: { status: true } });
  expect(await owner.get('/api/investment-agreement-url')).toMatchObject({
    status: 409,
    body: { message: 'You have already signed the current statement of risks.' },
  });
  config.installation = 'provider';
});

test('a double click, or signing in two tabs, signs once', async () => {
  const ana = await person({ country: 'IN', date_of_birth: '1990-05-01' });
  const [first, second] = [await startSigning(ana), await startSigning(ana)];
  for (const tab of [first, second]) await readToEnd(tab);
  const form = { ...SIGNATURE, name: 'Ana Rao' };
  const answers = await Promise.all([finish(first, form), finish(first, form), finish(second, form)]);
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([303, 303, 303]);
  expect((await ana.get('/api/agreements/')).body).toHaveLength(1);
  expect(await ana.get('/api/investment-agreement-url')).toMatchObject({ status: 409 });
});

test('the page says what is missing, and nothing is signed', async () => {
  const ana = await person({ country: 'CH', date_of_birth: '1990-05-01' });
  const answer = await finish(await startSigning(ana), { name: '<b>"Ana"</b>' });
  expect(answer.statusCode).toBe(422);
  expect(answer.body).toContain('please check the box to agree');
  expect(answer.body).toContain('please check the box about electronic form');
  expect(answer.body).not.toContain('<b>"Ana"');
  expect(await ana.get('/api/docusign-callback?event=signing_complete&status=true')).toMatchObject({
    body: { status: false },
  });
});

test('an invalid link shows a page that says what to do, not the agreement', async () => {
  const page = await app.inject({ url: '/sign/made-up?theme=light' });
  expect(page.statusCode).toBe(404);
  expect(page.body).toContain('data-theme="light"');
  expect(page.body).toContain('Nothing was signed.');
});

test('a malformed agreement id gets the same answer as an absent one', async () => {
  const ana = await person({ country: 'CH', date_of_birth: '1990-05-01' });
  expect(await ana.get('/api/agreements/nonsense/document/')).toMatchObject({ status: 404 });
  expect(await ana.get(`/api/agreements/${randomUUID()}/document/`)).toMatchObject({ status: 404 });
});

test('a link signs nothing without the browser and the sign-in that asked for it', async () => {
  const ana = await person({ country: 'CH', date_of_birth: '1990-05-01' });
  const ben = await person({ country: 'CH', date_of_birth: '1990-05-01' });
  const tab = await startSigning(ana);
  await readToEnd(tab);
  const bens = await startSigning(ben);
  const [, bensProof] = bens.cookie.split('=');
  const forged = `${tab.cookie.split('=')[0]}=${bensProof}`;
  for (const cookie of ['', bens.cookie, forged]) {
    const page = await app.inject({ url: tab.path, headers: { cookie } });
    expect(page.statusCode).toBe(403);
    expect(page.body).toContain('belongs to another sign-in');
    expect((await app.inject({ url: `${tab.path}/document.pdf`, headers: { cookie } })).statusCode).toBe(403);
    expect((await readToEnd({ path: tab.path, cookie })).statusCode).toBe(403);
    expect((await finish({ path: tab.path, cookie }, SIGNATURE)).statusCode).toBe(403);
  }
  expect((await app.inject({ url: tab.path, headers: ben.headers })).statusCode).toBe(403);
  expect((await app.inject({ url: tab.path, headers: ana.headers })).statusCode).toBe(200);

  await records.database
    .updateTable('sessions')
    .set({ ended_at: new Date() })
    .where('id', '=', ana.sessionId)
    .execute();
  expect((await finish(tab, SIGNATURE)).statusCode).toBe(403);
  expect(
    await records.database
      .selectFrom('agreements')
      .select('id')
      .where('user_id', '=', ana.userId)
      .where('status', '=', 'signed')
      .execute(),
  ).toEqual([]);
});

test('a signature of a former version does not count, and the current one is asked for', async () => {
  const ana = await person({ country: 'CH', date_of_birth: '1990-05-01' });
  const tab = await startSigning(ana);
  await readToEnd(tab);
  await finish(tab, SIGNATURE);
  expect(await ana.get('/api/investment-agreement-url')).toMatchObject({ status: 409 });
  await records.database
    .updateTable('agreements')
    .set({ version: '2020-01' })
    .where('user_id', '=', ana.userId)
    .execute();
  expect(await ana.get('/api/docusign-callback')).toMatchObject({ body: { status: false } });
  const again = await startSigning(ana);
  await readToEnd(again);
  await finish(again, SIGNATURE);
  const { body } = await ana.get('/api/agreements/');
  expect(body).toMatchObject([{ version: AGREEMENT_VERSION }, { version: '2020-01' }]);
});

const SIGNATURE = { name: 'Ana Müller', consent: 'yes', electronic_consent: 'yes' };

/** A tab of the browser that asked for a signing link. */
type Tab = { readonly path: string; readonly cookie: string };

async function startSigning(someone: { headers: { authorization: string } }): Promise<Tab> {
  const { headers } = someone;
  const answer = await app.inject({ url: '/api/investment-agreement-url', headers });
  const path = new URL(answer.json<{ signing_url: string }>().signing_url).pathname;
  return { path, cookie: String(answer.headers['set-cookie']).split(';', 1)[0]! };
}

async function readToEnd({ path: url, cookie }: Tab) {
  await app.inject({ url, headers: { cookie } });
  return app.inject({ method: 'POST', url: `${url}/read`, headers: { cookie } });
}

function finish({ path: url, cookie }: Tab, form: Record<string, string>) {
  return app.inject({
    method: 'POST',
    url,
    payload: new URLSearchParams(form).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': 'A browser', cookie },
  });
}

type Get = (url: string) => Promise<{ status: number; body: unknown }>;

async function person(facts: { country: string | null; date_of_birth: string | null }) {
  const userId = randomUUID() as UserId;
  const sessionId = randomUUID();
  await records.database
    .insertInto('users')
    .values({ id: userId, email: `${userId}@example.test`, password_hash: 'x', first_name: 'Ana', ...facts })
    .execute();
  await records.database
    .insertInto('sessions')
    .values({ id: sessionId, user_id: userId, remember: false, expires_at: new Date(Date.now() + 3_600_000) })
    .execute();
  const token = await issueAccessToken(
    { userId, sessionId },
    keys.newest('access_token'),
    instant(Date.now()),
  );
  const headers = { authorization: `Bearer ${token}` };
  const get: Get = async (url) => {
    const answer = await app.inject({ url, headers });
    return { status: answer.statusCode, body: answer.json() };
  };
  return { userId, sessionId, headers, get };
}

describe('the suitability questionnaire', async () => {
  const app = await testApp();
  const { request } = app;
  const URL = '/api/risk-assessment/';

  test('the score is computed from the answers, and a submitted score is ignored', async () => {
    const { token, id } = await signedInPerson(app);
    expect(await request({ url: URL, token })).toMatchObject({ status: 404, body: { code: 'not_found' } });
    const body = { score: 3, risk_tolerance: 'aggressive', questionnaire_responses: answersOf(0) };
    const created = await request({ method: 'POST', url: URL, token, body });
    expect(created).toMatchObject({
      status: 201,
      body: {
        user: id,
        score: 33,
        risk_score: 1,
        risk_tolerance: 'conservative',
        max_drawdown_tolerance: 10,
      },
    });
    expect(created.body.recommendations).toHaveLength(4);
    expect((await request({ url: URL, token })).body).toEqual(created.body);
  });

  test('a retake updates the same profile', async () => {
    const { token } = await signedInPerson(app);
    const first = await request({
      method: 'POST',
      url: URL,
      token,
      body: { questionnaire_responses: answersOf(0) },
    });
    const changed = await request({
      method: 'PATCH',
      url: `${URL}${first.body.id}/`,
      token,
      body: { questionnaire_responses: answersOf(2) },
    });
    expect(changed).toMatchObject({ status: 200, body: { id: first.body.id, score: 100, risk_score: 5 } });
  });

  test('an answer that is missing or not on the list is named', async () => {
    const { token } = await signedInPerson(app);
    const { time_horizon: _, ...rest } = answersOf(1);
    expect(
      await request({ method: 'POST', url: URL, token, body: { questionnaire_responses: rest } }),
    ).toMatchObject({
      status: 400,
      body: {
        code: 'invalid_field',
        field: 'questionnaire_responses.time_horizon',
        message: 'Please select an answer before continuing',
      },
    });
  });

  test("another user's profile gets the same answer as an absent one", async () => {
    const owner = await signedInPerson(app);
    const other = await signedInPerson(app);
    const body = { questionnaire_responses: answersOf(1) };
    const { id } = (await request({ method: 'POST', url: URL, token: owner.token, body })).body;
    for (const method of ['PATCH', 'DELETE'] as const) {
      const foreign = await request({
        method,
        url: `${URL}${id}/`,
        token: other.token,
        ...(method === 'PATCH' && { body }),
      });
      const absent = await request({
        method,
        url: `${URL}nothing/`,
        token: other.token,
        ...(method === 'PATCH' && { body }),
      });
      expect(foreign).toMatchObject({ status: 404, body: absent.body });
    }
    expect((await request({ method: 'DELETE', url: `${URL}${id}/`, token: owner.token })).status).toBe(204);
    expect((await request({ url: URL, token: owner.token })).status).toBe(404);
  });
});
