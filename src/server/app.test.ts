import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ERROR_CODES } from '#contract/http/error-code.ts';
import { EVERY_ENDPOINT } from '#contract/every-endpoint.ts';
import { refusalCodes } from '#contract/http/refusal-codes.ts';
import { openDatabase } from '#records/postgres/database.ts';
import { testApp } from '../../tests/support/test-app.ts';
import { signedInPerson } from '../../tests/support/test-person.ts';
import { createApp } from './app.ts';
import { USUAL_LIMITS } from './http/dependencies.ts';

const app = await testApp();
const { request } = app;

test.each([
  [
    'broken JSON',
    { method: 'POST', url: '/api/auth/login/', payload: '{', json: true },
    400,
    'malformed_request',
  ],
  ['an empty body', { method: 'POST', url: '/api/auth/login/', json: true }, 400, 'malformed_request'],
  [
    'a missing field',
    { method: 'POST', url: '/api/auth/login/', payload: '{}', json: true },
    400,
    'invalid_field',
  ],
  [
    'no sign-in, whatever the body',
    { method: 'POST', url: '/api/deployments/', payload: '{', json: true },
    401,
    'unauthenticated',
  ],
  ['an unknown address', { method: 'GET', url: '/api/nothing/' }, 404, 'not_found'],
  ['the wrong method', { method: 'DELETE', url: '/api/brokers/' }, 405, 'method_not_allowed'],
  [
    'a body that is too large',
    { method: 'POST', url: '/api/auth/login/', payload: `"${'x'.repeat(300_000)}"`, json: true },
    413,
    'payload_too_large',
  ],
  [
    'a body of another type',
    { method: 'POST', url: '/api/auth/login/', payload: 'email=a' },
    415,
    'unsupported_media_type',
  ],
  ['a broken address', { method: 'GET', url: '/api/brokers/%zz/' }, 400, 'malformed_request'],
] as const)('%s is refused as JSON of the closed list', async (_name, sent, status, code) => {
  const { json, ...options } = { json: false, ...sent };
  const type = json ? 'application/json' : 'text/csv';
  const answer = await request({ ...options, headers: { 'content-type': type } });
  expect(answer).toMatchObject({ status, body: { code, message: expect.stringMatching(/\.$|required/) } });
  if (status === 405) expect(answer.headers['allow']).toBe('GET');
});

test('a character that no database holds is refused, not an error of ours', async () => {
  const body = {
    email: 'null@example.test',
    password: 'long enough',
    confirm_password: 'long enough',
    first_name: 'a\u0000b',
  };
  expect(await request({ method: 'POST', url: '/api/auth/register/', body })).toMatchObject({
    status: 400,
    body: { code: 'malformed_request' },
  });
});

test('unknown pages are the web app, its files are kept for long, and a missing file is missing', async () => {
  const webRoot = mkdtempSync(path.join(tmpdir(), 'web-'));
  mkdirSync(path.join(webRoot, 'assets'));
  writeFileSync(path.join(webRoot, 'index.html'), '<!doctype html><title>App</title>');
  writeFileSync(path.join(webRoot, 'assets', 'app-1234.js'), 'export {};');
  const web = await testApp({ webRoot });
  for (const url of ['/', '/marketplace', '/strategy/1/deploy', '/no/such/page?x=1']) {
    const page = await web.request({ url });
    expect(page, url).toMatchObject({ status: 200, text: expect.stringContaining('<title>App') });
    expect(page.headers['cache-control']).toBe('no-cache');
  }
  const script = await web.request({ url: '/assets/app-1234.js' });
  expect(script.headers['cache-control']).toContain('immutable');
  expect((await web.request({ url: '/assets/gone-1.js' })).status).toBe(404);
  expect((await web.request({ url: '/../../etc/passwd' })).text).toContain('<title>App');
  expect(await web.request({ url: '/api/nothing' })).toMatchObject({
    status: 404,
    body: { code: 'not_found' },
  });
  rmSync(webRoot, { recursive: true });
});

test('both forms of an address answer', async () => {
  for (const url of ['/api/brokers', '/api/brokers/']) expect((await request({ url })).status).toBe(200);
});

test('every call is in the OpenAPI document with its security and its statuses', async () => {
  const { body } = await request({ url: '/api/openapi.json' });
  expect(body.openapi).toBe('3.1.0');
  for (const endpoint of Object.values(EVERY_ENDPOINT)) {
    const operation = body.paths[endpoint.path]?.[endpoint.method.toLowerCase()];
    expect(operation, `${endpoint.method} ${endpoint.path}`).toBeDefined();
    const security = { bearer: [{ bearer: [] }], optional: [{ bearer: [] }, {}], open: [] };
    expect(operation.security).toEqual(security[endpoint.security]);
    const wanted = [endpoint.status, ...refusalCodes(endpoint).map((code) => ERROR_CODES[code].status)];
    expect(Object.keys(operation.responses).sort()).toEqual([...new Set(wanted.map(String))].sort());
  }
  expect(body.components.schemas).toMatchObject({
    Deployment: expect.any(Object),
    Refusal: expect.any(Object),
  });
});

test('every call that is not open asks for a sign-in', async () => {
  for (const { method, path, security } of Object.values(EVERY_ENDPOINT)) {
    if (security !== 'bearer') continue;
    const url = path.replace('{id}', '00000000-0000-4000-8000-000000000000');
    expect((await request({ method, url })).status, `${method} ${path}`).toBe(401);
  }
});

test('answers carry the security headers and are not stored', async () => {
  const { headers } = await request({ url: '/api/brokers/' });
  expect(headers['content-security-policy']).toContain("default-src 'none'");
  expect(headers['x-content-type-options']).toBe('nosniff');
  expect(headers['cache-control']).toBe('no-store');
});

test('health tells database, trader, market clock and version', async () => {
  expect(await request({ url: '/api/health/' })).toMatchObject({
    status: 200,
    body: {
      version: '0.0.0-test',
      database: { status: 'ok' },
      trader: { status: 'absent', lag_ms: null },
      market: { now: '2026-01-05T15:00:00.000Z', mode: 'sandbox', day_seconds: 20 },
    },
  });
  expect((await request({ url: '/api/ready/' })).body).toEqual({ ready: true });
});

test('a person who asks too often is told when to come back, others are not held up', async () => {
  const limited = await testApp({ limits: { ...USUAL_LIMITS, requestsPerMinute: 3 } });
  const first = await signedInPerson(limited);
  const second = await signedInPerson(limited);
  const ask = ({ token }: { token: string }) => limited.request({ url: '/api/notifications/', token });
  for (let i = 0; i < 3; i++) expect((await ask(first)).status).toBe(200);
  const refused = await ask(first);
  expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_requests' } });
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect((await ask(second)).status).toBe(200);
});

test('who comes without a valid token is counted by address, and told so too', async () => {
  const limited = await testApp({ limits: { ...USUAL_LIMITS, requestsPerMinute: 3 } });
  const ask = (token?: string) => limited.request({ url: '/api/deployments/', ...(token && { token }) });
  for (let i = 0; i < 3; i++) expect((await ask('made.up.token')).status).toBe(401);
  expect((await ask('made.up.token')).status).toBe(429);
  expect((await ask()).status).toBe(429);
});

test('while the database is away the answer is 503 with a time to come back', async () => {
  const nobodyListens = openDatabase('postgres://nobody@127.0.0.1:1/nothing');
  const broken = await createApp({ ...app.dependencies, records: nobodyListens });
  for (const url of ['/api/health/', '/api/ready/', '/api/brokers/']) {
    const answer = await broken.inject({ url });
    expect(answer.statusCode, url).toBe(503);
    expect(answer.json()).toMatchObject({ code: 'unavailable' });
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  }
  await broken.close();
});
