// A line of the log about an order names the order, its deployment and its target; one about a deployment names that. No line holds
// what opens anything.
import path from 'node:path';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { LOG_OPTIONS } from '#server/http/log-options.ts';
import { testDatabase } from '#tests/support/test-database.ts';
import { BOTH_ABOVE_30, tradingWorld } from '#tests/support/trading-world.ts';
import { readHouse } from '../scripts/house/read-house.ts';

test('an order whose fate is unknown is found in the log by its ids', async () => {
  const records = await testDatabase();
  const world = await tradingWorld(records);
  const deployment = await world.deploy(await world.addStrategy(BOTH_ABOVE_30), { account: 'DU1' });
  world.venue.faults.push('lost, not accepted', 'lost, not accepted');
  world.market.closeDay();
  await world.runTicks();
  const { rows } = await records.pool.query<{ id: string; client_order_id: string; target_id: string }>(
    'select id, client_order_id, target_id from orders order by symbol',
  );
  const told = world.logged.filter(({ message }) => message.includes('the fate of an order is unknown'));
  expect(told.map(({ facts }) => facts)).toEqual(
    rows.map(({ id, client_order_id, target_id }) =>
      expect.objectContaining({
        orderId: id,
        clientOrderId: client_order_id,
        deploymentId: deployment,
        targetId: target_id,
      }),
    ),
  );
  await world.trader.close();
});

/** Calls of the logger in the trader whose message is about an order of ours. */
const aboutOrders = (text: string) =>
  [
    ...text.matchAll(
      /logger\.(?:warn|error|info)\(([^;]*?'trader: [^']*\b(?:an order|the fate|cancellation)\b[^']*')/gs,
    ),
  ].map(([, call]) => call!);

test('each line about an order of ours has its ids', () => {
  const calls = readHouse(path.resolve(import.meta.dirname, '..'))
    .filter(({ file }) => file.startsWith('src/trader/') && !file.endsWith('.test.ts'))
    .flatMap(({ file, text }) => aboutOrders(text).map((call) => ({ file, call })));
  expect(calls.length).toBeGreaterThanOrEqual(5);
  expect(
    calls.filter(({ call }) => !call.includes('orderFacts(') && !/no order of ours|is nobody’s/.test(call)),
  ).toEqual([]);
  expect(aboutOrders("logger.warn({ a }, 'trader: an order is lost');")).toHaveLength(1);
});

test('a key, a token and a password are blacked out wherever they are logged', () => {
  let written = '';
  const logger = pino(
    { ...LOG_OPTIONS },
    new Writable({
      write(chunk: Buffer, _encoding, done) {
        written += chunk.toString();
        done();
      },
    }),
  );
  const secret = 'what-opens-it';
  logger.warn(
    {
      orderId: 'an-order',
      session: { token: secret, refresh: secret, password: secret, authorization: secret },
    },
    'a line',
  );
  expect(written).toContain('an-order');
  expect(written).not.toContain(secret);
});
