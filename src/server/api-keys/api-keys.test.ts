import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { KEY_POLICIES } from '#contract/http/key-policies.ts';
import { type ApiKey } from '#contract/api-keys.ts';
import { ROUTES } from '#contract/http/route.ts';
import { apiKeyOf, makeApiKey } from '#tests/support/api-key.ts';
import { setStatus } from '#tests/support/deployment-commands.ts';
import { testApp } from '#tests/support/test-app.ts';
import { newDeployment } from '#tests/support/test-deployment.ts';
import { readyPerson, signedInPerson, type TestPerson } from '#tests/support/test-person.ts';
import { publishedStrategy } from '#tests/support/test-strategy.ts';
import { DAY_MS, instant, MINUTE_MS } from '#units/instant.ts';

const app = await testApp();
const { records, request } = app;
const strategy = await publishedStrategy(app);

const LIMITS = { stop_loss_percentage: 10, max_allocation_per_trade: 20, freeze_on_drawdown: 25 };
const PRACTICE = { strategy, investment_amount: 10_000, ...LIMITS };

/** A person of their own brokerage account. */
async function investor() {
  app.world.accountId = `DU${randomUUID().slice(0, 7)}`;
  return readyPerson(app);
}

const practise = (token: string, change: object = {}, headers = {}) =>
  request({
    method: 'POST',
    url: '/api/practice-deployments/',
    token,
    headers,
    body: { ...PRACTICE, ...change },
  });

const deploy = (token: string, person: { connectionId: string }, amount = 10_000) =>
  request({
    method: 'POST',
    url: '/api/deployments/',
    token,
    body: { ...PRACTICE, investment_amount: amount, broker_connection: person.connectionId },
  });

const decide = (token: string, act: string, verdict: 'accept' | 'decline') =>
  request({ method: 'POST', url: `/api/key-acts/${act}/${verdict}/`, token });

async function shownKey(person: TestPerson): Promise<ApiKey> {
  return (await request({ method: 'GET', url: '/api/keys/', token: person.token })).body[0];
}

const count = async (person: TestPerson) =>
  (await records.pool.query('select from deployments where user_id = $1', [person.id])).rowCount;

test('every call is in exactly one list of what keys may do', () => {
  const listed = Object.values(KEY_POLICIES).flat();
  expect(listed.toSorted()).toEqual(Object.keys(ROUTES).toSorted());
});

test('the secret is shown once and kept as a hash, and the list names the key by its first characters', async () => {
  const person = await signedInPerson(app);
  const { secret, id } = await makeApiKey(app, person.token, { budget: 5_000, actsPerDay: 7 });
  expect(secret).toMatch(/^bwk_[\w-]{43}$/);
  const { rows } = await records.pool.query(
    'select row_to_json(k)::text as row from api_keys k where id = $1',
    [id],
  );
  expect(rows[0].row).not.toContain(secret.slice(12));
  expect(await shownKey(person)).toMatchObject({
    id,
    prefix: secret.slice(0, 12),
    scopes: ['read', 'practice', 'trade'],
    budget: 5_000,
    held: 0,
    acts_per_day: 7,
    acts_today: 0,
    last_used_at: null,
  });
  await request({ method: 'GET', url: '/api/deployments/', token: secret });
  expect((await shownKey(person)).last_used_at).toBe(new Date(app.world.now).toISOString());
});

test('a key that acts has limits, and one that reads has none', async () => {
  const { token } = await signedInPerson(app);
  const make = (body: object) =>
    request({ method: 'POST', url: '/api/keys/', token, body: { name: 'k', expires_in_days: 1, ...body } });
  expect((await make({ scopes: ['practice'], acts_per_day: 1 })).body).toMatchObject({ field: 'budget' });
  expect((await make({ scopes: ['practice'], budget: 1 })).body).toMatchObject({ field: 'acts_per_day' });
  expect((await make({ scopes: ['read'], budget: 1 })).body).toMatchObject({ field: 'budget' });
  expect((await make({ scopes: [] })).body).toMatchObject({ field: 'scopes' });
});

test('a revoked key is refused at its next call, an expired one too, and so is that of a disabled account', async () => {
  const person = await signedInPerson(app);
  const ask = (token: string) => request({ method: 'GET', url: '/api/deployments/', token });
  const { id, secret } = await makeApiKey(app, person.token, {});
  const other = await apiKeyOf(app, person.token, {});
  expect((await ask(secret)).status).toBe(200);
  const revoke = () => request({ method: 'DELETE', url: `/api/keys/${id}/`, token: person.token });
  expect((await revoke()).status).toBe(204);
  expect((await ask(secret)).status).toBe(401);
  expect((await revoke()).status, 'a repeat changes nothing').toBe(204);
  await records.pool.query(
    `update api_keys set expires_at = created_at + interval '1 second' where id <> $1 and user_id = $2`,
    [id, person.id],
  );
  app.world.now = instant(app.world.now + 2_000);
  expect((await ask(other)).status).toBe(401);
  const third = await apiKeyOf(app, person.token, {});
  await records.pool.query('update users set disabled_at = now() where id = $1', [person.id]);
  expect((await ask(third)).status).toBe(401);
  expect((await ask(`bwk_${'x'.repeat(43)}`)).status).toBe(401);
});

test('a key makes a practice deployment of its own, steers it, and no other', async () => {
  const person = await investor();
  const own = (await practise(person.token)).body.id as string;
  const { id, secret } = await makeApiKey(app, person.token, {});
  const made = (await practise(secret)).body.id as string;
  expect(await shownKey(person)).toMatchObject({ deployments: [made], held: 10_000, acts_today: 1 });
  for (const deployment of [own, made]) await setStatus(records.pool, deployment, 'active');
  const pause = (token: string, deployment: string) =>
    request({ method: 'POST', url: `/api/deployments/${deployment}/pause/`, token });
  expect(await pause(secret, made)).toMatchObject({ status: 200 });
  expect(await pause(secret, own)).toMatchObject({ status: 403, body: { code: 'key_refused' } });
  const stranger = await newDeployment(app);
  expect(await pause(secret, stranger.deploymentId)).toMatchObject({ status: 404 });
  const listed = await apiKeyOf(app, person.token, { deployments: [own], scopes: ['practice'] });
  expect(await pause(listed, own)).toMatchObject({ status: 200 });
  const { rows } = await records.pool.query<{ actor: string; action: string; key: string }>(
    `select actor, action, details::jsonb ->> 'api_key' as key from audit_log
     where subject = $1 order by seq`,
    [`deployment:${made}`],
  );
  expect(rows).toContainEqual({ actor: `client:${person.id}`, action: 'deployment.created', key: id });
  expect(rows).toContainEqual({ actor: `client:${person.id}`, action: 'deployment.changed', key: id });
});

test('of many at once no more is committed than the budget covers', async () => {
  const person = await investor();
  const secret = await apiKeyOf(app, person.token, { budget: 35_000 });
  const answers = await Promise.all(Array.from({ length: 8 }, () => practise(secret)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 201, 422, 422, 422, 422, 422]);
  for (const { body } of answers.filter(({ status }) => status === 422)) expect(body.code).toBe('key_limit');
  expect(await count(person)).toBe(3);
  expect(await shownKey(person)).toMatchObject({ held: 30_000 });
});

test('the database keeps the budget where the look before the act saw room', async () => {
  const person = await investor();
  const { id, secret } = await makeApiKey(app, person.token, { budget: 10_000 });
  const lock = await records.pool.connect();
  // Between the look and the commitment somebody lowers it.
  await lock.query('begin');
  await lock.query('select from users where id = $1 for no key update', [person.id]);
  const waiting = practise(secret);
  await expect
    .poll(
      async () => (await records.pool.query(`select from api_key_acts where api_key_id = $1`, [id])).rowCount,
    )
    .toBe(1);
  await lock.query('update api_keys set budget_micro = 0 where id = $1', [id]);
  await lock.query('commit');
  lock.release();
  expect(await waiting).toMatchObject({ status: 422, body: { code: 'key_limit' } });
  expect(await count(person)).toBe(0);
});

test('of many at once no more acts are admitted than the day allows, and tomorrow there are new ones', async () => {
  const person = await investor();
  const secret = await apiKeyOf(app, person.token, { actsPerDay: 3 });
  const watch = () => request({ method: 'POST', url: `/api/watch-list/${strategy}/`, token: secret });
  const answers = await Promise.all(Array.from({ length: 10 }, watch));
  expect(answers.filter(({ status }) => status < 300)).toHaveLength(3);
  expect(answers.find(({ status }) => status === 422)!.body.message).toContain('3 acts of today');
  app.world.now = instant(app.world.now + DAY_MS);
  expect((await watch()).status).toBeLessThan(300);
});

test('a repeat under one Idempotency-Key is the same deployment, and no second act', async () => {
  const person = await investor();
  const secret = await apiKeyOf(app, person.token, {});
  const headers = { 'idempotency-key': randomUUID() };
  const first = await practise(secret, {}, headers);
  const again = await practise(secret, {}, headers);
  expect([again.status, again.body.id]).toEqual([201, first.body.id]);
  expect(await count(person)).toBe(1);
  expect((await shownKey(person)).acts_today).toBe(1);
  // The same words of the person are another request.
  expect((await practise(person.token, {}, headers)).body.id).not.toBe(first.body.id);
});

test('real money waits for the person; their tap carries it out once, whatever is tapped again', async () => {
  const person = await investor();
  const { id, secret } = await makeApiKey(app, person.token, { budget: 15_000 });
  const asked = await deploy(secret, person);
  expect(asked).toMatchObject({ status: 403, body: { code: 'approval_required' } });
  const act = asked.body.details.act as string;
  expect((await deploy(secret, person)).body.details.act, 'the same is not asked twice').toBe(act);
  expect(await count(person)).toBe(0);
  const notices = await request({ method: 'GET', url: '/api/notifications/', token: person.token });
  expect(notices.body.filter(({ kind }: { kind: string }) => kind === 'key_asks')).toHaveLength(1);
  expect(await decide(secret, act, 'accept'), 'not by the key').toMatchObject({
    body: { code: 'key_refused' },
  });
  const taps = await Promise.all([1, 2, 3].map(() => decide(person.token, act, 'accept')));
  expect(taps.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
  expect(taps.find(({ status }) => status === 200)!.body).toMatchObject({ status: 'done', outcome: null });
  expect(await decide(person.token, act, 'accept')).toMatchObject({ status: 409 });
  expect(await decide(person.token, act, 'decline')).toMatchObject({ status: 409 });
  expect(await count(person)).toBe(1);
  expect(await shownKey(person)).toMatchObject({ deployments: [act], held: 10_000 });
  expect((await request({ method: 'GET', url: `/api/key-acts/${act}/`, token: secret })).body.status).toBe(
    'done',
  );
  const { rows } = await records.pool.query(
    `select actor, details::jsonb ->> 'api_key' as key from audit_log where subject = $1 and action = 'deployment.created'`,
    [`deployment:${act}`],
  );
  expect(rows).toEqual([{ actor: `client:${person.id}`, key: id }]);
});

test('two that wait, each within the budget: the second is refused when it is accepted', async () => {
  const person = await investor();
  const secret = await apiKeyOf(app, person.token, { budget: 15_000 });
  const first = (await deploy(secret, person, 10_000)).body.details.act;
  const second = (await deploy(secret, person, 11_000)).body.details.act;
  const taps = await Promise.all([
    decide(person.token, first, 'accept'),
    decide(person.token, second, 'accept'),
  ]);
  expect(taps.map(({ body }) => body.status).toSorted()).toEqual(['done', 'refused']);
  expect(taps.find(({ body }) => body.status === 'refused')!.body.outcome).toContain('budget');
  expect(await count(person)).toBe(1);
});

test('what a person may not do, their key may not either: the checks are made when it is accepted', async () => {
  const person = await investor();
  const secret = await apiKeyOf(app, person.token, {});
  const { act } = (await deploy(secret, person)).body.details;
  await records.pool.query('update risk_profiles set risk_score = 1 where user_id = $1', [person.id]);
  expect((await decide(person.token, act, 'accept')).body).toMatchObject({ status: 'refused' });
  expect(await count(person)).toBe(0);
  expect(await practise(secret)).toMatchObject({ status: 422, body: { code: 'unsuitable' } });
  expect((await shownKey(person)).acts_today, 'what we refused is no act').toBe(0);
});

test('what waits ends: declined, too late, or with its key', async () => {
  const person = await investor();
  const { id, secret } = await makeApiKey(app, person.token, {});
  const ask = async (amount: number) => (await deploy(secret, person, amount)).body.details.act as string;
  const [declined, late, withdrawn] = [await ask(10_000), await ask(10_001), await ask(10_002)];
  expect((await decide(person.token, declined, 'decline')).body.status).toBe('declined');
  await records.pool.query('update api_key_acts set expires_at = $2 where id = $1', [
    late,
    new Date(app.world.now),
  ]);
  expect((await decide(person.token, late, 'accept')).status).toBe(409);
  await request({ method: 'DELETE', url: `/api/keys/${id}/`, token: person.token });
  expect((await decide(person.token, withdrawn, 'accept')).status).toBe(409);
  const acts = await request({ method: 'GET', url: '/api/key-acts/', token: person.token });
  expect(acts.body.map((act: { status: string }) => act.status).toSorted()).toEqual([
    'declined',
    'expired',
    'withdrawn',
  ]);
  expect(await count(person)).toBe(0);
  const stranger = await investor();
  expect((await decide(stranger.token, declined, 'accept')).status).toBe(404);
});

test('after a crash between the tap and its outcome it may be accepted again, and is made once', async () => {
  const person = await investor();
  const secret = await apiKeyOf(app, person.token, {});
  const { act } = (await deploy(secret, person)).body.details;
  expect((await decide(person.token, act, 'accept')).body.status).toBe('done');
  // As if the process had died before it could say so.
  await records.pool.query(`update api_key_acts set status = 'running' where id = $1`, [act]);
  expect((await decide(person.token, act, 'accept')).status, 'it may still run').toBe(409);
  app.world.now = instant(app.world.now + 6 * MINUTE_MS);
  expect((await decide(person.token, act, 'accept')).body.status).toBe('done');
  expect(await count(person)).toBe(1);
});

test('a higher amount waits in practice too, and no key withdraws', async () => {
  const person = await investor();
  const secret = await apiKeyOf(app, person.token, { budget: 12_000 });
  const made = (await practise(secret)).body.id as string;
  await setStatus(records.pool, made, 'active');
  const flow = (kind: string, amount: number) =>
    request({
      method: 'POST',
      url: `/api/deployments/${made}/flows/`,
      token: secret,
      body: { kind, amount },
    });
  expect((await flow('withdrawal', 100)).body.code).toBe('key_refused');
  expect((await flow('deposit', 5_000)).body.code).toBe('key_limit');
  const { act } = (await flow('deposit', 1_000)).body.details;
  expect((await decide(person.token, act, 'accept')).body.status).toBe('done');
  expect((await shownKey(person)).held).toBe(11_000);
});

test('in real money a pause is done at once; a stop, new limits and a resume wait', async () => {
  const { person, deploymentId } = await newDeployment(app);
  await setStatus(records.pool, deploymentId, 'active');
  const terms = { deployments: [deploymentId] };
  const secret = await apiKeyOf(app, person.token, terms);
  const steer = (token: string, verb: string) =>
    request({ method: 'POST', url: `/api/deployments/${deploymentId}/${verb}/`, token });
  const practiceOnly = await apiKeyOf(app, person.token, { ...terms, scopes: ['read', 'practice'] });
  expect((await steer(practiceOnly, 'pause')).body.code).toBe('key_refused');
  expect((await steer(secret, 'pause')).status).toBe(200);
  for (const verb of ['stop', 'resume', 'liquidate'])
    expect((await steer(secret, verb)).body.code, verb).toBe('approval_required');
});

test('a password reset revokes every key', async () => {
  const person = await signedInPerson(app);
  const secret = await apiKeyOf(app, person.token, {});
  await request({ method: 'POST', url: '/api/auth/password/reset/', body: { email: person.email } });
  const { createHash, randomBytes } = await import('node:crypto');
  const token = randomBytes(32).toString('base64url');
  await records.pool.query(
    `insert into password_resets (token_hash, user_id, created_at, expires_at) values ($1, $2, $3, $4)`,
    [
      createHash('sha256').update(token).digest(),
      person.id,
      new Date(app.world.now),
      new Date(app.world.now + MINUTE_MS),
    ],
  );
  const password = 'corridor-lantern-quartz-91';
  const answer = await request({
    method: 'POST',
    url: '/api/auth/password/reset/confirm/',
    body: { token, new_password: password, confirm_new_password: password },
  });
  expect(answer.status, answer.text).toBeLessThan(300);
  expect((await request({ method: 'GET', url: '/api/deployments/', token: secret })).status).toBe(401);
});
