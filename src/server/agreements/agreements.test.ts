import { randomBytes, randomUUID } from 'node:crypto';
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
import { testApp } from '#tests/support/test-app.ts';
import { testDatabase } from '#tests/support/test-database.ts';
import { answersOf, signedInPerson } from '#tests/support/test-person.ts';
import { verifySeal } from '#tests/support/verify-seal.ts';
import type { UserId } from '#units/identifiers.ts';
import { instant } from '#units/instant.ts';
import { agreementsCalls } from './agreements-calls.ts';

const records = await testDatabase();
const folder = mkdtempSync(path.join(tmpdir(), 'agreements-'));
const accessTokenKey = randomBytes(32);
let app: FastifyInstance;
let fingerprint: string;
const config = { installation: 'provider', publicUrl: 'http://product.test', accessTokenKey };

beforeAll(async () => {
  const key = await openSealKey(folder, { owner: 'An Adviser', now: new Date() });
  fingerprint = key.fingerprint;
  const store = createEnvelopeStore(records.database);
  const signing = createEmbeddedSigning({ store, key, signingPage: 'http://product.test/sign' });
  const dependencies = {
    records,
    signing,
    signingCeremony: signing,
    now: () => instant(Date.now()),
    config,
  } as unknown as Dependencies;
  app = fastify();
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  answerErrors(app);
  authenticateCalls(app, dependencies);
  mountRoom(app, dependencies, { endpoints: agreementsEndpoints, calls: agreementsCalls });
  await serveSigningPage(app, signing, null);
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});

test('an adult in a country we serve signs on the page and gets the sealed document', async () => {
  const ana = await person({ country: 'CH', date_of_birth: '1990-05-01' });
  expect(await ana.get('/api/docusign-callback')).toMatchObject({ body: { status: false } });
  const signing = await signingPath(ana);

  const page = await app.inject({ url: signing });
  expect(page.statusCode).toBe(200);
  expect(page.body).toContain('30% of profit');
  expect(page.body).toContain('Finish Signing!');
  expect(page.body).not.toMatch(/checkbox"[^>]*checked/);
  expect(page.headers['cache-control']).toBe('no-store');

  const finished = await finish(signing, { name: 'Ana Müller', consent: 'yes' });
  expect(finished.statusCode).toBe(303);
  const signed = await app.inject({ url: String(finished.headers.location) });
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
  const signing = await signingPath(owner);
  const page = await app.inject({ url: signing });
  expect(page.body).toContain('<h1>Statement of Risks</h1>');
  expect(page.body).not.toMatch(/30%|fee|licensed|under number/i);
  expect((await finish(signing, { name: 'Ana Müller', consent: 'yes' })).statusCode).toBe(303);
  expect(await owner.get('/api/docusign-callback')).toMatchObject({ body: { status: true } });
  expect(await owner.get('/api/investment-agreement-url')).toMatchObject({
    status: 409,
    body: { message: 'You have already signed the current statement of risks.' },
  });
  config.installation = 'provider';
});

test('a double click, or signing in two tabs, signs once', async () => {
  const ana = await person({ country: 'IN', date_of_birth: '1990-05-01' });
  const [first, second] = [await signingPath(ana), await signingPath(ana)];
  const form = { name: 'Ana Rao', consent: 'yes' };
  const answers = await Promise.all([finish(first, form), finish(first, form), finish(second, form)]);
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([303, 303, 303]);
  expect((await ana.get('/api/agreements/')).body).toHaveLength(1);
  expect(await ana.get('/api/investment-agreement-url')).toMatchObject({ status: 409 });
});

test('the page says what is missing, and nothing is signed', async () => {
  const ana = await person({ country: 'CH', date_of_birth: '1990-05-01' });
  const signing = await signingPath(ana);
  const answer = await finish(signing, { name: '<b>"Ana"</b>' });
  expect(answer.statusCode).toBe(422);
  expect(answer.body).toContain('please check the box');
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

async function signingPath(someone: { get: Get }): Promise<string> {
  const { body } = await someone.get('/api/investment-agreement-url');
  return new URL((body as { signing_url: string }).signing_url).pathname;
}

function finish(url: string, form: Record<string, string>) {
  return app.inject({
    method: 'POST',
    url,
    payload: new URLSearchParams(form).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': 'A browser' },
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
  const token = await issueAccessToken({ userId, sessionId }, accessTokenKey, instant(Date.now()));
  const headers = { authorization: `Bearer ${token}` };
  const get: Get = async (url) => {
    const answer = await app.inject({ url, headers });
    return { status: answer.statusCode, body: answer.json() };
  };
  return { headers, get };
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
