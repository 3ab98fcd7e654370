// The deployment detail poll: requests per second and p99 of GET /api/deployments/{id}/ through the whole server on a
// real database, next to a bare node:http server that returns the same bytes: once while nothing trades, once while
// every deployment is revalued each second. Only ratios within one run are meaningful.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { issueAccessToken } from '#server/identity/session/access-token.ts';
import { instant } from '#units/instant.ts';
import { type LoadResult, runLoad } from './load-generator.ts';
import { benchApp } from './bench-app.ts';
import { type BenchDatabase, onBenchDatabase } from './bench-database.ts';
import { benchKeys } from './bench-keys.ts';
import { fillDeployments, whileMarking } from './fill-deployments.ts';

const USERS = 200;
const DEPLOYMENTS_EACH = 5;
const CONNECTIONS = 64;
const ROUNDS = 3;
const SECONDS_A_ROUND = 4;

await onBenchDatabase(run);

async function run(database: BenchDatabase): Promise<void> {
  const { records, writer } = database;
  const now = () => instant(Date.now());
  const keys = await benchKeys(writer.database);
  const app = await benchApp({ records, keys, now });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const requests: string[] = [];
  for (const { userId, sessionId, deployments } of await fillDeployments(database, {
    people: USERS,
    deploymentsEach: DEPLOYMENTS_EACH,
  })) {
    const token = await issueAccessToken({ userId, sessionId }, keys.newest('access_token'), now());
    for (const id of deployments) requests.push(requestOf(`/api/deployments/${id}/`, token));
  }
  const sample = await fetch(`http://127.0.0.1:${portOf(app.server)}${requests[0]!.split(' ')[1]!}`, {
    headers: { authorization: /authorization: (.*)\r/.exec(requests[0]!)![1]! },
  });
  const body = Buffer.from(await sample.arrayBuffer());
  const bare = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
    response.end(body);
  });
  await new Promise<void>((resolve) => bare.listen(0, '127.0.0.1', resolve));

  await load(portOf(app.server), requests, 2);
  await load(portOf(bare), requests, 1);
  const rounds: { floor: LoadResult; quiet: LoadResult; marked: LoadResult }[] = [];
  for (let i = 0; i < ROUNDS; i++) {
    rounds.push({
      floor: await load(portOf(bare), requests, SECONDS_A_ROUND),
      quiet: await load(portOf(app.server), requests, SECONDS_A_ROUND),
      marked: await whileMarking({ pool: writer.pool, part: 'all' }, () =>
        load(portOf(app.server), requests, SECONDS_A_ROUND),
      ),
    });
  }
  const floor = median(rounds.map((round) => round.floor));
  const quiet = median(rounds.map((round) => round.quiet));
  const marked = median(rounds.map((round) => round.marked));
  console.log(`${requests.length} deployments, ${body.length} bytes each, ${CONNECTIONS} connections`);
  console.log(row('bare node:http', floor, floor));
  console.log(row('detail, quiet', quiet, floor));
  console.log(row('detail, marked 1/s', marked, floor));
  bare.close();
  await app.close();
}

function load(port: number, requests: readonly string[], seconds: number): Promise<LoadResult> {
  return runLoad({ port, requests, connections: CONNECTIONS, seconds });
}

function median(results: readonly LoadResult[]): LoadResult {
  return results.toSorted((left, right) => left.perSecond - right.perSecond)[Math.floor(results.length / 2)]!;
}

function row(name: string, { perSecond, p50Ms, p99Ms }: LoadResult, floor: LoadResult): string {
  const rate = Math.round(perSecond).toLocaleString('en-US').padStart(7);
  const ratio = (perSecond / floor.perSecond).toFixed(2);
  return `${name.padEnd(20)}${rate} requests/s  ${ratio} of bare  p50 ${p50Ms.toFixed(2)} ms  p99 ${p99Ms.toFixed(2)} ms`;
}

function portOf(listening: { address(): AddressInfo | string | null }): number {
  return (listening.address() as AddressInfo).port;
}

function requestOf(url: string, token: string): string {
  return `GET ${url} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${token}\r\n\r\n`;
}
