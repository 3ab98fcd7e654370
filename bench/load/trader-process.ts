// The product's trader on a stage of the load, with the vendor's published pacing on its own side too. It sends its parent what left when,
// what it asked of the broker and of the database, and what went wrong. STAGE names the file of its stage.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { PUBLISHED_RATE_LIMITS } from '#adapters/broker/interactive-brokers/config.ts';
import { sandboxFeed } from '#adapters/market-data/sandbox/sandbox-feed.ts';
import type { BrokerCredentials } from '#ports/broker.ts';
import { sharedRateLimiter } from '#records/brokerage/shared-rate-limiter.ts';
import { TRANSACTION_PATIENCE_MS } from '#records/operations/trading-shards.ts';
import { openDatabase } from '#records/postgres/database.ts';
import { createTrader } from '#trader/trader.ts';
import type { ClientOrderId } from '#units/identifiers.ts';
import { wallInstant } from '#units/wall-instant.ts';
import { NO_MODELS } from '../../tests/support/no-models.ts';
import { noting } from '../../tests/support/paced-trading.ts';
import { sandboxAdapter } from '../../tests/support/sandbox-adapter.ts';
import type { StageFile } from './stage.ts';
import { watchStatements } from '../watch-statements.ts';

/** What happened since the last report. */
export type TraderReport = {
  readonly left: readonly (readonly [order: ClientOrderId, at: number])[];
  readonly requests: Readonly<Record<string, number>>;
  readonly statements: Readonly<Record<string, number>>;
  readonly problems: readonly string[];
  readonly heapMib: number;
};

const STATEMENT_SHOWN = 160;
const stage = JSON.parse(readFileSync(process.env.STAGE!, 'utf8')) as StageFile;
const { address, keys, instruments, databaseUrl, credentials } = stage;
const left = new Map<ClientOrderId, number>();
const requests = new Map<string, number>();
const statements = new Map<string, number>();
let problems: string[] = [];

const count = (into: Map<string, number>, name: string) => into.set(name, (into.get(name) ?? 0) + 1);
watchStatements(countStatement);
const handle = openDatabase(databaseUrl, {
  onIdleError: () => undefined,
  patienceMs: TRANSACTION_PATIENCE_MS,
});
const note = (
  facts: { readonly err?: unknown; readonly error?: unknown; readonly execution?: unknown },
  message: string,
) =>
  void problems.push(
    `${message} ${String(facts.err ?? facts.error ?? '')} ${JSON.stringify(facts.execution) ?? ''}`,
  );
const adapter = sandboxAdapter({
  address,
  keys,
  instruments,
  config: {
    rateLimits: { ...PUBLISHED_RATE_LIMITS, requestsPerSecond: 7 },
    sharedLimiterOf: (userHash) => sharedRateLimiter(handle.database, { server: address, userHash }),
    websocketUrl: `${address.replace(/^http/, 'ws')}/v1/api/ws`,
    fetch: (input, init) => {
      const { pathname } = new URL(String(input));
      count(requests, `${init?.method ?? 'GET'} ${pathname.replace(/\/(\d+|[A-Z]+\d+)(?=\/|$)/g, '/…')}`);
      return fetch(input, init);
    },
  },
});
const trader = createTrader({
  handle,
  brokers: [noting(left, adapter)],
  marketData: sandboxFeed(address),
  models: NO_MODELS,
  openCredentials: ({ id }) => credentials[id] as BrokerCredentials<never>,
  logger: { info: () => undefined, warn: note, error: note },
  newId: randomUUID,
  realNow: () => wallInstant(Date.now()),
});
const stopping = new AbortController();
process.on('message', (message) => {
  if (message === 'stop') stopping.abort();
  if (message === 'report') report();
});
await trader.run(stopping.signal);
report();
await handle.close();
process.disconnect();

function report(): void {
  const said: TraderReport = {
    left: [...left],
    requests: Object.fromEntries(requests),
    statements: Object.fromEntries(statements),
    problems,
    heapMib: process.memoryUsage().heapUsed / 1_048_576,
  };
  for (const counted of [left, requests, statements]) counted.clear();
  problems = [];
  process.send!(said);
}

/** By their text, without what differs from one to the next. */
function countStatement(asked: unknown): void {
  const text = typeof asked === 'string' ? asked : ((asked as { text?: string })?.text ?? 'copy');
  count(statements, text.replace(/\s+/g, ' ').slice(0, STATEMENT_SHOWN));
}
