import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type EndpointName, EVERY_ENDPOINT } from '#contract/every-endpoint.ts';
import type { Endpoint } from '#contract/http/endpoint.ts';
import { ERROR_CODES, type ErrorCode } from '#contract/http/error-code.ts';
import { refusalCodes } from '#contract/http/refusal-codes.ts';
import { openDatabase } from '#records/postgres/database.ts';
import { USUAL_LIMITS } from '#server/http/dependencies.ts';
import { recordsOf, testApp } from '#tests/support/test-app.ts';
import { signedInPerson } from '#tests/support/test-person.ts';
import { createApp } from './app.ts';

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
  [
    'a body that nests without end',
    { method: 'POST', url: '/api/auth/login/', payload: '['.repeat(5_000), json: true },
    400,
    'malformed_request',
  ],
  ['a broken address', { method: 'GET', url: '/api/brokers/%zz/' }, 400, 'malformed_request'],
] as const)('%s is refused as JSON of the closed list', async (_name, sent, status, code) => {
  const { json, ...options } = { json: false, ...sent };
  const type = json ? 'application/json' : 'text/csv';
  const answer = await request({ ...options, headers: { 'content-type': type } });
  expect(answer).toMatchObject({ status, body: { code, message: expect.stringMatching(/\.$|required/) } });
  if (status === 405) expect(answer.headers['allow']).toBe('GET');
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

test('each kind of installation has its own documents, which say of which kind it is', async () => {
  const webRoot = mkdtempSync(path.join(tmpdir(), 'web-'));
  const page = (title: string) => `<html><head><title>${title}</title></head></html>`;
  writeFileSync(path.join(webRoot, 'index.html'), page('Tiles'));
  writeFileSync(path.join(webRoot, 'index-provider.html'), page('No tiles'));
  writeFileSync(
    path.join(webRoot, 'pages.json'),
    JSON.stringify({ demonstration: { '/': 'index.html' }, provider: { '/': 'index-provider.html' } }),
  );
  for (const [installation, title] of [
    ['demonstration', 'Tiles'],
    ['provider', 'No tiles'],
  ] as const) {
    const web = await testApp({ webRoot, installation });
    const { text } = await web.request({ url: '/' });
    expect(text).toContain(`<title>${title}</title>`);
    expect(text).toContain(`<meta name="installation" content="${installation}" />`);
    expect((await web.request({ url: '/no/such/page' })).text).toBe(text);
  }
  rmSync(webRoot, { recursive: true });
});

test('the policy of a document names the script that the build wrote into it, and no other', async () => {
  const webRoot = mkdtempSync(path.join(tmpdir(), 'web-'));
  const script = 'document.title = 1';
  writeFileSync(path.join(webRoot, 'index.html'), `<html><head><script>${script}</script></head></html>`);
  const web = await testApp({ webRoot });
  const policyOf = async (url: string) =>
    String((await web.request({ url })).headers['content-security-policy']);
  const hash = createHash('sha256').update(script).digest('base64');
  expect(await policyOf('/')).toContain(`;script-src 'self' 'sha256-${hash}' 'wasm-unsafe-eval';`);
  expect(await policyOf('/api/docs/')).toContain(";script-src 'self' 'wasm-unsafe-eval';");
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

test('health reports database, trader, market clock and version', async () => {
  expect(await request({ url: '/api/health/' })).toMatchObject({
    status: 200,
    body: {
      version: '0.0.0-test',
      database: { status: 'ok' },
      trader: { status: 'absent', lag_ms: null },
      market: { now: '2026-01-05T15:00:00.000Z', mode: 'sandbox', day_seconds: 20, delay_minutes: 0 },
    },
  });
  expect((await request({ url: '/api/ready/' })).body).toEqual({ ready: true });
});

test('a user over the rate limit gets a retry time, and others are not affected', async () => {
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

test('a caller without a valid token is rate-limited by address, and gets a retry time', async () => {
  const limited = await testApp({ limits: { ...USUAL_LIMITS, requestsPerMinute: 3 } });
  const ask = (token?: string) => limited.request({ url: '/api/deployments/', ...(token && { token }) });
  for (let i = 0; i < 3; i++) expect((await ask('made.up.token')).status).toBe(401);
  expect((await ask('made.up.token')).status).toBe(429);
  expect((await ask()).status).toBe(429);
});

test('while the database is down the answer is 503 with a retry time', async () => {
  const nobodyListens = openDatabase('postgres://nobody@127.0.0.1:1/nothing');
  const broken = await createApp({ ...app.dependencies, ...recordsOf(nobodyListens) });
  for (const url of ['/api/health/', '/api/ready/', '/api/brokers/']) {
    const answer = await broken.inject({ url });
    expect(answer.statusCode, url).toBe(503);
    expect(answer.json()).toMatchObject({ code: 'unavailable' });
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  }
  await broken.close();
});

describe('the OpenAPI document', async () => {
  const { body: document } = await app.request({ url: '/api/openapi.json' });

  const examples = z.record(
    z.string(),
    z.strictObject({ summary: z.string().optional(), value: z.unknown() }),
  );
  const content = z.record(
    z.string().regex(/^[a-z]+\/[\w.+-]+$/),
    z.strictObject({ schema: z.looseObject({}), examples }),
  );
  const response = z.strictObject({
    description: z.string().min(1),
    headers: z.record(z.string(), z.looseObject({ schema: z.looseObject({}) })).optional(),
    content: content.optional(),
  });
  const operation = z.strictObject({
    operationId: z.string().regex(/^[a-z]\w+$/),
    summary: z.string().min(5),
    description: z.string().min(20),
    tags: z.array(z.string()).length(1),
    security: z.array(z.union([z.strictObject({ bearer: z.tuple([]) }), z.strictObject({})])),
    parameters: z
      .array(
        z.strictObject({
          name: z.string(),
          in: z.enum(['path', 'query', 'header']),
          description: z.string().min(5),
          required: z.boolean(),
          schema: z.looseObject({}),
          example: z.unknown().optional(),
        }),
      )
      .optional(),
    requestBody: z.strictObject({ required: z.literal(true), content }).optional(),
    responses: z.record(z.string().regex(/^[2-5]\d\d$/), response),
  });

  /** The parts of OpenAPI 3.1.0 that this document may use; any other part is an error. */
  const openApi = z.strictObject({
    openapi: z.literal('3.1.0'),
    info: z.strictObject({ title: z.string(), version: z.string(), description: z.string() }),
    paths: z.record(
      z.string().startsWith('/api/'),
      z.partialRecord(z.enum(['get', 'post', 'patch', 'delete']), operation),
    ),
    components: z.strictObject({
      securitySchemes: z.strictObject({
        bearer: z.strictObject({
          type: z.literal('http'),
          scheme: z.literal('bearer'),
          bearerFormat: z.literal('JWT'),
        }),
      }),
      schemas: z.record(z.string().regex(/^[\w.-]+$/), z.looseObject({})),
    }),
  });

  const described = openApi.parse(document);
  type Operation = z.infer<typeof operation>;

  const ENDPOINTS = Object.entries(EVERY_ENDPOINT) as [EndpointName, Endpoint][];
  const operationOf = ({ path, method }: Endpoint): Operation =>
    described.paths[path]![method.toLowerCase() as 'get']!;

  /** Every value in a tree, with the keys that lead to it. */
  function* walk(value: unknown, at: readonly string[] = []): Generator<[readonly string[], unknown]> {
    yield [at, value];
    if (typeof value !== 'object' || value === null) return;
    for (const [key, part] of Object.entries(value)) yield* walk(part, [...at, key]);
  }

  test('every reference resolves, and every schema is referenced', () => {
    const references = [...walk(described)].filter(([at]) => at.at(-1) === '$ref').map(([, value]) => value);
    const schemas = Object.keys(described.components.schemas).map((name) => `#/components/schemas/${name}`);
    expect([...new Set(references)].sort()).toEqual(schemas.sort());
  });

  test('schemas are of JSON Schema 2020-12: none says nullable, and exclusive bounds are numbers', () => {
    for (const [at, value] of walk(described.components.schemas)) {
      expect(at.at(-1), at.join('.')).not.toBe('nullable');
      if (/^exclusive(Minimum|Maximum)$/.test(at.at(-1) ?? '')) expect(typeof value).toBe('number');
    }
  });

  test('operation ids are unique', () => {
    const ids = Object.values(described.paths).flatMap((operations) =>
      Object.values(operations).map(({ operationId }) => operationId),
    );
    expect(ids).toHaveLength(new Set(ids).size);
    expect(ids.sort()).toEqual(ENDPOINTS.map(([name]) => name).sort());
  });

  test.each(ENDPOINTS)(
    '%s: its parameters are those of its path and contract, each with an example',
    (_, endpoint) => {
      const { parameters = [] } = operationOf(endpoint);
      const named = (place: string) =>
        parameters.filter((parameter) => parameter.in === place).map(({ name }) => name);
      expect(named('path').sort()).toEqual(
        [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort(),
      );
      expect(
        named('query')
          .filter((one) => one !== 'link' || !endpoint.opensByLink)
          .sort(),
      ).toEqual(Object.keys(endpoint.query?.shape ?? {}).sort());
      expect(named('header')).toEqual(endpoint.idempotent ? ['idempotency-key'] : []);
      const values = (place: string) =>
        Object.fromEntries(
          parameters
            .filter((parameter) => parameter.in === place && parameter.example !== undefined)
            .map(({ name, example }) => [name, example]),
        );
      endpoint.params?.parse(values('path'));
      endpoint.query?.parse(values('query'));
      if (endpoint.query) expect(Object.keys(values('query')).length).toBeGreaterThan(0);
    },
  );

  test.each(ENDPOINTS)('%s: the request example matches the contract', (_, endpoint) => {
    const { requestBody } = operationOf(endpoint);
    if (!endpoint.body) return expect(requestBody).toBeUndefined();
    const type = endpoint.form === 'multipart' ? 'multipart/form-data' : 'application/json';
    expect(Object.keys(requestBody?.content ?? {})).toEqual([type]);
    endpoint.body.parse(requestBody!.content[type]!.examples['usual']!.value);
  });

  test.each(ENDPOINTS)('%s: the response example matches the contract', (_, endpoint) => {
    const success = operationOf(endpoint).responses[endpoint.status]!;
    if (endpoint.status === 204) return expect(success.content).toBeUndefined();
    const type = endpoint.media ?? 'application/json';
    expect(Object.keys(success.content!)).toEqual([type]);
    endpoint.answer.parse(success.content![type]!.examples['usual']!.value);
  });

  const refusal = z.strictObject({
    code: z.enum(Object.keys(ERROR_CODES) as [ErrorCode, ...ErrorCode[]]),
    message: z.string().min(3),
    field: z.string().optional(),
    details: z.record(z.string(), z.unknown()).optional(),
  });

  test.each(ENDPOINTS)(
    '%s: each code stands under its status with an example, and no other',
    (_, endpoint) => {
      const shown = Object.entries(operationOf(endpoint).responses)
        .filter(([status]) => Number(status) >= 300)
        .flatMap(([status, { content, headers }]) => {
          if (status === '429' || status === '503') expect(headers).toHaveProperty('Retry-After');
          return Object.entries(content!).flatMap(([type, media]) =>
            Object.entries(media.examples).map(([code, { value }]) => {
              expect(ERROR_CODES[code as ErrorCode].status).toBe(Number(status));
              if (type === 'text/html') expect(value).toContain('<');
              else expect(refusal.parse(value).code).toBe(code);
              return code;
            }),
          );
        });
      expect(shown.sort()).toEqual([...refusalCodes(endpoint)].sort());
    },
  );
});

describe('a field that is wrong', async () => {
  const { token } = await signedInPerson(app);
  const ask = (method: 'GET' | 'POST' | 'PATCH', url: string, body?: unknown) =>
    app.request({ method, url, token, ...(body !== undefined && { body }) });

  test.each([
    ['GET', `/api/brokers/${'x'.repeat(101)}/`, undefined, 'id', 'Must be at most 100 characters'],
    ['GET', '/api/strategies/?risk=wild', undefined, 'risk', 'Must be one of all, low, medium, high'],
    ['GET', '/api/deployments/a/trades/?limit=0', undefined, 'limit', 'Must be at least 1'],
    ['GET', '/api/deployments/a/trades/?limit=many', undefined, 'limit', 'Must be a number'],
    ['GET', '/api/deployments/a/trades/?limit=1.5', undefined, 'limit', 'Must be a whole number'],
    ['POST', '/api/auth/token/refresh/', {}, 'refresh', 'This field is required'],
    ['POST', '/api/auth/token/refresh/', [], undefined, 'Must be an object with fields'],
    [
      'PATCH',
      '/api/notifications/preferences/',
      { email: { tradeConfirmations: 'yes' } },
      'email.tradeConfirmations',
      'Must be true or false',
    ],
    ['PATCH', '/api/notifications/preferences/', { fax: {} }, undefined, 'Unknown field: fax'],
    ['POST', '/api/deployments/', { strategy: 'a' }, 'broker_connection', 'Connect a broker first'],
  ] as const)('%s %s with %j names %s: %s', async (method, url, body, field, message) => {
    const answer = await ask(method, url, body);
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_field', message } });
    expect(answer.body.field).toBe(field);
  });
});
