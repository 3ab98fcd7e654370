// `npm run bench -- streams`: the memory and processor time of the API while screens hold their streams of events open, with nothing to
// tell them but that they are there. The streams are opened by another process; both open a file for each.
import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { Keyring } from '#records/keys/keyring.ts';
import { issueAccessToken } from '#server/identity/session/access-token.ts';
import type { UserId } from '#units/identifiers.ts';
import { instant } from '#units/instant.ts';
import { benchApp } from './bench-app.ts';
import { type BenchDatabase, onBenchDatabase } from './bench-database.ts';
import { benchKeys } from './bench-keys.ts';
import { median } from './measure.ts';

const STEPS = [0, 1_000, 2_000, 4_000];
/** As many as a person may have. */
const STREAMS_EACH = 6;
const SETTLE_MS = 5_000;
const SAMPLES = 10;

export type StreamsWanted = { readonly port: number; readonly tokens: readonly string[] };

await onBenchDatabase(run);

async function run({ records, writer }: BenchDatabase): Promise<void> {
  const keys = await benchKeys(writer.database);
  const app = await benchApp({ records, keys });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const tokens = await signIn(writer.pool, keys, STEPS.at(-1)!);
  const client = fork(path.join(import.meta.dirname, 'streams-client.ts'));
  let open = 0;
  const seen: { readonly streams: number; readonly mib: number; readonly busy: number }[] = [];
  for (const streams of STEPS) {
    const wanted: StreamsWanted = { port, tokens: tokens.slice(open, streams) };
    client.send(wanted);
    await once(client, 'message');
    open = streams;
    seen.push({ streams, ...(await atRest()) });
  }
  client.disconnect();
  const [none] = seen;
  console.log('| open streams | memory, MiB | KiB a stream | processor, % of one |');
  console.log('|---|---|---|---|');
  for (const { streams, mib, busy } of seen) {
    const each = streams === 0 ? '' : (((mib - none!.mib) * 1024) / streams).toFixed(1);
    console.log(
      `| ${streams.toLocaleString('en-US')} | ${mib.toFixed(0)} | ${each} | ${(busy * 100).toFixed(1)} |`,
    );
  }
  await app.close();
}

/** The middle of ten seconds, after what was garbage is gone. */
async function atRest(): Promise<{ mib: number; busy: number }> {
  await sleep(SETTLE_MS);
  const mib: number[] = [];
  const busy: number[] = [];
  for (let n = 0; n < SAMPLES; n++) {
    globalThis.gc?.();
    const before = process.cpuUsage();
    const from = performance.now();
    await sleep(1_000);
    const { user, system } = process.cpuUsage(before);
    busy.push((user + system) / 1_000 / (performance.now() - from));
    mib.push(process.memoryUsage().rss / 2 ** 20);
  }
  return { mib: median(mib), busy: median(busy) };
}

async function signIn(pool: Pool, keys: Keyring, count: number): Promise<string[]> {
  const tokens: string[] = [];
  while (tokens.length < count) {
    const [userId, sessionId] = [randomUUID() as string as UserId, randomUUID()];
    await pool.query(
      `insert into users (id, email, password_hash, first_name) values ($1, $1::uuid::text, 'x', 'A')`,
      [userId],
    );
    await pool.query(
      `insert into sessions (id, user_id, remember, expires_at) values ($1, $2, false, now() + interval '1 day')`,
      [sessionId, userId],
    );
    const token = await issueAccessToken(
      { userId, sessionId },
      keys.newest('access_token'),
      instant(Date.now()),
    );
    for (let n = 0; n < STREAMS_EACH && tokens.length < count; n++) tokens.push(token);
  }
  return tokens;
}
