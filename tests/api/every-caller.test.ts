// Every call, asked by every kind of caller: who is let in is what its policy says, and a stranger's thing is as absent as
// one that never was. A route without a row fails.
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createEmbeddedSigning } from '#adapters/signing/embedded/embedded-signing.ts';
import { openSealKey } from '#adapters/signing/embedded/seal-key.ts';
import type { Endpoint } from '#contract/http/endpoint.ts';
import { POLICIES, POLICY_OF, rolesFor, type Who } from '#contract/http/policies.ts';
import { createEnvelopeStore } from '#records/agreements/agreements.ts';
import { EVERY_ENDPOINT, type EndpointName } from '../../src/contract/every-endpoint.ts';
import { STAFF_ROLES } from '#rules/identity/staff-role.ts';
import { instant } from '#units/instant.ts';
import { createApp } from '../../src/server/app.ts';
import { issueAccessToken } from '#server/identity/session/access-token.ts';
import { giveRole } from '../support/give-role.ts';
import { cashOf, reportCash, testApp } from '../support/test-app.ts';
import { signedInPerson, type TestPerson } from '../support/test-person.ts';
import type { Sent } from './call-case.ts';
import { EVERY_CASE } from './every-case.ts';
import { type Answered, prepare, sendTo } from './send.ts';

const app = await testApp();
const folder = mkdtempSync(path.join(tmpdir(), 'callers-'));
Object.assign(app.dependencies, {
  signing: createEmbeddedSigning({
    store: createEnvelopeStore(app.records.database),
    openKey: () =>
      openSealKey(path.join(folder, 'seal.pem'), { owner: randomBytes(4).toString('hex'), now: new Date() }),
    signingPage: 'http://product.test/sign',
  }),
});

const ENDPOINTS = Object.entries(EVERY_ENDPOINT) as unknown as (readonly [EndpointName, Endpoint])[];

/** Callers who own nothing of what is asked for, and are who they say. */
const STRANGERS = ['another client', 'support', 'provider', 'auditor', 'admin'] as const;
/** Callers whom no call with a sign-in lets in. */
const OUTSIDERS = [
  'a visitor',
  'who has signed out',
  'whose account is disabled',
  'who forged a token',
  'who waited too long',
] as const;
type Caller =
  | (typeof STRANGERS)[number]
  | (typeof OUTSIDERS)[number]
  | 'staff without a second factor'
  | 'who made it';

const people = new Map<Caller, TestPerson>();
const person = (caller: Caller) => people.get(caller)!;
let guarded: FastifyInstance;

beforeAll(async () => {
  const { config, keys } = app.dependencies;
  guarded = await createApp({ ...app.dependencies, config: { ...config, staffNeedSecondFactor: true } });
  for (const caller of STRANGERS) people.set(caller, await signedInPerson(app));
  for (const role of STAFF_ROLES) await giveRole(app.records, person(role), role);
  const [gone, disabled] = [await signedInPerson(app), await signedInPerson(app)];
  await app.request({ method: 'POST', url: '/api/auth/logout/', token: gone.token });
  people.set('who has signed out', gone);
  await app.records.pool.query('update users set disabled_at = now() where id = $1', [disabled.id]);
  people.set('whose account is disabled', disabled);
  // A session is looked at again after half a second.
  app.world.now = instant(app.world.now + 1_000);
  const { id } = person('another client');
  const { rows } = await app.records.pool.query<{ id: string }>(
    'select id from sessions where user_id = $1',
    [id],
  );
  const said = { userId: id as never, sessionId: rows[0]!.id };
  const forged = await issueAccessToken(
    said,
    { ...keys.newest('access_token'), bytes: randomBytes(32) },
    app.world.now,
  );
  people.set('who forged a token', { ...person('another client'), token: forged });
  const old = await issueAccessToken(
    said,
    keys.newest('access_token'),
    (app.world.now - 86_400_000) as never,
  );
  people.set('who waited too long', { ...person('another client'), token: old });
});
afterAll(async () => {
  await guarded.close();
  rmSync(folder, { recursive: true });
});
beforeEach(async () => {
  await reportCash(app, cashOf(1_000_000));
  app.world.authorization = 'granted';
});

/** Asking to sign out is let in, and has its effect. */
async function signInAnew(caller: (typeof STRANGERS)[number]): Promise<void> {
  const fresh = await signedInPerson(app);
  people.set(caller, fresh);
  if (caller !== 'another client') await giveRole(app.records, fresh, caller);
}

let asked = 0;

async function ask(name: EndpointName, sent: Sent, caller: Caller): Promise<Answered> {
  asked += 1;
  const { token: own, ...bare } = sent;
  const bearer = caller === 'staff without a second factor' ? 'support' : caller;
  const token = bearer === 'who made it' ? own : people.get(bearer)?.token;
  const request = await prepare(EVERY_ENDPOINT[name], token === undefined ? bare : { ...bare, token });
  return sendTo(caller === 'staff without a second factor' ? guarded : app.app, request);
}

async function madeFor(name: EndpointName): Promise<Sent> {
  return EVERY_CASE[name]!.success!(app);
}

/** The id of whoever made what is asked for; null where nobody signed in for it. */
function makerOf({ token }: Sent): string | null {
  if (token === undefined) return null;
  return (JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as { sub: string }).sub;
}

/** To whom a thing in the address is as absent as one that never was. */
const IS_ABSENT: Readonly<Record<Who, (caller: (typeof STRANGERS)[number]) => boolean>> = {
  anyone: () => false,
  holder: () => false,
  reader: () => false,
  person: () => false,
  owner: () => true,
  author: () => true,
  support: (caller) => caller !== 'support',
  provider: (caller) => caller !== 'provider',
  admin: (caller) => caller !== 'admin',
  staff: (caller) => caller !== 'support' && caller !== 'provider',
  auditor: (caller) => caller !== 'auditor' && caller !== 'admin',
};

const needsSignIn = (who: Who) => !['anyone', 'holder', 'reader'].includes(who);
const ofWho = (isIt: (who: Who) => boolean) => ENDPOINTS.filter(([name]) => isIt(POLICY_OF[name]));

test('every route of the server has one policy, or is a page that everybody may see', async () => {
  const ofContract = ENDPOINTS.map(
    ([, { method, path: address }]) =>
      `${method} ${address.replaceAll(/\{(\w+)\}/g, ':$1').replace(/\/$/, '')}`,
  );
  expect(routesOf(app.app).filter((route) => !ofContract.includes(route))).toEqual(PAGES);
  const named = Object.values(POLICIES).flatMap((noun) => Object.keys(noun));
  expect(named.toSorted()).toEqual(ENDPOINTS.map(([name]) => name).toSorted());
  expect(new Set(named).size).toBe(named.length);
});

/** What is served beside the contract: documents that say the same to everyone, and pages that a link of its own opens. */
const PAGES = [
  'DELETE /mcp',
  'GET /api/client.ts',
  'GET /api/docs/reader.css',
  'GET /api/openapi.json',
  'GET /mcp',
  'GET /sandbox/mailbox',
  'GET /sandbox/mailbox.css',
  // By an API key: its tools are calls of the contract.
  'POST /mcp',
];

/** As the server itself prints them: a tree. */
function routesOf(server: FastifyInstance): string[] {
  const found: string[] = [];
  const parts: string[] = [];
  for (const line of server.printRoutes({ commonPrefix: false }).split('\n')) {
    const [, indent, label, methods] = /^([│├└─ ]*)(\S+)(?: \(([A-Z, ]+)\))?/u.exec(line) ?? [];
    if (indent === undefined || label === undefined) continue;
    parts.splice(indent.length / 4 - 1, parts.length, label);
    for (const method of methods?.split(', ') ?? [])
      if (method !== 'HEAD' && method !== 'OPTIONS') found.push(`${method} ${parts.join('')}`);
  }
  return found.toSorted();
}

test.each(ENDPOINTS)('%s asks for a sign-in where its policy does', (name, { security }) => {
  const who = POLICY_OF[name];
  expect(security).toBe(who === 'reader' ? 'optional' : needsSignIn(who) ? 'bearer' : 'open');
});

describe('without a sign-in that counts', () => {
  test.each(ofWho(needsSignIn))('%s', async (name, { media }) => {
    const sent = await madeFor(name);
    for (const caller of OUTSIDERS)
      expect(await ask(name, sent, caller), caller).toMatchObject({ status: 401, said: 'unauthenticated' });
    // A stream has no end; every-call.test.ts reads its beginning.
    if (media !== 'text/event-stream')
      expect((await ask(name, sent, 'who made it')).said, 'the same, signed in').toBe('success');
  });
});

describe('to strangers what is not theirs is absent', () => {
  test.each(ofWho((who) => STRANGERS.some(IS_ABSENT[who])))('%s', async (name, endpoint) => {
    const sent = await madeFor(name);
    const nowhere = Object.fromEntries(
      Object.keys(endpoint.params?.shape ?? {}).map((key) => [key, randomUUID()]),
    );
    for (const caller of STRANGERS.filter(IS_ABSENT[POLICY_OF[name]])) {
      const refused = await ask(name, sent, caller);
      expect(refused, caller).toMatchObject({ status: 404, said: 'not_found' });
      const absent = await ask(name, { ...sent, params: nowhere }, caller);
      expect(refused.text, caller).toBe(absent.text);
      // Not even what is wrong with the body is said.
      if (rolesFor(POLICY_OF[name]) !== null && endpoint.body !== undefined)
        expect(await ask(name, { ...sent, body: [] }, caller)).toMatchObject({ said: 'not_found' });
    }
    expect((await ask(name, sent, 'who made it')).said, 'theirs').toBe('success');
  });
});

describe('about oneself everybody hears of nobody else', () => {
  test.each(ofWho((who) => who === 'person'))('%s', async (name, endpoint) => {
    const sent = await madeFor(name);
    const maker = makerOf(sent)!;
    const { rows } = await app.records.pool.query<{ email: string }>(
      'select email from users where id = $1',
      [maker],
    );
    if (endpoint.media === 'text/event-stream') return;
    for (const caller of STRANGERS) {
      const { text, said } = await ask(name, sent, caller);
      if (name === 'logout') await signInAnew(caller);
      expect(['unauthenticated', 'internal_error']).not.toContain(said);
      expect(text, caller).not.toContain(maker);
      expect(text, caller).not.toContain(rows[0]!.email);
    }
  });
});

describe('staff of the same role are let in', () => {
  test.each(ofWho((who) => rolesFor(who) !== null))('%s', async (name) => {
    const sent = await madeFor(name);
    const { said, text } = await ask(name, sent, rolesFor(POLICY_OF[name])![0]!);
    expect(['success', 'forbidden'], text).toContain(said);
  });
});

describe('staff without a second factor, where they need one', () => {
  test.each(ofWho(needsSignIn).filter(([, { room }]) => room !== 'identity'))('%s', async (name) => {
    const sent = await madeFor(name);
    expect(await ask(name, sent, 'staff without a second factor')).toMatchObject({
      status: 403,
      said: 'second_factor_required',
    });
  });
});

describe('everybody gets the same answer of what is public', () => {
  test.each(ofWho((who) => who === 'anyone').filter(([name]) => !CHANGES.has(name)))('%s', async (name) => {
    const sent = await madeFor(name);
    const first = await ask(name, sent, 'a visitor');
    expect(first.said).toBe('success');
    for (const caller of STRANGERS) expect((await ask(name, sent, caller)).status).toBe(first.status);
  });
});
/** Succeed once only. */
const CHANGES: ReadonlySet<EndpointName> = new Set(['register', 'requestPasswordReset']);

afterAll(() => {
  console.info(`${ENDPOINTS.length} calls, ${asked} questions of who may use them`);
  expect(asked).toBeGreaterThan(ENDPOINTS.length * 8);
});
