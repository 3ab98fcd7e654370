// `npm run bench -- streams`: the memory and processor time of the API while people hold their streams of events open, one each, with two
// deployments that hold shares: while nothing happens, and while an eighth of all deployments is revalued each second. The streams are
// opened by another process; both open a file for each.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { issueAccessToken } from '#server/identity/session/access-token.ts';
import { instant } from '#units/instant.ts';
import { benchApp } from './bench-app.ts';
import { type BenchDatabase, onBenchDatabase } from './bench-database.ts';
import { benchKeys } from './bench-keys.ts';
import { fillDeployments, whileMarking } from './fill-deployments.ts';
import { parentOf, usageOf } from './load/processes.ts';

const STEPS = [0, 1_000, 2_000, 4_000];
const DEPLOYMENTS_EACH = 2;
const SETTLE_MS = 5_000;
const WATCHED_MS = 10_000;

export type StreamsWanted = { readonly port: number; readonly tokens: readonly string[] };

await onBenchDatabase(run);

async function run(database: BenchDatabase): Promise<void> {
  const { records, writer } = database;
  const keys = await benchKeys(writer.database);
  const app = await benchApp({ records, keys });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const people = await fillDeployments(database, {
    people: STEPS.at(-1)!,
    deploymentsEach: DEPLOYMENTS_EACH,
  });
  const tokens = await Promise.all(
    people.map((one) => issueAccessToken(one, keys.newest('access_token'), instant(Date.now()))),
  );
  const { rows } = await writer.pool.query<{ pid: number }>('select pg_backend_pid() as pid');
  const postgres = parentOf(rows[0]!.pid);
  const client = fork(path.join(import.meta.dirname, 'streams-client.ts'));
  let open = 0;
  const seen: {
    readonly streams: number;
    readonly mib: number;
    readonly quiet: Busy;
    readonly marked: Busy;
  }[] = [];
  for (const streams of STEPS) {
    const wanted: StreamsWanted = { port, tokens: tokens.slice(open, streams) };
    client.send(wanted);
    await once(client, 'message');
    open = streams;
    const { mib, ...quiet } = await watch(postgres);
    const marked = await whileMarking({ pool: writer.pool, part: 'eighth' }, () => watch(postgres));
    seen.push({ streams, mib, quiet, marked });
  }
  client.disconnect();
  const [none] = seen;
  console.log(
    '| open streams | memory, MiB | KiB a stream | processor of API / PostgreSQL, % of one | while an eighth of the deployments is marked each second |',
  );
  console.log('|---|---|---|---|---|');
  for (const { streams, mib, quiet, marked } of seen) {
    const each = streams === 0 ? '' : (((mib - none!.mib) * 1024) / streams).toFixed(1);
    console.log(
      `| ${streams.toLocaleString('en-US')} | ${mib.toFixed(0)} | ${each} | ${shown(quiet)} | ${shown(marked)} |`,
    );
  }
  await app.close();
}

/** Of one processor, in a hundred. */
type Busy = { readonly api: number; readonly postgres: number };

/** Over ten seconds. Memory is what is left when the garbage is gone. */
async function watch(postgres: number): Promise<Busy & { readonly mib: number }> {
  await sleep(SETTLE_MS);
  const [api, database] = [process.cpuUsage(), usageOf(postgres).cpuMs];
  await sleep(WATCHED_MS);
  const { user, system } = process.cpuUsage(api);
  const busy = {
    api: (user + system) / 10 / WATCHED_MS,
    postgres: ((usageOf(postgres).cpuMs - database) / WATCHED_MS) * 100,
  };
  globalThis.gc?.();
  return { ...busy, mib: process.memoryUsage().rss / 2 ** 20 };
}

function shown({ api, postgres }: Busy): string {
  return `${api.toFixed(1)} / ${postgres.toFixed(1)}`;
}
