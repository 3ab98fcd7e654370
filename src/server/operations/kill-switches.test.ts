import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { readDeploymentVersions } from '#records/deployments/deployment-views.ts';
import { giveRole } from '#tests/support/give-role.ts';
import { shownReason } from '../../../tests/support/shown-reason.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import { signedInPerson, type TestPerson } from '../../../tests/support/test-person.ts';
import { BOTH_ABOVE_30, tradingWorld } from '../../../tests/support/trading-world.ts';
import { agree, decide, propose } from '#tests/support/two-people.ts';

const app = await testApp();
const base = await app.app.listen({ port: 0, host: '127.0.0.1' });
let steadyMs = () => 0;
const world = await tradingWorld(app.records, () => steadyMs());
const { market, venue } = world;
afterAll(() => world.trader.close());
const { pool } = app.records;
const version = await world.addStrategy(BOTH_ABOVE_30);
const rows = async (query: string, ...values: unknown[]) => (await pool.query(query, values)).rows;

async function staff(role: 'support' | 'provider' = 'support'): Promise<TestPerson> {
  const person = await signedInPerson(app);
  await giveRole(app.records, person, role);
  return person;
}
const sue = await staff();
const bob = await staff();

const runTicks = () => {
  world.wait(60_000);
  return world.trader.tick();
};
const statuses = async (id: string) =>
  (await rows(`select symbol, status from orders where deployment_id = $1 order by 1, 2`, id)).map(
    ({ symbol, status }) => `${symbol} ${status}`,
  );
const reason = (id: string) => shownReason({ pool }, id);
const send = (method: 'POST' | 'DELETE' | 'GET', path: string, token: string, body?: object, key?: string) =>
  app.request({
    method,
    url: `/api/operations/${path}`,
    token,
    ...(body && { body }),
    ...(key !== undefined && { headers: { 'idempotency-key': key } }),
  });
const EVERYBODY = { scope: 'global', cancels_orders: false, reason: 'prices look wrong.' };
const halt = async (change: object = {}, token = sue.token) => {
  const answer = await send('POST', 'kill-switches/', token, { ...EVERYBODY, ...change });
  expect(answer.status, answer.text).toBe(201);
  return answer.body.id as string;
};
/** Two people. */
const lift = (subject: string, two = [sue, bob] as const) =>
  agree(app, two, { action: 'lift_halt', subject });
const ownerOf = async (id: string) =>
  (
    await rows(`select u.email, u.id from users u join deployments d on d.user_id = u.id where d.id = $1`, id)
  )[0];

beforeEach(() => market.closeDay());
afterEach(() =>
  pool.query(`update kill_switches set lifted_by = 'test', lifted_at = now() where lifted_at is null`),
);

test('each scope halts the clients it names, the owner sees why, and lifting it releases all waiting orders', async () => {
  const names: Record<string, (id: string) => Promise<string>> = {
    broker: async () => 'scripted',
    strategy: async (id) =>
      (await rows(`select strategy_id from deployments where id = $1`, id))[0].strategy_id,
    client: async (id) => (await ownerOf(id)).email,
  };
  for (const scope of ['global', 'broker', 'strategy', 'client']) {
    const id = await world.deploy(version);
    const other = await world.deploy(version);
    const target = await names[scope]?.(id);
    const change = await halt({ scope, ...(target && { target }) });
    await runTicks();
    await runTicks();
    expect(await statuses(id), scope).toEqual(['AAA intended', 'BBB intended']);
    expect(await reason(id)).toBe(
      'The provider has halted trading: prices look wrong. No orders are sent until the halt is lifted.',
    );
    expect(await statuses(other)).toEqual(
      scope === 'client' ? ['AAA working', 'BBB working'] : ['AAA intended', 'BBB intended'],
    );
    expect((await lift(change)).status).toBe(200);
    await runTicks();
    expect(await statuses(id)).toEqual(['AAA working', 'BBB working']);
    expect(await reason(id)).toBeNull();
  }
});

test('when a switch is set while orders are being sent, unsent orders stay unsent', async () => {
  const ids = [await world.deploy(version), await world.deploy(version), await world.deploy(version)];
  let asked: Promise<Response> | null = null;
  const before = venue.submissions.length;
  // The last check before any order is sent: answered before the venue receives an order.
  venue.onCall = async (call) => {
    if (call !== 'submitOrder') return;
    asked ??= fetch(`${base}/api/operations/kill-switches/`, {
      method: 'POST',
      headers: { authorization: `Bearer ${sue.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(EVERYBODY),
    });
    await asked;
  };
  await runTicks();
  venue.onCall = null;
  expect((await asked!).status).toBe(201);
  // Per account, exactly one order was past its last check when the switch was set.
  const left = await rows(
    `select broker_connection_id as at from orders where client_order_id = any($1)`,
    venue.submissions.slice(before),
  );
  expect(new Set(left.map(({ at }) => at)).size).toBe(left.length);
  const atAnswer = venue.submissions.length;
  for (let i = 0; i < 3; i++) await runTicks();
  expect(venue.submissions).toHaveLength(atAnswer);
  for (const id of ids) expect(await statuses(id)).toContain('BBB intended');
});

test('over a socket, no order is sent later than a second after the answer', async () => {
  await runTicks();
  const sent: number[] = [];
  steadyMs = () => performance.now();
  venue.onCall = (call) => {
    if (call === 'submitOrder') sent.push(performance.now());
  };
  for (let i = 0; i < 12; i++) await world.deploy(version);
  const ticking = runTicks();
  const answer = await fetch(`${base}/api/operations/kill-switches/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${sue.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(EVERYBODY),
  });
  const answered = performance.now();
  await ticking;
  await runTicks();
  venue.onCall = null;
  steadyMs = () => 0;
  expect(answer.status).toBe(201);
  expect(sent.filter((at) => at > answered + 1_000)).toEqual([]);
  const [{ count }] = await rows(`select count(*)::int from orders where status = 'intended'`);
  expect(count).toBeGreaterThan(0);
});

test('two concurrent requests turn on one switch, and the second gets the name of its owner', async () => {
  const [one, other] = await Promise.all(
    [sue, bob].map(({ token }) => send('POST', 'kill-switches/', token, EVERYBODY)),
  );
  expect([one!.status, other!.status].toSorted()).toEqual([201, 409]);
  const [set, messages] = one!.status === 201 ? [one!, other!] : [other!, one!];
  expect(messages.body).toMatchObject({ code: 'already_exists', details: { id: set.body.id } });
  expect(messages.body.message).toContain(`${set.body.set_by} set the halt`);
  expect(await rows(`select id from kill_switches where lifted_at is null`)).toEqual([{ id: set.body.id }]);
  const lifts = await Promise.all([lift(set.body.id), lift(set.body.id, [bob, sue])]);
  // One of the proposals was first, and the other person approved it.
  expect(lifts.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  const logged = await rows(
    `select action, actor from audit_log where subject = $1 order by seq`,
    `kill_switch:${set.body.id}`,
  );
  expect(logged.map(({ action }) => action)).toEqual(['kill_switch.created', 'kill_switch.changed']);
  expect(logged[0].actor).toBe(`staff:${set.body.set_by}`);
  expect([`staff:${sue.email}`, `staff:${bob.email}`]).toContain(logged[1].actor);
});

test('a request succeeds while another switch of the same kind is being lifted', async () => {
  for (let i = 0; i < 10; i++) {
    const first = await halt();
    const [answer] = await Promise.all([send('POST', 'kill-switches/', bob.token, EVERYBODY), lift(first)]);
    const on = (await rows(`select id from kill_switches where lifted_at is null`)).map(({ id }) => id);
    if (answer.status === 201) expect(on).toEqual([answer.body.id]);
    // It conflicted when it was read, and is named in the answer.
    else expect(answer.body).toMatchObject({ code: 'already_exists', details: { id: first } });
    for (const id of on) await lift(id);
  }
});

test('a repeated request, even after its process died, turns the switch on only once', async () => {
  const key = randomUUID();
  const first = await send('POST', 'kill-switches/', sue.token, EVERYBODY, key);
  expect(await send('POST', 'kill-switches/', sue.token, EVERYBODY, key)).toMatchObject({
    status: 201,
    body: { id: first.body.id },
  });
  const dies = () =>
    pool.query(
      `update idempotency_keys set status = null, response = null, created_at = now() - interval '3 minutes' where key = $1`,
      [key],
    );
  await dies();
  expect(await send('POST', 'kill-switches/', sue.token, EVERYBODY, key)).toMatchObject({
    status: 201,
    body: { id: first.body.id },
  });
  await lift(first.body.id);
  await dies();
  const late = await send('POST', 'kill-switches/', sue.token, EVERYBODY, key);
  expect(late.status).toBe(409);
  expect(late.body.message).toContain(`${bob.email} lifted it`);
  expect(await rows(`select id from kill_switches where lifted_at is null`)).toEqual([]);
});

test('an unknown scope is named, and a reason is required', async () => {
  for (const scope of ['broker', 'strategy', 'client']) {
    const answer = await send('POST', 'kill-switches/', sue.token, {
      ...EVERYBODY,
      scope,
      target: 'nowhere',
    });
    expect(answer).toMatchObject({
      status: 404,
      body: { code: 'not_found', field: 'target', message: `There is no ${scope} "nowhere".` },
    });
    const nameless = await send('POST', 'kill-switches/', sue.token, { ...EVERYBODY, scope });
    expect(nameless).toMatchObject({ status: 400, body: { field: 'target' } });
  }
  for (const wrong of [{ reason: ' . ' }, { reason: undefined }, { cancels_orders: undefined }])
    expect((await send('POST', 'kill-switches/', sue.token, { ...EVERYBODY, ...wrong })).status).toBe(400);
});

test('users without the support role get "not found", and losing the role takes effect at once', async () => {
  const change = await halt();
  const people = [await signedInPerson(app), await staff('provider')];
  for (const { token } of people) {
    const answers = [
      await send('GET', '', token),
      await send('POST', 'kill-switches/', token, EVERYBODY),
      await propose(app, { token }, { action: 'cancel_orders', subject: change }),
      await propose(app, { token }, { action: 'lift_halt', subject: change }),
    ];
    for (const { status, body } of answers)
      expect({ status, body }).toMatchObject({ status: 404, body: { message: 'Not found' } });
  }
  expect(await rows(`select cancels_working from kill_switches where lifted_at is null`)).toEqual([
    { cancels_working: false },
  ]);
  const eve = await staff();
  expect((await send('GET', '', eve.token)).status).toBe(200);
  await rows(`update users set role = 'investor' where id = $1`, eve.id);
  expect((await propose(app, eve, { action: 'lift_halt', subject: change })).status).toBe(404);
});

test('an active switch can also cancel working orders, without releasing any order in between', async () => {
  const id = await world.deploy(version);
  await runTicks();
  expect(await statuses(id)).toEqual(['AAA working', 'BBB working']);
  const change = await halt();
  await runTicks();
  expect(await statuses(id)).toEqual(['AAA working', 'BBB working']);
  const proposed = await propose(app, sue, { action: 'cancel_orders', subject: change });
  await runTicks();
  expect(await statuses(id), 'one person cancels nothing').toEqual(['AAA working', 'BBB working']);
  for (let i = 0; i < 2; i++)
    expect(await decide(app, bob, { id: proposed.body.id })).toMatchObject({
      status: 200,
      body: { status: 'over', subject: change },
    });
  await runTicks();
  await runTicks();
  expect((await statuses(id)).filter((one) => one.endsWith('cancelled'))).toHaveLength(2);
  expect(await statuses(id)).not.toContain('AAA working');
  await lift(change);
  expect(await propose(app, sue, { action: 'cancel_orders', subject: change })).toMatchObject({
    status: 409,
    body: { code: 'already_decided' },
  });
});

test('a halt that is to cancel orders halts at once, and cancels them once a second person agrees', async () => {
  const id = await world.deploy(version);
  await runTicks();
  const change = await halt({ cancels_orders: true });
  const desk = async () => (await send('GET', '', bob.token)).body;
  expect((await desk()).kill_switches).toMatchObject([{ id: change, cancels_orders: false }]);
  const [waits] = (await desk()).proposals;
  expect(waits).toMatchObject({ action: 'cancel_orders', subject: change, is_own: false, status: 'open' });
  expect((await decide(app, sue, { id: waits.id })).status).toBe(403);
  await runTicks();
  expect(await statuses(id)).toEqual(['AAA working', 'BBB working']);
  expect((await decide(app, bob, { id: waits.id })).status).toBe(200);
  expect((await desk()).kill_switches).toMatchObject([{ id: change, cancels_orders: true }]);
  await runTicks();
  await runTicks();
  expect(await statuses(id)).not.toContain('AAA working');
});

test('whoever proposed a lifting cannot approve it, and the database refuses it too', async () => {
  const change = await halt();
  const { body } = await propose(app, sue, { action: 'lift_halt', subject: change });
  expect((await decide(app, sue, { id: body.id })).status).toBe(403);
  const forced = pool.query(`update proposals set status = 'over', decided_by = proposed_by where id = $1`, [
    body.id,
  ]);
  await expect(forced).rejects.toThrow('four_eyes');
  expect(await rows(`select id from kill_switches where lifted_at is null`)).toEqual([{ id: change }]);
  expect(
    (await decide(app, sue, { id: body.id, body: { decision: 'decline', reason: 'too early' } })).body,
  ).toMatchObject({
    status: 'declined',
  });
  // Of two who approve at once, one counts.
  const again = await propose(app, sue, { action: 'lift_halt', subject: change });
  const others = [bob, await staff()];
  const answers = await Promise.all(others.map((person) => decide(app, person, { id: again.body.id })));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
});

test('after a halt the owner sees the earlier reason again, and an ended deployment never shows the halt', async () => {
  const [waiting, ended] = [await world.deploy(version), await world.deploy(version)];
  await rows(`update deployments set reason_code = 'agreement_not_signed' where id = $1`, waiting);
  await rows(`update deployments set status = 'stopped', ended_at = now() where id = $1`, ended);
  const versions = async () => [...(await readDeploymentVersions(pool, [waiting])).values()][0]!.version;
  const before = await versions();
  const change = await halt();
  expect([await reason(waiting), await reason(ended)]).toEqual([
    'The provider has halted trading: prices look wrong. No orders are sent until the halt is lifted.',
    null,
  ]);
  const halted = await versions();
  await lift(change);
  expect(await reason(waiting)).toBe('Please sign the investment agreement first.');
  // A client that polls by version sees each change.
  expect(new Set([before, halted, await versions()]).size).toBe(3);
});

test('a client halts and lifts all of their own trading, and nothing else', async () => {
  const ada = await signedInPerson(app);
  const own = await world.deploy(version);
  const other = await world.deploy(version);
  await rows(`update deployments set user_id = $1 where id = $2`, ada.id, own);
  // The gates check the owner's own documents.
  await rows(
    `update risk_profiles set user_id = $1 where user_id <> $1 and not exists
    (select from deployments d where d.user_id = risk_profiles.user_id)`,
    ada.id,
  );
  await rows(
    `update agreements set user_id = $1 where not exists
    (select from deployments d where d.user_id = agreements.user_id)`,
    ada.id,
  );
  const ask = (method: 'GET' | 'POST' | 'DELETE', body?: object) =>
    app.request({ method, url: '/api/trading-halt/', token: ada.token, ...(body && { body }) });
  expect((await ask('GET')).body).toEqual({ is_on: false, cancels_orders: false, since: null });
  expect(await ask('POST', { cancels_orders: false })).toMatchObject({ status: 200, body: { is_on: true } });
  await runTicks();
  expect(await statuses(own)).toEqual(['AAA intended', 'BBB intended']);
  expect(await statuses(other)).toEqual(['AAA working', 'BBB working']);
  expect(await reason(own)).toBe(
    'You have halted all your trading. No orders are sent until you lift the halt.',
  );
  const [{ id: switchId }] = await rows(
    `select id from kill_switches where scope = 'own' and lifted_at is null`,
  );
  expect((await lift(switchId)).status, 'a client’s own is not staff’s').toBe(404);
  expect((await send('GET', '', sue.token)).body.kill_switches).toEqual([]);

  const change = await halt({ scope: 'client', target: ada.email });
  expect(await ask('POST', { cancels_orders: true })).toMatchObject({ body: { cancels_orders: true } });
  expect(await ask('POST', { cancels_orders: false })).toMatchObject({ body: { cancels_orders: true } });
  expect((await ask('DELETE')).body).toEqual({ is_on: false, cancels_orders: false, since: null });
  await runTicks();
  expect(await statuses(own)).toEqual(['AAA intended', 'BBB intended']);
  expect(await reason(own)).toContain('The provider has halted trading');
  await lift(change);
  await runTicks();
  expect(await statuses(own)).toEqual(['AAA working', 'BBB working']);
  const logged = await rows(`select actor from audit_log where subject = $1`, `kill_switch:${switchId}`);
  expect(new Set(logged.map(({ actor }) => actor))).toEqual(new Set([`client:${ada.id}`]));
});
