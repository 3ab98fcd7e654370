// A trader as a separate process, for tests that kill and stop it: DATABASE_URL names its database. Its broker is a table
// of the test, `submissions`, with one row per order sent; the market does not move.
import { randomUUID } from 'node:crypto';
import { openDatabase } from '#records/postgres/database.ts';
import type { BrokerSession } from '../../src/ports/broker.ts';
import { TRANSACTION_PATIENCE_MS } from '#records/operations/trading-shards.ts';
import { createTrader } from '../../src/trader/trader.ts';
import { wallInstant } from '../../src/units/wall-instant.ts';
import { NO_MODELS } from './no-models.ts';
import { scriptedMarket } from './scripted-market.ts';
import { scriptedVenue } from './scripted-venue.ts';

const handle = openDatabase(process.env.DATABASE_URL!, {
  onIdleError: () => undefined,
  patienceMs: TRANSACTION_PATIENCE_MS,
});
const market = scriptedMarket();
market.closeDay();
const venue = scriptedVenue(market);
const opened = await venue.broker.openSession({});
if (opened.outcome !== 'ok') throw new Error(opened.reason);
const session: BrokerSession = {
  ...opened.value,
  orders: async () => ({ outcome: 'ok', value: [], unread: [] }),
  async submitOrder(accountId, order) {
    await handle.pool.query(
      'insert into submissions (client_order_id, account_id, process) values ($1, $2, $3)',
      [order.clientOrderId, accountId, process.pid],
    );
    return { outcome: 'accepted', brokerOrderId: order.clientOrderId };
  },
};
const say = (_: object, message: string) => process.stderr.write(`${message}\n`);
const trader = createTrader({
  handle,
  brokers: [{ ...venue.broker, openSession: async () => ({ outcome: 'ok', value: session }) }],
  marketData: market.feed,
  models: NO_MODELS,
  openCredentials: () => ({}),
  logger: { info: () => undefined, warn: say, error: say },
  newId: randomUUID,
  realNow: () => wallInstant(Date.now()),
});
const stopping = new AbortController();
process.on('SIGTERM', () => stopping.abort());
process.stdout.write('trading\n');
await trader.run(stopping.signal);
await handle.close();
