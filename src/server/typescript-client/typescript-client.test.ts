// The client that the server hands out, against that server over a real socket.
import { expect, test } from 'vitest';
import { instant } from '#units/instant.ts';
import { apiKeyOf } from '#tests/support/api-key.ts';
import { testApp } from '#tests/support/test-app.ts';
import { readyPerson } from '#tests/support/test-person.ts';
import { publishedStrategy } from '#tests/support/test-strategy.ts';
import { DRAFT, listInstruments } from '#tests/api/scene.ts';
import { clientFolder } from '#tests/support/typescript-client.ts';
import { newWebhookSecret, signatureHeaders } from '../webhooks/webhook-secrets.ts';
import type { ClientSettings, readWebhook as ReadWebhook } from './client-runtime.ts';

const app = await testApp();
const base = await app.app.listen({ port: 0, host: '127.0.0.1' });
const handedOut = await fetch(new URL('/api/client.ts', base));
const text = await handedOut.text();
const folder = clientFolder(text);

// oxlint-disable-next-line typescript/no-explicit-any
type AnyCall = (request?: object) => Promise<any>;
type Client = Readonly<Record<string, AnyCall>>;
const { createBellwether, isRefused, readWebhook, Unanswered } = await folder.load<{
  createBellwether: (settings: Partial<ClientSettings>) => Client;
  isRefused: (error: unknown, call: string) => boolean;
  readWebhook: typeof ReadWebhook;
  Unanswered: new () => Error;
}>('bellwether.ts');

const LIMITS = { stop_loss_percentage: 10, max_allocation_per_trade: 20, freeze_on_drawdown: 25 };
const terms = (strategy: string) => ({ strategy, investment_amount: 10_000, ...LIMITS });
const wait = () => Promise.resolve();

test('the strictest compiler has nothing against it, and it imports nothing', { timeout: 60_000 }, () => {
  expect(folder.check('bellwether.ts')).toBe('');
  expect(text).not.toMatch(/^\s*import |require\(/m);
});

test('the types refuse what the API would', { timeout: 60_000 }, () => {
  folder.write(
    'wrong.ts',
    `import { createBellwether, isRefused } from './bellwether.ts';
const bellwether = createBellwether({ key: 'bwk_' });
await bellwether.getDeployment({ params: { it: 'a' } });
await bellwether.createPracticeDeployment({ body: { strategy: 'a' } });
await bellwether.listStrategies({ query: { risk_level: 'none' } });
await bellwether.noSuchCall();
const name: number = (await bellwether.getStrategy({ params: { id: 'a' } })).name;
try { console.log(name); } catch (error) {
  if (isRefused(error, 'listStrategies') && error.code === 'unsuitable') console.log();
}
`,
  );
  const lines = [...folder.check('wrong.ts').matchAll(/^wrong\.ts\((\d+),/gm)].map(([, line]) =>
    Number(line),
  );
  expect(lines).toEqual([3, 4, 5, 6, 7, 9]);
});

test('every call of the description is in it, with its method and its path', async () => {
  const document = (await (await fetch(new URL('/api/openapi.json', base))).json()) as {
    paths: Record<string, Record<string, { operationId: string; responses: object }>>;
  };
  const described = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => ({ name: operationId, method, path })),
  );
  expect(Object.keys(createBellwether({ key: 'none' })).toSorted()).toEqual(
    described.map(({ name }) => name).toSorted(),
  );
  const sent: string[] = [];
  const record = (url: string | URL | Request, init?: RequestInit) => {
    sent.push(`${init?.method?.toLowerCase()} ${decodeURIComponent(new URL(String(url)).pathname)}`);
    return Promise.resolve(new Response('{"code":"not_found","message":"No."}', { status: 404 }));
  };
  const client = createBellwether({ url: base, key: 'none', fetch: record as typeof fetch });
  for (const { name, path } of described) {
    const params = Object.fromEntries([...path.matchAll(/\{(\w+)\}/g)].map(([part, key]) => [key, part]));
    await expect(client[name]!({ params, body: {} })).rejects.toMatchObject({
      call: name,
      code: 'not_found',
    });
  }
  expect(sent).toEqual(described.map(({ method, path }) => `${method} ${path}`));
});

test('from the installation itself: as a file to save, with its own address in it', () => {
  expect(handedOut.headers.get('content-disposition')).toBe('attachment; filename="bellwether.ts"');
  expect(text).toContain(app.dependencies.config.publicUrl);
});

test('it reads, practises, and gets refusals that say why', async () => {
  const strategy = await publishedStrategy(app, { name: 'Calm Trend' });
  const person = await readyPerson(app);
  const key = await apiKeyOf(app, person.token, {});
  const client = createBellwether({ url: base, key });
  const found = await client['listStrategies']!({ query: { search: 'calm' } });
  expect(found.map(({ id }: { id: string }) => id)).toContain(strategy);
  const made = await client['createPracticeDeployment']!({ body: terms(strategy) });
  expect(await client['getDeployment']!({ params: { id: made.id } })).toMatchObject({
    strategy,
    mode: 'practice',
  });
  expect(await client['downloadDeploymentTrades']!({ params: { id: made.id } })).toMatch(/^.+,/);

  const real = { ...terms(strategy), broker_connection: person.connectionId };
  const waits = await client['createDeployment']!({ body: real }).catch((error: unknown) => error);
  expect(isRefused(waits, 'createDeployment')).toBe(true);
  expect(isRefused(waits, 'listStrategies')).toBe(false);
  expect(waits).toMatchObject({
    code: 'approval_required',
    status: 403,
    details: { act: expect.any(String) },
  });
  await expect(client['changePassword']!({ body: {} })).rejects.toMatchObject({ code: 'key_refused' });
  await expect(
    client['createPracticeDeployment']!({ body: { ...terms(strategy), stop_loss_percentage: 'much' } }),
  ).rejects.toMatchObject({ code: 'invalid_field', field: 'stop_loss_percentage' });
  await expect(client['getDeployment']!({ params: { id: '..' } })).rejects.toThrow(TypeError);
  const nobody = createBellwether({ url: base, key: 'bwk_wrong' });
  await expect(nobody['listDeployments']!()).rejects.toMatchObject({ code: 'unauthenticated' });
});

test('a form with a picture arrives, and a file that is no text comes as it is', async () => {
  const person = await readyPerson(app);
  const client = createBellwether({ url: base, key: await apiKeyOf(app, person.token, {}) });
  await listInstruments(app);
  const thumbnail = new Blob(['no picture'], { type: 'image/png' });
  const draft = await client['createStrategy']!({ body: DRAFT });
  expect(await client['listStrategyDrafts']!()).toMatchObject([{ id: draft.id, name: DRAFT.name }]);
  await expect(client['createStrategy']!({ body: { ...DRAFT, thumbnail } })).rejects.toMatchObject({
    code: 'image_invalid',
  });
  const bytes = new Uint8Array([0x25, 0xff, 0]);
  const files = createBellwether({ url: base, key: 'k', fetch: () => Promise.resolve(new Response(bytes)) });
  const file = (await files['downloadFeeStatement']!({ params: { id: 'a' } })) as Blob;
  expect(new Uint8Array(await file.arrayBuffer())).toEqual(bytes);
});

test('an act whose answer is lost is done once, and a key of your own repeats it after a crash', async () => {
  const strategy = await publishedStrategy(app);
  const person = await readyPerson(app);
  const key = await apiKeyOf(app, person.token, {});
  let answers = 0;
  const losing: typeof fetch = async (url, init) => {
    const response = await fetch(url, init);
    answers += 1;
    if (answers > 1) return response;
    await response.text();
    throw new TypeError('the connection was closed');
  };
  const client = createBellwether({ url: base, key, fetch: losing, wait });
  const idempotencyKey = 'practise-calm';
  const made = await client['createPracticeDeployment']!({ body: terms(strategy), idempotencyKey });
  expect(answers).toBe(2);
  const again = createBellwether({ url: base, key });
  expect(await again['createPracticeDeployment']!({ body: terms(strategy), idempotencyKey })).toEqual(made);
  expect(await again['listDeployments']!()).toHaveLength(1);
});

test('reads are repeated, as the API asks; an act without a key is not', async () => {
  const script = (...answers: (() => Response)[]) => {
    const sent: (RequestInit | undefined)[] = [];
    const waits: number[] = [];
    const client = createBellwether({
      url: base,
      key: 'k',
      fetch: (_, init) => {
        sent.push(init);
        return Promise.resolve((answers.shift() ?? (() => Response.error()))());
      },
      wait: (ms) => Promise.resolve(void waits.push(ms)),
    });
    return { client, sent, waits };
  };
  const refusal = (status: number, code: string, retryAfter?: string) => () =>
    Response.json(
      { code, message: 'A sentence.' },
      { status, headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter } },
    );
  const proxy = () => new Response('<h1>Bad gateway</h1>', { status: 502 });
  const read = script(proxy, refusal(429, 'too_many_requests', '7'), () => Response.json([]));
  expect(await read.client['listDeployments']!()).toEqual([]);
  expect(read.waits[1]).toBe(7000);

  const far = script(refusal(429, 'too_many_requests', '3600'));
  await expect(far.client['listDeployments']!()).rejects.toMatchObject({ retryAfterMs: 3_600_000 });

  const act = script(proxy);
  const lost = await act.client['watchStrategy']!({ params: { id: 'a' } }).catch((error: unknown) => error);
  expect(lost).toBeInstanceOf(Unanswered);
  expect([act.sent.length, (lost as Error).message]).toEqual([
    1,
    'watchStrategy got no answer in 1 attempt. It may have been done.',
  ]);

  // The lost attempt of a keyed act may still be running: its repeat waits until that ends.
  const running = refusal(409, 'idempotency_conflict');
  const keyed = script(proxy, running, () => Response.json({ id: 'd' }, { status: 201 }));
  expect(await keyed.client['createPracticeDeployment']!({ body: {} })).toEqual({ id: 'd' });
  const keys = keyed.sent.map((init) => (init!.headers as Record<string, string>)['idempotency-key']);
  expect([keys.length, new Set(keys).size, keys[0]!.length]).toEqual([3, 1, 36]);
  const other = script(running);
  await expect(other.client['createPracticeDeployment']!({ body: {} })).rejects.toMatchObject({
    code: 'idempotency_conflict',
  });

  const dead = script();
  await expect(dead.client['createPracticeDeployment']!({ body: {} })).rejects.toMatchObject({
    attempts: 4,
    idempotencyKey: expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
});

test('a signal ends a call, also between two attempts', async () => {
  const ending = new AbortController();
  const reason = new Error('enough');
  let attempts = 0;
  const client = createBellwether({
    url: base,
    key: 'k',
    fetch: () => {
      attempts += 1;
      setTimeout(() => ending.abort(reason));
      return Promise.resolve(
        Response.json(
          { code: 'unavailable', message: 'Later.' },
          { status: 503, headers: { 'retry-after': '59' } },
        ),
      );
    },
  });
  await expect(client['listDeployments']!({ signal: ending.signal })).rejects.toBe(reason);
  expect(attempts).toBe(1);
});

test('a delivery is read when it is ours, and nobody else’s', async () => {
  const at = instant(Date.UTC(2026, 0, 5, 15));
  const [newest, former] = [newWebhookSecret(), newWebhookSecret()];
  const body = '{"type":"paused","timestamp":"2026-01-05T15:00:00.000Z","data":{}}';
  const headers = signatureHeaders({ id: 'a', at, body }, [newest, former]);
  for (const secret of [newest, former])
    expect(await readWebhook({ secret, headers, body, nowMs: at + 60_000 })).toMatchObject({
      type: 'paused',
    });
  expect(
    await readWebhook({ secret: newest, headers: new Headers(headers), body, nowMs: at }),
  ).not.toBeNull();
  const wrong = [
    { secret: newWebhookSecret(), headers, body, nowMs: at },
    { secret: newest, headers, body: `${body} `, nowMs: at },
    { secret: newest, headers, body, nowMs: at + 301_000 },
    { secret: newest, headers, body, nowMs: at - 301_000 },
    { secret: newest, headers: {}, body, nowMs: at },
    { secret: newest, headers: { ...headers, 'webhook-timestamp': 'soon' }, body, nowMs: at },
    { secret: newest, headers: { ...headers, 'webhook-signature': 'v1,§' }, body, nowMs: at },
  ];
  for (const delivered of wrong) expect(await readWebhook(delivered)).toBeNull();
});
