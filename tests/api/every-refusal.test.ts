// What every call refuses alike, asked of every call: made from its case of success by spoiling one thing.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FastifyInstance } from 'fastify';
import type { Endpoint } from '#contract/http/endpoint.ts';
import { ERROR_CODES, type ErrorCode } from '#contract/http/error-code.ts';
import { EVERY_ENDPOINT, type EndpointName } from '../../src/contract/every-endpoint.ts';
import { COMMON_REFUSALS } from '../../src/contract/examples/common-refusals.ts';
import { POLICY_OF, rolesFor } from '#contract/http/policies.ts';
import { STAFF_ROLES, type StaffRole } from '#rules/identity/staff-role.ts';
import { refusalCodes } from '#contract/http/refusal-codes.ts';
import { MINUTE_MS } from '#units/instant.ts';
import { openDatabase } from '#records/postgres/database.ts';
import { createApp } from '../../src/server/app.ts';
import { USUAL_LIMITS } from '#server/http/dependencies.ts';
import { KEY_USE_OF } from '#contract/http/key-policies.ts';
import { apiKeyOf } from '../support/api-key.ts';
import { recordsOf, testApp } from '../support/test-app.ts';
import { signedInPerson, type TestPerson } from '../support/test-person.ts';
import type { Sent } from './call-case.ts';
import { EVERY_CASE } from './every-case.ts';
import { type Answered, prepare, type Prepared, sendTo } from './send.ts';

const app = await testApp();
const nobodyListens = openDatabase('postgres://nobody@127.0.0.1:1/nothing');
let limited: FastifyInstance;
let withoutDatabase: FastifyInstance;
let broken: FastifyInstance;
let guarded: FastifyInstance;
const staff = new Map<StaffRole, TestPerson>();
let stranger: TestPerson;
let spender: TestPerson;

beforeAll(async () => {
  const { dependencies } = app;
  const limits = { ...USUAL_LIMITS, requestsPerMinute: 1, signInsPerMinute: 1 };
  limited = await createApp({ ...dependencies, config: { ...dependencies.config, limits } });
  withoutDatabase = await createApp({ ...dependencies, ...recordsOf(nobodyListens) });
  broken = await createApp({ ...dependencies, ...recordsOf(brokenRecords()) });
  const config = { ...dependencies.config, staffNeedSecondFactor: true };
  guarded = await createApp({ ...dependencies, config });
  for (const role of STAFF_ROLES) {
    const person = await signedInPerson(app);
    await app.records.pool.query('update users set role = $2 where id = $1', [person.id, role]);
    staff.set(role, person);
  }
  stranger = await signedInPerson(app);
  spender = await signedInPerson(app);
});
afterAll(async () => {
  for (const server of [limited, withoutDatabase, broken, guarded]) await server.close();
  await nobodyListens.close();
});

/** Answers whether it is there, and fails at everything else. */
function brokenRecords(): typeof app.records {
  const fail = () => Promise.reject(new Error('broken on purpose'));
  const pool = {
    query: (asked: unknown) => (asked === 'select 1' ? Promise.resolve({ rows: [] }) : fail()),
    connect: fail,
    totalCount: 0,
    waitingCount: 0,
  };
  const database = new Proxy(
    {},
    {
      get: () => () => {
        throw new Error('broken on purpose');
      },
    },
  );
  return { ...app.records, pool, database } as unknown as typeof app.records;
}

type Named = readonly [EndpointName, Endpoint];
const ENDPOINTS = Object.entries(EVERY_ENDPOINT) as unknown as Named[];
const having = (code: ErrorCode, also: (endpoint: Endpoint) => boolean = () => true) =>
  ENDPOINTS.filter(([, endpoint]) => refusalCodes(endpoint).includes(code) && also(endpoint));

async function success(name: EndpointName): Promise<Sent> {
  const make = EVERY_CASE[name]?.success;
  if (!make) throw new Error(`${name} has no case of success`);
  return make(app);
}

async function prepared(name: EndpointName, sent: Sent): Promise<Prepared> {
  return prepare(EVERY_ENDPOINT[name], sent);
}

/** Where each call says the same, the example in the documentation is what it says. */
const SAID_ALIKE = new Set<ErrorCode>([
  'unauthenticated',
  'not_found',
  'payload_too_large',
  'unsupported_media_type',
  'too_many_requests',
  'internal_error',
]);

function expectRefused(answer: Answered, code: ErrorCode): void {
  expect(answer, answer.text).toMatchObject({ status: ERROR_CODES[code].status, said: code });
  const { message, ...rest } = JSON.parse(answer.text) as { message: string };
  expect(message).toMatch(/^\p{Lu}.*\S$/u);
  if (SAID_ALIKE.has(code)) expect(message).toBe(COMMON_REFUSALS[code]?.message);
  expect(Object.keys(rest).every((key) => ['code', 'field', 'details'].includes(key))).toBe(true);
}

/** As somebody who may make the call, though the thing is not theirs. */
const signIn = (endpoint: Endpoint) => {
  if (endpoint.security !== 'bearer') return {};
  const roles = rolesFor(POLICY_OF[nameOf(endpoint)]);
  if (roles === null) return { token: stranger.token };
  return { token: staff.get(roles[0]!)!.token };
};
const nameOf = (endpoint: Endpoint) => ENDPOINTS.find(([, one]) => one === endpoint)![0];
const nowhere = (endpoint: Endpoint, id: string) =>
  Object.fromEntries(Object.keys(endpoint.params?.shape ?? {}).map((name) => [name, id]));

describe('without a sign-in, before anything else is looked at', () => {
  test.each(having('unauthenticated', ({ security }) => security === 'bearer'))(
    '%s',
    async (name, endpoint) => {
      const { method, url } = await prepared(name, { params: nowhere(endpoint, '%00'.repeat(40)) });
      const body = { payload: '{', headers: { 'content-type': 'text/nonsense' } };
      const answer = await sendTo(app.app, { method, url, ...(method === 'GET' ? { headers: {} } : body) });
      expectRefused(answer, 'unauthenticated');
      expect(answer.headers['www-authenticate']).toBe('Bearer');
    },
  );
  test.each(having('unauthenticated', ({ security }) => security === 'optional'))(
    '%s, of what only a sign-in shows',
    async (name, endpoint) => {
      const dead = { params: nowhere(endpoint, randomUUID()), token: 'run.out.long-ago' };
      const sent = endpoint.body === undefined ? dead : { ...dead, body: {} };
      expectRefused(await sendTo(app.app, await prepared(name, sent)), 'unauthenticated');
    },
  );
});

describe('of staff without a second factor, where they need one', () => {
  test.each(having('second_factor_required'))('%s', async (name, endpoint) => {
    const answer = await sendTo(
      guarded,
      await prepared(name, { params: nowhere(endpoint, randomUUID()), token: staff.get('support')!.token }),
    );
    expectRefused(answer, 'second_factor_required');
  });
});

describe('a link to a file that was used, or never was', () => {
  test.each(having('invalid_token', ({ opensByLink }) => opensByLink === true))(
    '%s',
    async (name, endpoint) => {
      const sent = { params: nowhere(endpoint, randomUUID()), query: { link: 'used' } };
      expectRefused(await sendTo(app.app, await prepared(name, sent)), 'invalid_token');
    },
  );
});

describe('long after the sign-in, with a second factor', () => {
  test.each(having('confirmation_required'))('%s', async (name) => {
    const sent = await success(name);
    await app.records.pool.query(
      `with person as (select ($1::jsonb ->> 'sub')::uuid as id),
         factor as (insert into authenticators (user_id, sealed_secret, enabled_at)
           select id, '', now() from person on conflict do nothing)
       update sessions set confirmed_at = $2 where user_id = (select id from person)`,
      [
        Buffer.from(sent.token!.split('.')[1]!, 'base64url').toString(),
        new Date(app.world.now - 10 * MINUTE_MS),
      ],
    );
    expectRefused(await sendTo(app.app, await prepared(name, sent)), 'confirmation_required');
  });
});

/** What a program with this key hears of the same. */
async function withKey(
  name: EndpointName,
  sent: Sent,
  terms: Parameters<typeof apiKeyOf>[2],
): Promise<Answered> {
  const { id } = sent.params ?? {};
  const listed = KEY_USE_OF[name] === 'steer' || name === 'promoteDeployment' ? [id!] : [];
  const token = await apiKeyOf(app, sent.token!, { ...terms, deployments: listed });
  return sendTo(app.app, await prepared(name, { ...sent, token }));
}

describe('of a key that may not', () => {
  const named = having('key_refused').map(([name]) => name);
  const keys = new Map<string, string>();
  beforeAll(async () => {
    for (const scopes of [['read', 'practice', 'trade'], ['practice'], ['read']] as const)
      keys.set(scopes.join(' '), await apiKeyOf(app, stranger.token, { scopes }));
  });
  test.each(named)('%s', async (name) => {
    const use = KEY_USE_OF[name];
    const lacking = use === 'never' ? 'read practice trade' : use === 'read' ? 'practice' : 'read';
    const token = keys.get(lacking)!;
    const params = nowhere(EVERY_ENDPOINT[name], randomUUID());
    const answer = await sendTo(app.app, await prepared(name, { params, token }));
    expectRefused(answer, 'key_refused');
  });
});

describe('of a key whose acts of the day are made', () => {
  test.each(having('key_limit'))('%s', async (name) => {
    expectRefused(await withKey(name, await success(name), { actsToday: 5, actsPerDay: 5 }), 'key_limit');
  });
});

describe('of a key whose owner has to decide', () => {
  test.each(having('approval_required'))('%s', async (name) => {
    const sent = await success(name);
    const first = await withKey(name, sent, {});
    expectRefused(first, 'approval_required');
  });
});

describe('what cannot be read', () => {
  test.each(having('malformed_request', ({ method }) => method !== 'GET'))(
    '%s: broken JSON',
    async (name, endpoint) => {
      const request = await prepared(name, { ...signIn(endpoint), params: nowhere(endpoint, randomUUID()) });
      const headers = { ...request.headers, 'content-type': 'application/json' };
      expectRefused(await sendTo(app.app, { ...request, headers, payload: '{' }), 'malformed_request');
    },
  );
  test.each(having('malformed_request', ({ params }) => params !== undefined))(
    '%s: a broken address',
    async (name, endpoint) => {
      const sent = { ...signIn(endpoint), params: nowhere(endpoint, '%zz') };
      expectRefused(await sendTo(app.app, await prepared(name, sent)), 'malformed_request');
    },
  );
});

describe('a field that is wrong', () => {
  const id = 'x'.repeat(150);
  test.each(having('invalid_field', ({ params }) => params !== undefined))(
    '%s: an id too long',
    async (name, endpoint) => {
      const sent = { ...(await success(name)), ...signIn(endpoint), params: nowhere(endpoint, id) };
      expectRefused(await sendTo(app.app, await prepared(name, sent)), 'invalid_field');
    },
  );
  test.each(having('invalid_field', ({ body, form }) => body !== undefined && form === undefined))(
    '%s: a body that is a list',
    async (name, endpoint) => {
      const sent = { ...signIn(endpoint), params: nowhere(endpoint, randomUUID()), body: [] };
      expectRefused(await sendTo(app.app, await prepared(name, sent)), 'invalid_field');
    },
  );
  test.each(having('invalid_field', ({ form }) => form !== undefined))(
    '%s: a form with another field',
    async (name) => {
      const sent = await success(name);
      const answer = await sendTo(
        app.app,
        await prepared(name, { ...sent, form: { ...sent.form, surprise: '1' } }),
      );
      expectRefused(answer, 'invalid_field');
    },
  );
  const queries = having('invalid_field', ({ query }) => query !== undefined).flatMap(([name, endpoint]) =>
    Object.keys(endpoint.query!.shape).map((field) => [name, field, endpoint] as const),
  );
  test.each(queries)('%s: %s in the address', async (name, field, endpoint) => {
    const sent = {
      ...signIn(endpoint),
      params: nowhere(endpoint, randomUUID()),
      query: { [field]: 'x'.repeat(500) },
    };
    const answer = await sendTo(app.app, await prepared(name, sent));
    expectRefused(answer, 'invalid_field');
    if (endpoint.query!.shape[field] && Object.keys(endpoint.query!.shape).length === 1)
      expect(JSON.parse(answer.text)).toMatchObject({ field });
  });
  test.each(having('idempotency_conflict'))('%s: an empty Idempotency-Key', async (name) => {
    const sent = { ...(await success(name)), headers: { 'idempotency-key': 'x'.repeat(201) } };
    expectRefused(await sendTo(app.app, await prepared(name, sent)), 'invalid_field');
  });
});

describe('a body that is not accepted', () => {
  test.each(having('payload_too_large'))('%s: too large', async (name, endpoint) => {
    const request = await prepared(name, { ...signIn(endpoint), params: nowhere(endpoint, randomUUID()) });
    const headers = { ...request.headers, 'content-type': 'application/json' };
    const payload = JSON.stringify('x'.repeat(300_000));
    expectRefused(await sendTo(app.app, { ...request, headers, payload }), 'payload_too_large');
  });
  test.each(having('unsupported_media_type'))('%s: of another type', async (name, endpoint) => {
    const request = await prepared(name, { ...signIn(endpoint), params: nowhere(endpoint, randomUUID()) });
    const headers = { ...request.headers, 'content-type': 'text/csv' };
    expectRefused(await sendTo(app.app, { ...request, headers, payload: 'a,b' }), 'unsupported_media_type');
  });
});

describe('someone else’s object answers like one that never existed', () => {
  const objects = ENDPOINTS.filter(([, { params }]) => params !== undefined);
  test.each(objects)('%s', async (name, endpoint) => {
    const sent = await success(name);
    const ask = async (id: string | null, token: string | undefined) => {
      const params = id === null ? sent.params! : { ...sent.params, ...nowhere(endpoint, id) };
      const { token: _own, ...anybody } = sent;
      const asked = token === undefined ? anybody : { ...anybody, token };
      // A link or a key of its own would open it.
      const { query: _query, ...bare } = asked;
      return sendTo(app.app, await prepared(name, { ...bare, params }));
    };
    const absent = await ask(randomUUID(), stranger.token);
    expectRefused(absent, 'not_found');
    const others = [await ask('nothing', stranger.token)];
    // What a call of a person about themselves names is everybody's.
    if (POLICY_OF[name] === 'person') others.push(await ask(randomUUID(), stranger.token));
    else if (endpoint.security === 'bearer') others.push(await ask(null, stranger.token));
    else others.push(await ask(randomUUID(), undefined));
    const shown = ({ status, text, headers }: Answered) => ({ status, text, headers: comparable(headers) });
    for (const other of others) expect(shown(other)).toEqual(shown(absent));
  });

  function comparable(sent: Readonly<Record<string, string>>) {
    const headers: Record<string, string> = { ...sent };
    for (const name of Object.keys(headers))
      if (name === 'date' || name.startsWith('x-ratelimit')) delete headers[name];
    return headers;
  }
});

describe('another method', () => {
  const paths = [...new Set(ENDPOINTS.map(([, { path }]) => path))];
  const takes = (url: string, method: string) =>
    ENDPOINTS.some(
      ([, endpoint]) =>
        endpoint.method === method &&
        new RegExp(`^${endpoint.path.replaceAll(/\{\w+\}/g, '[^/]+').replace(/\/$/, '')}/?$`).test(url),
    );
  test.each(paths)('%s', async (path) => {
    const url = path.replaceAll(/\{\w+\}/g, randomUUID());
    const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
    // Where a path has a name in the place of another's id, that other one takes the method.
    const allowed = methods.filter((method) => takes(url, method));
    for (const method of methods.filter((one) => !allowed.includes(one))) {
      const answer = await app.app.inject({ method, url });
      expect(answer.statusCode, `${method} ${path}`).toBe(405);
      expect(answer.json()).toMatchObject({ code: 'method_not_allowed' });
      expect(String(answer.headers.allow).split(', ').sort()).toEqual([...allowed].sort());
    }
  });
});

describe('too often', () => {
  test.each(having('too_many_requests'))('%s', async (name, endpoint) => {
    const request = await prepared(name, {
      ...(endpoint.security === 'bearer' ? { token: spender.token } : {}),
      params: nowhere(endpoint, randomUUID()),
    });
    const remoteAddress = `10.0.${Math.floor(Math.random() * 250)}.${Math.floor(Math.random() * 250)}`;
    const from = { ...request, remoteAddress };
    if (endpoint.media !== 'text/event-stream') await sendTo(limited, from);
    const answer = await sendTo(limited, from);
    expectRefused(answer, 'too_many_requests');
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  });
});

describe('while the database is down', () => {
  test.each(having('unavailable'))('%s', async (name) => {
    const answer = await sendTo(withoutDatabase, await prepared(name, await success(name)));
    expectRefused(answer, 'unavailable');
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  });
  test.each(ENDPOINTS.filter(([, { isStatic }]) => isStatic))('%s answers all the same', async (name) => {
    expect((await sendTo(withoutDatabase, await prepared(name, await success(name)))).said).toBe('success');
  });
});

describe('when the server itself fails', () => {
  // Readiness asks nothing but whether the database is there.
  test.each(having('internal_error').filter(([name]) => name !== 'getReadiness'))('%s', async (name) => {
    const answer = await sendTo(broken, await prepared(name, await success(name)));
    expectRefused(answer, 'internal_error');
    expect(answer.text).not.toContain('on purpose');
  });
});
