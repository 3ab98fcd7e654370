// Spoilt requests to every call: none may make the server answer that it failed, whoever sends it. FUZZ_REQUESTS and FUZZ_SEED
// say how many and which; `npm run fuzz` runs more.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createEmbeddedSigning } from '#adapters/signing/embedded/embedded-signing.ts';
import { openSealKey } from '#adapters/signing/embedded/seal-key.ts';
import type { Endpoint } from '#contract/http/endpoint.ts';
import { createEnvelopeStore } from '#records/agreements/agreements.ts';
import { STAFF_ROLES } from '#rules/identity/staff-role.ts';
import { USUAL_LIMITS } from '#server/http/dependencies.ts';
import { giveRole } from '#tests/support/give-role.ts';
import { cashOf, reportCash, testApp } from '#tests/support/test-app.ts';
import { signedInPerson } from '#tests/support/test-person.ts';
import { type EndpointName, EVERY_ENDPOINT } from '../../src/contract/every-endpoint.ts';
import { EVERY_CASE } from '../api/every-case.ts';
import type { Prepared } from '../api/send.ts';
import { chanceOf } from '../simulation/chance.ts';
import { fuzzedRequest, type Known } from './fuzzed-requests.ts';

const REQUESTS = Number(process.env.FUZZ_REQUESTS || 5_000);
const SEED = Number(process.env.FUZZ_SEED || 1);
/** Prepared anew so often: requests that succeed change what the next ones find. */
const ROUND = 2_500;

const many = 1_000_000_000;
const app = await testApp({
  limits: { ...USUAL_LIMITS, requestsPerMinute: many, signInsPerMinute: many },
});
const folder = mkdtempSync(path.join(tmpdir(), 'fuzz-'));
Object.assign(app.dependencies, {
  signing: createEmbeddedSigning({
    store: createEnvelopeStore(app.records.database),
    openKey: () =>
      openSealKey(path.join(folder, 'seal.pem'), { owner: randomBytes(4).toString('hex'), now: new Date() }),
    signingPage: 'http://product.test/sign',
  }),
  history: async () => [],
});
afterAll(() => rmSync(folder, { recursive: true }));

const ENDPOINTS = Object.entries(EVERY_ENDPOINT) as unknown as (readonly [EndpointName, Endpoint])[];
/** A stream has no end. */
const ASKED = ENDPOINTS.filter(([, { media }]) => media !== 'text/event-stream');

const tokens: string[] = [];
const statuses = new Map<number, number>();
const failures: string[] = [];
let sent = 0;

async function prepareRound(): Promise<readonly Known[]> {
  await reportCash(app, cashOf(1_000_000));
  app.world.authorization = 'granted';
  const known: Known[] = [];
  for (const [name, endpoint] of ASKED) known.push({ endpoint, sent: await EVERY_CASE[name]!.success!(app) });
  return known;
}

beforeAll(async () => {
  tokens.push('', (await signedInPerson(app)).token);
  for (const role of STAFF_ROLES) {
    const staff = await signedInPerson(app);
    await giveRole(app.records, staff, role);
    tokens.push(staff.token);
  }
});

const rounds = Array.from({ length: Math.ceil(REQUESTS / ROUND) }, (_, round) => round);

test.each(rounds)(
  'round %i: no spoilt request is answered with a failure of ours',
  { timeout: 600_000 },
  async (round) => {
    const known = await prepareRound();
    const chance = chanceOf(SEED, round);
    for (let i = 0; i < Math.min(ROUND, REQUESTS - round * ROUND); i++) {
      const request = await fuzzedRequest(chance.pick(known), tokens, chance);
      const { statusCode, body } = await app.app.inject(request);
      sent += 1;
      statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1);
      if (statusCode >= 500) failures.push(lineOf(round, i, request, `${statusCode} ${body.slice(0, 200)}`));
    }
    expect(failures).toEqual([]);
  },
);

test('the requests reached every kind of answer, and the server still serves', async () => {
  expect(sent).toBe(REQUESTS);
  for (const status of [200, 400, 401, 404, 422])
    expect(statuses.get(status) ?? 0, `${status}`).toBeGreaterThan(0);
  expect((await app.request({ url: '/api/ready/' })).status).toBe(200);
  const file = process.env.FUZZ_RESULT;
  if (file)
    writeFileSync(file, JSON.stringify({ sent, statuses: [...statuses], failures, calls: ASKED.length }));
});

function lineOf(
  round: number,
  nth: number,
  { method, url, headers, payload }: Prepared,
  said: string,
): string {
  const type = headers['content-type'] ?? 'no body';
  return `seed ${SEED}, round ${round}, request ${nth}: ${method} ${url.slice(0, 120)} (${type}) ${String(payload ?? '').slice(0, 200)}: ${said}`;
}
