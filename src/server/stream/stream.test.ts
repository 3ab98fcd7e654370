import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { insertNotifications } from '#records/notifications/notifications-outbox.ts';
import type { NotificationId, UserId } from '#units/identifiers.ts';
import { type Instant, instant } from '#units/instant.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import { newDeployment, tradedDeployment } from '../../../tests/support/test-deployment.ts';
import { signedInPerson } from '../../../tests/support/test-person.ts';
import { tradeOnce } from '../../../tests/support/test-trading.ts';
import { createApp } from '../app.ts';
import { Listener } from './listener.ts';
import { StreamHub } from './stream-hub.ts';

const app = await testApp();
const { request, records } = app;
const base = await app.app.listen({ port: 0, host: '127.0.0.1' });

type Heard = { readonly event: string; readonly data: Record<string, unknown> };

/** Reads server-sent events like a browser; `next` waits for one of these events. */
async function listen(token: string, address = base) {
  const calledOff = new AbortController();
  const response = await fetch(`${address}/api/stream/`, {
    headers: { authorization: `Bearer ${token}` },
    signal: calledOff.signal,
  });
  const heard: Heard[] = [];
  const text = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  const read = async (): Promise<boolean> => {
    const { value, done } = await text.read();
    if (done) return false;
    rest += value;
    const blocks = rest.split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = /^event: (.*)$/m.exec(block)?.[1];
      const data = /^data: (.*)$/m.exec(block)?.[1];
      if (event && data) heard.push({ event, data: JSON.parse(data) as Record<string, unknown> });
    }
    return true;
  };
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    heard,
    async next(event: string): Promise<Heard> {
      for (;;) {
        const found = heard.find((one) => one.event === event);
        if (found) return heard.splice(heard.indexOf(found), 1)[0]!;
        if (!(await read())) throw new Error(`the stream ended before ${event}`);
      }
    },
    async ended(): Promise<void> {
      while (await read());
    },
    stop: () => calledOff.abort(),
  };
}

/** The hub starts reading with its first turn: earlier writes are left to polling. */
const firstTurn = () => new Promise((resolve) => setTimeout(resolve, 1_500));

const said = (strategyName: string) => `${strategyName} trades again from its next signal.`;

async function notify(userId: string, strategyName: string): Promise<void> {
  await insertNotifications(records.database, [
    {
      id: randomUUID() as string as NotificationId,
      userId: userId as UserId,
      deploymentId: null,
      facts: { kind: 'resumed', strategyName },
      cause: randomUUID(),
      at: instant(Date.UTC(2026, 0, 1)),
    },
  ]);
}

test('each user receives only their own notifications', async () => {
  const [one, other] = [await signedInPerson(app), await signedInPerson(app)];
  const [ear, otherEar] = [await listen(one.token), await listen(other.token)];
  expect(ear).toMatchObject({ status: 200, type: 'text/event-stream; charset=utf-8' });
  await ear.next('hello');
  await firstTurn();
  await notify(one.id, 'for one');
  await notify(other.id, 'for the other');
  await notify(one.id, 'for one again');
  expect((await ear.next('notification')).data).toMatchObject({ message: said('for one'), read: false });
  expect((await ear.next('notification')).data).toMatchObject({ message: said('for one again') });
  expect((await otherEar.next('notification')).data).toMatchObject({ message: said('for the other') });
  await firstTurn();
  await notify(other.id, 'last');
  await otherEar.next('notification');
  expect([...ear.heard, ...otherEar.heard].filter(({ event }) => event === 'notification')).toEqual([]);
  ear.stop();
  otherEar.stop();
});

test('a late commit is still received', async () => {
  const person = await signedInPerson(app);
  const ear = await listen(person.token);
  await firstTurn();
  const late = await records.pool.connect();
  await late.query('begin');
  const write = (strategyName: string) =>
    `insert into notifications (id, user_id, kind, facts, cause, created_at) values ('${randomUUID()}',
     '${person.id}', 'resumed', '${JSON.stringify({ strategyName })}', '${randomUUID()}', now())`;
  await late.query(write('began first'));
  await records.pool.query(write('ended first'));
  await firstTurn();
  await late.query('commit');
  late.release();
  const messages = [await ear.next('notification'), await ear.next('notification')].map(
    ({ data }) => data.message,
  );
  expect(messages.sort()).toEqual([said('began first'), said('ended first')]);
  ear.stop();
});

test('a fill and the marks after it are received with the same figures that the page would read', async () => {
  const { person, deploymentId } = await newDeployment(app);
  const stranger = await tradedDeployment(app);
  const ear = await listen(person.token);
  const otherEar = await listen(stranger.person.token);
  await firstTurn();
  await tradeOnce(app, deploymentId);
  expect((await ear.next('fill')).data).toMatchObject({
    deployment: deploymentId,
    ticker: 'SPY',
    trade_type: 'buy',
    quantity: 10,
    price: 400,
    commission: 1,
  });
  expect((await ear.next('fill')).data).toMatchObject({ trade_type: 'sell', quantity: 4 });
  const mark = await ear.next('mark');
  const read = await request({ url: `/api/deployments/${deploymentId}/`, token: person.token });
  expect(mark.data).toEqual(read.body);
  await firstTurn();
  await notify(stranger.person.id, 'the last');
  await otherEar.next('notification');
  expect(otherEar.heard.filter(({ data }) => [data.id, data.deployment].includes(deploymentId))).toEqual([]);
  ear.stop();
  otherEar.stop();
});

test('a mark is received though its transaction commits after later ones', async () => {
  const { person, deploymentId } = await newDeployment(app);
  const ear = await listen(person.token);
  await firstTurn();
  const late = await records.pool.connect();
  await late.query('begin');
  await late.query('update deployments set revision = revision + 1 where id = $1', [deploymentId]);
  for (let i = 0; i < 3; i++) await notify(person.id, `after it ${i}`);
  await firstTurn();
  expect(ear.heard.filter(({ event }) => event === 'mark')).toEqual([]);
  await late.query('commit');
  late.release();
  expect((await ear.next('mark')).data).toMatchObject({ id: deploymentId });
  await firstTurn();
  await firstTurn();
  expect(ear.heard.filter(({ event }) => event === 'mark')).toEqual([]);
  ear.stop();
});

test('marks are sent for what a broker’s session and a kill switch change on a deployment', async () => {
  const { person, deploymentId } = await newDeployment(app);
  const ear = await listen(person.token);
  await firstTurn();
  const changes = [
    `insert into broker_sessions (connection_id, state, since)
     select broker_connection_id, 'lost', now() from deployments where id = $1
     on conflict (connection_id) do update set state = excluded.state`,
    `insert into kill_switches (id, scope, target, cancels_working, because, set_by)
     values (gen_random_uuid(), 'deployment', $1, false, 'a test asked for it', 'test')`,
    `update kill_switches set lifted_by = 'test', lifted_at = now() where target = $1`,
  ];
  for (const change of changes) {
    await records.pool.query(change, [deploymentId]);
    const { data } = await ear.next('mark');
    const read = await request({ url: `/api/deployments/${deploymentId}/`, token: person.token });
    expect(data).toEqual(read.body);
  }
  await firstTurn();
  expect(ear.heard.filter(({ event }) => event === 'mark')).toEqual([]);
  ear.stop();
});

test('signing out ends the stream', async () => {
  const { token } = await signedInPerson(app);
  const ear = await listen(token);
  expect((await request({ method: 'POST', url: '/api/auth/logout/', token })).status).toBe(204);
  await ear.ended();
});

test('an account that is disabled loses its stream', async () => {
  const person = await signedInPerson(app);
  const ear = await listen(person.token);
  await records.pool.query('update users set disabled_at = now() where id = $1', [person.id]);
  await ear.ended();
});

test('only the header authenticates, and the number of streams per user is limited', async () => {
  const { token } = await signedInPerson(app);
  expect((await fetch(`${base}/api/stream/?token=${token}`)).status).toBe(401);
  const ears = await Promise.all(Array.from({ length: 6 }, () => listen(token)));
  const more = await fetch(`${base}/api/stream/`, { headers: { authorization: `Bearer ${token}` } });
  expect(more.status).toBe(429);
  expect(more.headers.get('retry-after')).toBe('60');
  for (const ear of ears) ear.stop();
});

test('a server that stops ends its streams', async () => {
  const { token } = await signedInPerson(app);
  const second = await createApp(app.dependencies);
  const ear = await listen(token, await second.listen({ port: 0, host: '127.0.0.1' }));
  await ear.next('hello');
  await second.close();
  await ear.ended();
});

test('a stream that is opened while the server stops ends at once', async () => {
  const hub = new StreamHub(app.dependencies, {
    notification: (one) => one,
    deployment: async () => undefined,
  });
  await hub.close();
  const stream = hub.open({ userId: randomUUID() as string as UserId, sessionId: randomUUID() })!;
  const text = await stream.toArray();
  expect(String(text)).toContain('hello');
  expect(hub.size).toBe(0);
});

test('a stream closes its connection, so that a shutdown does not wait for it', async () => {
  const { token } = await signedInPerson(app);
  const ended = new AbortController();
  const answer = await fetch(`${base}/api/stream/`, {
    headers: { authorization: `Bearer ${token}` },
    signal: ended.signal,
  });
  expect(answer.headers.get('connection')).toBe('close');
  ended.abort();
});

test('a client that does not read is dropped after a while or when too much is pending', async () => {
  const caller = { userId: randomUUID() as string as UserId, sessionId: randomUUID() };
  const begin = 1_000_000 as Instant;
  const later = (ms: number) => (begin + ms) as Instant;
  const silent = new Listener(caller, begin);
  silent.look(begin);
  silent.look(later(44_999));
  expect(silent.isOpen).toBe(true);
  silent.look(later(45_000));
  expect(silent.isOpen).toBe(false);
  const flooded = new Listener(caller, begin);
  for (let i = 0; i < 300; i++) flooded.send('mark', { text: 'x'.repeat(1_000) }, begin);
  expect(flooded.isOpen).toBe(false);
  const reading = new Listener(caller, begin);
  reading.stream.resume();
  for (let ms = 0; ms < 600_000; ms += 30_000) {
    await new Promise((resolve) => setImmediate(resolve));
    reading.look(later(ms));
  }
  expect(reading.isOpen).toBe(true);
  reading.look(later(600_000));
  expect(reading.isOpen).toBe(false);
});
