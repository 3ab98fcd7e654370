// What is seen from outside while hosts are lost: a client's writes by the proxy and what they read back, a stream to a browser, and in
// the database how long any shard of trading went without its trader.
import { setTimeout as sleep } from 'node:timers/promises';
import type { DatabaseHandle } from '#records/postgres/database.ts';
import { SHARDS } from '#records/operations/trading-shards.ts';
import { INVESTOR_PASSWORD } from '../support/investor.ts';

export type Seen = {
  /** The longest time without an acknowledged write of a client, without a turn of trading, and without a word on the stream. */
  readonly writesMs: number;
  readonly tradingMs: number;
  readonly streamMs: number;
};

export type Watch = {
  /** Since the last call. */
  seen(): Seen;
  /** What does not go on: clients' writes, trading. */
  standing(): readonly string[];
  /** Answers by what they said. */
  readonly answers: ReadonlyMap<string, number>;
  /** Acknowledged writes that were gone when the client looked, and answers that no one could act on. */
  readonly untrue: readonly string[];
  stop(): Promise<void>;
};

type Place = { readonly baseUrl: string; readonly email: string; readonly records: DatabaseHandle };

const FRESH_MS = 5_000;
/** A renewal is due every three seconds. */
const RENEWED_MS = 7_000;
const SHARDS_WITH_MARKET = SHARDS + 1;

export function watchCluster({ baseUrl, email, records }: Place): Watch {
  const stopping = new AbortController();
  const answers = new Map<string, number>();
  const untrue: string[] = [];
  const writes = stopwatch();
  const stream = stopwatch();
  const trading = new Map<number, { readonly mark: string; readonly watch: Stopwatch }>();
  const count = (answer: string) => answers.set(answer, (answers.get(answer) ?? 0) + 1);
  const client = { baseUrl, email, token: '', sent: 0, acknowledged: 0 };
  const running = [
    repeat(stopping.signal, 300, () => writeAndRead(client, { count, untrue, wrote: writes.tick })),
    repeat(stopping.signal, 500, () => readStream(client, stopping.signal, stream.tick)),
    repeat(stopping.signal, 250, () => lookAtShards(records, trading)),
  ];
  const shards = () => [...trading.values()].map(({ watch }) => watch);
  return {
    answers,
    untrue,
    seen: () => ({
      writesMs: writes.longest(),
      streamMs: stream.longest(),
      tradingMs: Math.max(0, ...shards().map((watch) => watch.longest())),
    }),
    standing: () => [
      ...(writes.since() < FRESH_MS ? [] : ['writes']),
      ...(trading.size === SHARDS_WITH_MARKET && shards().every((one) => one.since() < RENEWED_MS)
        ? []
        : ['trading']),
    ],
    async stop() {
      stopping.abort();
      await Promise.all(running);
    },
  };
}

type Stopwatch = { tick(): void; since(): number; longest(): number };

/** The longest time between two ticks since it was last asked. */
function stopwatch(): Stopwatch {
  let last = performance.now();
  let longest = 0;
  const since = () => performance.now() - last;
  return {
    tick() {
      longest = Math.max(longest, since());
      last = performance.now();
    },
    since,
    longest() {
      const found = Math.max(longest, since());
      longest = 0;
      return found;
    },
  };
}

async function repeat(signal: AbortSignal, everyMs: number, work: () => Promise<void>): Promise<void> {
  while (!signal.aborted) {
    await work().catch(() => undefined);
    await sleep(everyMs, undefined, { signal }).catch(() => undefined);
  }
}

/** Every renewal changes when the lease ends; whose it is does not matter. */
async function lookAtShards(
  { pool }: DatabaseHandle,
  trading: Map<number, { readonly mark: string; readonly watch: Stopwatch }>,
): Promise<void> {
  const { rows } = await pool.query<{ shard: number; mark: string }>(
    `select shard, fence || ' ' || expires_at as mark from trading_shards where holder is not null`,
  );
  for (const { shard, mark } of rows) {
    const known = trading.get(shard);
    if (known?.mark === mark) continue;
    const watch = known?.watch ?? stopwatch();
    watch.tick();
    trading.set(shard, { mark, watch });
  }
}

/** `sent` counts values, and `acknowledged` is the last that was answered; the fate of those between is unknown. */
type Client = {
  readonly baseUrl: string;
  readonly email: string;
  token: string;
  sent: number;
  acknowledged: number;
};
type Notes = { count(answer: string): void; readonly untrue: string[]; wrote(): void };

async function writeAndRead(client: Client, { count, untrue, wrote }: Notes): Promise<void> {
  if (client.token === '') return signIn(client, count);
  client.sent += 1;
  const number = client.sent;
  const written = await send(client, 'PATCH', '/api/auth/me/', { last_name: `Number ${number}` });
  note(written, 'write', { count, untrue });
  if (written.status === 401) client.token = '';
  if (written.status === 200) {
    client.acknowledged = number;
    wrote();
  }
  const read = await send(client, 'GET', '/api/auth/me/');
  note(read, 'read', { count, untrue });
  if (read.status !== 200) return;
  const found = Number(
    /Number (\d+)/.exec(String((read.body as { last_name?: string }).last_name))?.[1] ?? 0,
  );
  if (found < client.acknowledged)
    untrue.push(`a client's write ${client.acknowledged} was acknowledged, and ${found} was read after it`);
}

async function signIn(client: Client, count: Notes['count']): Promise<void> {
  const { email } = client;
  const answer = await send(client, 'POST', '/api/auth/login/', { email, password: INVESTOR_PASSWORD });
  count(`sign-in: ${answer.status}`);
  if (answer.status === 200) client.token = (answer.body as { token: string }).token;
}

/** Answers that say what is the case: done, not available, or that there is no connection. */
function note(
  { status, body }: Answer,
  what: string,
  { count, untrue }: Pick<Notes, 'count' | 'untrue'>,
): void {
  const code = (body as { readonly code?: string } | null)?.code;
  count(
    status === 0 ? `${what}: no connection` : `${what}: ${status}${code === undefined ? '' : ` ${code}`}`,
  );
  const isTrue = [0, 200, 401, 502, 503, 504].includes(status);
  if (!isTrue) untrue.push(`a ${what} was answered with ${status} ${JSON.stringify(body).slice(0, 200)}`);
}

type Answer = { readonly status: number; readonly body: unknown };

/** Status 0: no answer came. */
async function send(
  { baseUrl, token }: Client,
  method: string,
  path: string,
  body?: object,
): Promise<Answer> {
  try {
    const answer = await fetch(`${baseUrl}${path}`, {
      method,
      headers: {
        ...(body && { 'content-type': 'application/json' }),
        ...(token !== '' && { authorization: `Bearer ${token}` }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(25_000),
    });
    const text = await answer.text();
    return { status: answer.status, body: text.startsWith('{') ? (JSON.parse(text) as object) : null };
  } catch {
    return { status: 0, body: null };
  }
}

async function readStream({ baseUrl, token }: Client, signal: AbortSignal, tick: () => void): Promise<void> {
  if (token === '') return;
  const answer = await fetch(`${baseUrl}/api/stream/`, {
    headers: { authorization: `Bearer ${token}` },
    signal,
  });
  if (!answer.ok || answer.body === null) return;
  for await (const _ of answer.body) tick();
}
