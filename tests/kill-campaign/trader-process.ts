// The production trader as a separate process, for campaigns that kill and stop it: the real adapter, the real feed.
// STAGE names a file with the addresses of everything around it.
import type { BrokerCredentials } from '#ports/broker.ts';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { sandboxFeed } from '../../src/adapters/market-data/sandbox/sandbox-feed.ts';
import { openDatabase } from '#records/postgres/database.ts';
import { TRANSACTION_PATIENCE_MS } from '#records/operations/trading-shards.ts';
import { createTrader } from '../../src/trader/trader.ts';
import { wallInstant } from '../../src/units/wall-instant.ts';
import { NO_MODELS } from '../support/no-models.ts';
import { sandboxAdapter } from '../support/sandbox-adapter.ts';
import type { StageFile } from './stage.ts';

// A killed process leaves no compiled code to the next one unless it is written at once.
flushCompileCache();

const stage = JSON.parse(readFileSync(process.env.STAGE!, 'utf8')) as StageFile;
const { address, keys, instruments, databaseUrl, credentials } = stage;
const handle = openDatabase(databaseUrl, {
  poolSize: 8,
  onIdleError: () => undefined,
  patienceMs: TRANSACTION_PATIENCE_MS,
});
const quiet = () => undefined;
const trader = createTrader({
  handle,
  brokers: [{ ...sandboxAdapter({ address, keys, instruments }), vendor: 'scripted' }],
  marketData: sandboxFeed(address),
  models: NO_MODELS,
  openCredentials: ({ id }) => credentials[id] as BrokerCredentials<never>,
  logger: { info: quiet, warn: quiet, error: quiet },
  newId: randomUUID,
  realNow: () => wallInstant(Date.now()),
});
const stopping = new AbortController();
process.on('SIGTERM', () => stopping.abort());
await trader.run(stopping.signal);
await handle.close();
process.exit(0);
