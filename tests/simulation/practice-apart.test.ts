import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { saveInstruments } from '#records/market/instruments.ts';
import { scriptedMarket } from '../support/scripted-market.ts';
import { testDatabase } from '../support/test-database.ts';
import { insertDeployment, insertPerson, insertStrategy } from '../support/trading-rows.ts';
import { BOTH_ABOVE_30 } from '../support/trading-world.ts';
import { practiceCashDiffers, practiceMeetsReal } from './practice-apart.ts';
import { openPracticeSide } from './practice-side.ts';
import type { World } from './world.ts';

// What the mixed worlds would say if practice and what is real met.
const records = await testDatabase();
const { database, pool } = records;
const market = scriptedMarket();
await saveInstruments(database, market.instruments, 'sandbox');
const rows = { database, pool, newId: randomUUID, now: market.now };
const sentToBrokers: string[] = [];
const world = { records, sentToBrokers, practices: [] } as unknown as World;

const person = await insertPerson(rows);
const versionId = await insertStrategy(rows, BOTH_ABOVE_30);
const practice = await openPracticeSide({
  rows,
  feed: market.feed,
  prices: { instruments: market.instruments, quote: () => null, dailyBars: () => [] },
  credentials: new Map(),
}).deploy(person, { versionId, investment: 5_000, stopLoss: 0, maxAllocation: 0, freeze: 0 });
const real = await insertDeployment(rows, versionId, { person });

async function sendOrder(deployment: string, clientOrderId: string): Promise<void> {
  await pool.query(
    `insert into orders (id, deployment_id, broker_connection_id, client_order_id, cause, purpose, attempt, symbol, side,
       quantity, limit_price, reference_price, status, decided_at, sent_at)
     select $3, id, broker_connection_id, $2, 'x', 'rebalance', 1, 'AAA', 'buy', 1, 1, 1, 'working', now(), now()
     from deployments where id = $1`,
    [deployment, clientOrderId, randomUUID()],
  );
}

test('an order of practice at a broker, one of a broker on practice, a bill and other cash are each told', async () => {
  await sendOrder(practice, 'of-practice');
  await sendOrder(real, 'of-real');
  sentToBrokers.push(JSON.stringify({ orders: [{ cOID: 'of-real' }] }));
  expect([...(await practiceMeetsReal(world)), ...(await practiceCashDiffers(world))]).toEqual([]);

  sentToBrokers.push(JSON.stringify({ client_order_id: 'of-practice' }));
  await pool.query(
    `insert into practice_orders (account_id, broker_order_id, client_order_id, symbol, side, quantity, limit_price, status,
       submitted_at, expires_at, changed_at)
     select account_id, 'x', 'of-real', 'AAA', 'buy', 1, 1, 'working', now(), now(), now() from practice_accounts`,
  );
  await pool.query('update deployments set billed_through = now() where id = $1', [practice]);
  expect(await practiceMeetsReal(world)).toEqual([
    'practice order of-practice was sent to a real broker',
    'real order of-real is at the practice venue',
    `practice deployment ${practice} is billed`,
  ]);
  await pool.query('update practice_accounts set cash_micro = cash_micro - 1');
  expect(await practiceCashDiffers(world)).toEqual([
    `practice ${practice} has 5000000000 in the books and 4999999999 at the venue`,
  ]);
});
