// Every call of the contract over a real socket: its success, and each code of its own. The second half of what a call
// refuses, that of its kind, is in every-refusal.test.ts.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { createEmbeddedSigning } from '../../src/adapters/signing/embedded/embedded-signing.ts';
import { openSealKey } from '../../src/adapters/signing/embedded/seal-key.ts';
import type { Endpoint } from '#contract/http/endpoint.ts';
import { ERROR_CODES, type ErrorCode } from '#contract/http/error-code.ts';
import { EVERY_ENDPOINT, type EndpointName } from '../../src/contract/every-endpoint.ts';
import { refusalCodes } from '#contract/http/refusal-codes.ts';
import { createEnvelopeStore } from '#records/agreements/agreements.ts';
import { cashOf, testApp } from '../support/test-app.ts';
import type { CallCase } from './call-case.ts';
import { EVERY_CASE } from './every-case.ts';
import { ExampleBook } from './example-book.ts';
import { prepare, sendOverSocket } from './send.ts';

const app = await testApp();
const folder = mkdtempSync(path.join(tmpdir(), 'calls-'));
Object.assign(app.dependencies, {
  signing: createEmbeddedSigning({
    store: createEnvelopeStore(app.records.database),
    key: await openSealKey(folder, { owner: randomBytes(4).toString('hex'), now: new Date() }),
    signingPage: 'http://product.test/sign',
  }),
});
const base = await app.app.listen({ port: 0, host: '127.0.0.1' });
afterAll(() => rmSync(folder, { recursive: true }));
const book = new ExampleBook();
afterAll(() => {
  if (process.env['RECORD_EXAMPLES']) book.write();
});
const { payments } = app.dependencies;
beforeEach(() => {
  Object.assign(app.dependencies, { payments });
  app.world.cash = cashOf(1_000_000);
  app.world.authorization = 'granted';
});

const ENDPOINTS = Object.entries(EVERY_ENDPOINT) as [EndpointName, Endpoint][];

/** What the suite of refusals asks of every call, so that no case of its own is needed. */
const ASKED_OF_ALL: readonly ErrorCode[] = [
  'malformed_request',
  'invalid_field',
  'unauthenticated',
  'payload_too_large',
  'unsupported_media_type',
  'too_many_requests',
  'internal_error',
  'unavailable',
];

test.each(ENDPOINTS)('%s has a case of success and one of each code that it lists', (name, endpoint) => {
  const cases = EVERY_CASE[name];
  const wanted = refusalCodes(endpoint).filter(
    (code) => !ASKED_OF_ALL.includes(code) && !(code === 'not_found' && endpoint.params),
  );
  expect(Object.keys(cases ?? {})).toEqual(expect.arrayContaining(['success', ...wanted]));
  const listed = ['success', ...refusalCodes(endpoint)];
  expect(Object.keys(cases ?? {}).filter((said) => !listed.includes(said))).toEqual([]);
  expect(
    endpoint.refusals.filter((refusal) => typeof refusal === 'number'),
    'codes, not statuses',
  ).toEqual([]);
});

describe.each(ENDPOINTS)('%s', (name, endpoint) => {
  const cases = Object.entries(EVERY_CASE[name] ?? {}) as ['success' | ErrorCode, CallCase][];
  test.each(cases)('%s', async (wanted, make) => {
    const sent = await make(app);
    const answer = await sendOverSocket(base, await prepare(endpoint, sent));
    book.note(name, endpoint, { said: wanted, sent, answer });
    const status = wanted === 'success' ? endpoint.status : ERROR_CODES[wanted].status;
    const isPage = endpoint.refusesWithPage && wanted !== 'success';
    expect(answer, answer.text).toMatchObject({ status, said: isPage ? 'page' : wanted });
    expect(answer.headers['cache-control'], 'every answer says whether it may be kept').toBeDefined();
    if (status === 204) expect(answer.text).toBe('');
    else if (status < 400)
      expect(answer.headers['content-type']).toContain(endpoint.media ?? 'application/json');
    if (status === 503) expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  });
});
