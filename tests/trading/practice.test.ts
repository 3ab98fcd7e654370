// Practice behind the trader: the same decisions, orders, books and statements, and no broker anywhere.
import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { practice } from '#adapters/broker/practice/practice.ts';
import { nextTradingDay } from '#engine/market/calendar.ts';
import type { BrokerCredentials } from '#ports/broker.ts';
import type { OpenCredentials } from '#ports/brokers.ts';
import { createDeployment } from '#records/deployments/deployments.ts';
import { saveInstruments } from '#records/market/instruments.ts';
import { openingPosting, postTransaction } from '#records/portfolio/ledger.ts';
import { practiceStore } from '#records/practice/practice-accounts.ts';
import { connectPractice } from '#records/practice/practice-connections.ts';
import { NO_MODELS } from '#tests/support/no-models.ts';
import { scriptedMarket } from '#tests/support/scripted-market.ts';
import { testDatabase } from '#tests/support/test-database.ts';
import { insertPerson, insertStrategy } from '#tests/support/trading-rows.ts';
import { BOTH_ABOVE_30 } from '#tests/support/trading-world.ts';
import { billAllDue } from '#trader/fees/bill-fees.ts';
import { checkRecords } from '#trader/invariants/check-invariants.ts';
import { createTrader } from '#trader/trader.ts';
import type {
  BrokerConnectionId,
  DeploymentId,
  StrategyId,
  StrategyVersionId,
  Symbol,
  UserId,
} from '#units/identifiers.ts';
import { DAY_MS, instant, utcDate } from '#units/instant.ts';
import { toMicro } from '#units/money.ts';
import { wallInstant } from '#units/wall-instant.ts';

const handle = await testDatabase();
const { database, pool } = handle;
const market = scriptedMarket();
market.spoil = (bar) => ({ ...bar, volume: 1_000_000 });
await saveInstruments(database, market.instruments, 'sandbox');
const venue = practice({
  store: practiceStore(database),
  feed: market.feed,
  findInstrument: (symbol) => market.instruments.find((one) => one.symbol === symbol) ?? null,
});
const credentials = new Map<string, BrokerCredentials>();
const problems: string[] = [];
let real = 1_000_000;
const log = (level: string) => (_: object, message: string) => {
  if (level !== 'info') problems.push(message);
};
const openTrader = () =>
  createTrader({
    handle: { ...handle, close: () => Promise.resolve() },
    brokers: [venue],
    marketData: market.feed,
    models: NO_MODELS,
    openCredentials: (({ id }: { id: string }) => credentials.get(id)!) as OpenCredentials,
    logger: { info: log('info'), warn: log('warn'), error: log('error') },
    newId: randomUUID,
    realNow: () => wallInstant((real += 1)),
    steadyMs: () => 0,
  });
let trader = openTrader();
afterAll(() => trader.close());

async function runTicks(times = 3): Promise<void> {
  for (let i = 0; i < times; i++) {
    real += 60_000;
    await trader.tick();
  }
}

async function practise(): Promise<DeploymentId> {
  const rows = { database, pool, newId: randomUUID, now: market.now };
  const { user } = await insertPerson(rows, { agreementSigned: false });
  const version = await insertStrategy(rows, BOTH_ABOVE_30);
  const { rows: found } = await pool.query('select strategy_id from strategy_versions where id = $1', [
    version,
  ]);
  const access = await venue.openAccount({ cash: toMicro(10_000) });
  if (access.outcome === 'failed') throw new Error(access.reason);
  const [id, connectionId] = [randomUUID() as DeploymentId, randomUUID() as BrokerConnectionId];
  credentials.set(connectionId, access.value.credentials);
  await database.transaction().execute(async (trx) => {
    await connectPractice(trx, {
      id: connectionId,
      userId: user as UserId,
      accountId: access.value.accountId,
      sealedCredentials: Buffer.of(0),
      at: market.now(),
    });
    await createDeployment(trx, {
      id,
      userId: user as UserId,
      strategyId: found[0].strategy_id as StrategyId,
      versionId: version as StrategyVersionId,
      connectionId,
      mode: 'practice',
      investment: toMicro(10_000),
      settings: { stop_loss_percentage: 10, max_allocation_per_trade: 0, freeze_on_drawdown: 0 },
      disconnectPolicy: { choice: 'wait', minutes: 0 },
      tripwireChoice: 'notify',
      awaitsCash: false,
      at: market.now(),
    });
    await postTransaction(trx, openingPosting(id, toMicro(10_000), market.now()));
  });
  return id;
}

const query = async (text: string, ...values: unknown[]) => (await pool.query(text, values)).rows;
const cashOf = async (id: DeploymentId) =>
  (
    await query(
      `select d.cash_micro as books, a.cash_micro as venue from deployments d
       join broker_connections c on c.id = d.broker_connection_id
       join practice_accounts a on a.account_id = c.account_id where d.id = $1`,
      id,
    )
  )[0] as { books: string; venue: string };
const holds = async () =>
  expect((await checkRecords(database)).flatMap(({ violations }) => violations)).toEqual([]);

test('a practice deployment trades without a signature, and the books agree with the venue to the cent', async () => {
  const id = await practise();
  await runTicks();
  market.closeDay();
  await runTicks();
  market.openDay();
  await runTicks();
  const fills = await query(
    'select symbol, price::float, commission_micro::float, quantity::float from fills where deployment_id = $1 order by symbol',
    id,
  );
  expect(fills.map(({ symbol, price }) => [symbol, price])).toEqual([
    ['AAA', 100.05],
    ['BBB', 40.02],
  ]);
  for (const { commission_micro: commission, price, quantity } of fills)
    expect(commission).toBe(Math.round(price * quantity * 0.0005 * 1e6));
  const cash = await cashOf(id);
  expect(cash.books).toBe(cash.venue);
  expect(Number(cash.books)).toBeLessThan(toMicro(10_000));
  const stops = await query(
    `select count(*)::int as stops from orders where deployment_id = $1 and purpose = 'protective' and status = 'working'`,
    id,
  );
  expect(stops[0].stops).toBe(2);

  // A dividend overnight, and another trader than the one that bought.
  market.closeDay();
  const exDate = nextTradingDay('us-equity', utcDate(market.now()));
  market.actions.push({ symbol: 'AAA' as Symbol, kind: 'dividend', exDate, amount: 0.5 });
  await trader.close();
  trader = openTrader();
  await runTicks();
  const paid = await cashOf(id);
  expect(Number(paid.books) - Number(cash.books)).toBe(toMicro(0.5 * fills[0].quantity));
  expect(paid.books).toBe(paid.venue);

  // A fall through the stop.
  market.openDay();
  await runTicks();
  market.setPrice('BBB', 32);
  market.advance(60_000);
  await runTicks();
  const held = await query('select symbol from positions where deployment_id = $1', id);
  expect(held).toEqual([{ symbol: 'AAA' }]);
  const sold = await cashOf(id);
  expect(sold.books).toBe(sold.venue);
  await holds();
  expect(problems).toEqual([]);

  // Nobody pays a fee on practice.
  const later = instant(market.now() + 70 * DAY_MS);
  expect(await billAllDue(database, { now: later, newId: randomUUID })).toBe(0);
  await pool.query(`update heartbeats set market_at = $1 where process = 'trader'`, [new Date(later)]);
  const unbilled = (await checkRecords(database)).find(({ says }) => says.includes('waits for its bill'));
  expect(unbilled?.violations).toEqual([]);
  await pool.query(`update deployments set status = 'stopped', ended_at = $2 where id = $1`, [
    id,
    new Date(later),
  ]);
  expect(await billAllDue(database, { now: instant(later + 70 * DAY_MS), newId: randomUUID })).toBe(0);
});

test('a quote that the trader would not believe fills no resting stop, and a share without a price holds up no other', async () => {
  const id = await practise();
  await runTicks();
  market.closeDay();
  await runTicks();
  market.openDay();
  await runTicks();
  const heldBy = () => query('select symbol from positions where deployment_id = $1 order by 1', id);
  const both = [{ symbol: 'AAA' }, { symbol: 'BBB' }];
  expect(await heldBy()).toEqual(both);
  const [aaa, bbb] = [market.price('AAA'), market.price('BBB')];
  // A slipped decimal point, far below both stops.
  market.setPrice('AAA', aaa / 20);
  market.advance(60_000);
  await runTicks();
  expect(await heldBy()).toEqual(both);
  // And a real fall of the other one meanwhile.
  market.unquoted = 'AAA';
  market.setPrice('BBB', bbb * 0.8);
  market.advance(60_000);
  await runTicks();
  expect(await heldBy()).toEqual([{ symbol: 'AAA' }]);
  market.unquoted = null;
  market.setPrice('AAA', aaa);
  market.advance(60_000);
  await runTicks();
  expect(await heldBy()).toEqual([{ symbol: 'AAA' }]);
  const after = await cashOf(id);
  expect(after.books).toBe(after.venue);
});
