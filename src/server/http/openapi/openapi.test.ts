import { expect, test } from 'vitest';
import { z } from 'zod';
import type { Endpoint } from '#contract/http/endpoint.ts';
import { ERROR_CODES, type ErrorCode } from '#contract/http/error-code.ts';
import { EVERY_ENDPOINT, type EndpointName } from '#contract/every-endpoint.ts';
import { refusalCodes } from '#contract/http/refusal-codes.ts';
import { testApp } from '#tests/support/test-app.ts';

const app = await testApp();
const { body: document } = await app.request({ url: '/api/openapi.json' });

const examples = z.record(z.string(), z.strictObject({ summary: z.string().optional(), value: z.unknown() }));
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

/** The parts of OpenAPI 3.1.0 that this document may be made of; a part that is not here is a mistake. */
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

test('every reference leads somewhere, and every schema is led to', () => {
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

test('no operation id is given twice', () => {
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
    expect(named('query').sort()).toEqual(Object.keys(endpoint.query?.shape ?? {}).sort());
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

test.each(ENDPOINTS)('%s: the example of its request is what the contract takes', (_, endpoint) => {
  const { requestBody } = operationOf(endpoint);
  if (!endpoint.body) return expect(requestBody).toBeUndefined();
  const type = endpoint.form === 'multipart' ? 'multipart/form-data' : 'application/json';
  expect(Object.keys(requestBody?.content ?? {})).toEqual([type]);
  endpoint.body.parse(requestBody!.content[type]!.examples['usual']!.value);
});

test.each(ENDPOINTS)('%s: the example of its answer is what the contract promises', (_, endpoint) => {
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

test.each(ENDPOINTS)('%s: each code stands under its status with an example, and no other', (_, endpoint) => {
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
});
