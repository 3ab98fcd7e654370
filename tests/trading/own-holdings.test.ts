// Clients with shares of their own in the account that we trade.
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { testDatabase } from '#tests/support/test-database.ts';
import { BOTH_ABOVE_30, type TradingWorld, tradingWorld } from '#tests/support/trading-world.ts';
import { brokerInvariants } from '#trader/invariants/broker-invariants.ts';
import { checkRecords } from '#trader/invariants/check-invariants.ts';
import { listTradingConnections } from '#records/brokerage/trading-connections.ts';
import { MINUTE_MS } from '#units/instant.ts';
import { toMicro } from '#units/money.ts';

const handle = await testDatabase();
const world: TradingWorld = await tradingWorld(handle);
const { market, venue } = world;
const version = await world.addStrategy(BOTH_ABOVE_30);
let account: string;
let nth = 0;

const rows = async (query: string, ...values: unknown[]) => (await handle.pool.query(query, values)).rows;
const suspense = () =>
  rows(
    `select kind, symbol, side, quantity::float as units from suspense_entries where account_id = $1
     order by kind desc, symbol`,
    account,
  );
const breaks = () => rows(`select kind, symbol from reconciliation_breaks where account_id = $1`, account);
const openings = () =>
  rows(
    `select currency, cash_micro::float / 1e6 as cash from account_openings where account_id = $1`,
    account,
  );
const sent = () =>
  rows(
    `select o.id from orders o join broker_connections c on c.id = o.broker_connection_id
     where c.account_id = $1 and o.sent_at is not null`,
    account,
  );

/** What `npm run verify` says of records and broker. */
async function verified(isShared = false): Promise<void> {
  const broken = (await checkRecords(handle.database)).filter(({ violations }) => violations.length > 0);
  expect(broken).toEqual([]);
  const opened = await venue.broker.openSession({});
  if (opened.outcome === 'failed') throw new Error(opened.reason);
  const connections = await listTradingConnections(handle.database, 'all');
  // The orders of another connection to the account are not this one's.
  for (const connection of connections.filter(({ accountId }) => accountId === account))
    for (const { id, says, find } of brokerInvariants(connection, opened.value))
      if (!(isShared && id === 'I1'))
        expect({ says, violations: await find(handle.database) }).toEqual({ says, violations: [] });
}

/** The next opening after a close, with two looks. */
async function tradeADay(): Promise<void> {
  market.closeDay();
  await world.runTicks();
  market.openDay();
  await world.runTicks();
}

afterAll(() => world.trader.close());
beforeEach(() => {
  account = `DUOWN${(nth += 1)}`;
  venue.onCall = null;
});

describe('shares that a client held before the first order', () => {
  it('are external holdings from the beginning: no difference, and verify holds', async () => {
    venue.tradeExternally(account, 'AAA', 'buy', 40);
    venue.tradeExternally(account, 'BBB', 'sell', 15);
    venue.pay(account, toMicro(250));
    const cash = venue.cash(account) / 1e6;
    await world.deploy(version, { account });
    await tradeADay();
    expect(await openings()).toEqual([{ currency: 'USD', cash }]);
    expect(await suspense()).toEqual([
      { kind: 'opening', symbol: 'AAA', side: 'buy', units: 40 },
      { kind: 'opening', symbol: 'BBB', side: 'sell', units: 15 },
    ]);
    expect(await sent()).not.toEqual([]);
    await world.runTicks(4);
    expect((await breaks()).filter(({ symbol }) => symbol === 'AAA')).toEqual([]);
    await verified();
  });

  it('are waited for while their row cannot be read: nothing is sent before', async () => {
    venue.tradeExternally(account, 'AAA', 'buy', 40);
    await world.deploy(version, { account });
    venue.spoilt.add('AAA');
    await tradeADay();
    await world.runTicks(3);
    expect(await openings()).toEqual([]);
    expect(await sent()).toEqual([]);
    venue.spoilt.clear();
    await world.runTicks(3);
    expect(await suspense()).toEqual([{ kind: 'opening', symbol: 'AAA', side: 'buy', units: 40 }]);
    await tradeADay();
    expect(await sent()).not.toEqual([]);
    expect(await breaks()).toEqual([]);
    await verified();
  });

  it('stay apart from what the client trades later, also at the same moment', async () => {
    venue.tradeExternally(account, 'AAA', 'buy', 40);
    await world.deploy(version, { account });
    await world.runTicks();
    venue.tradeExternally(account, 'AAA', 'sell', 10);
    await tradeADay();
    await world.runTicks(4);
    expect(await suspense()).toEqual([
      { kind: 'opening', symbol: 'AAA', side: 'buy', units: 40 },
      { kind: 'external_trade', symbol: 'AAA', side: 'sell', units: 10 },
    ]);
    expect(await breaks()).toEqual([]);
    await verified();
  });

  it('are recorded once for an account, whoever connects it again, and after a restart', async () => {
    venue.tradeExternally(account, 'AAA', 'buy', 40);
    await world.deploy(version, { account });
    await tradeADay();
    await world.restart();
    await world.deploy(version, { account });
    await tradeADay();
    await world.runTicks(3);
    expect(await openings()).toHaveLength(1);
    expect(await suspense()).toEqual([{ kind: 'opening', symbol: 'AAA', side: 'buy', units: 40 }]);
    expect(await breaks()).toEqual([]);
    await verified(true);
  });
});

it('shares that come in after the opening, before anything of ours traded in them, are external holdings', async () => {
  market.setPrice('BBB', 20);
  await world.deploy(version, { account });
  await tradeADay();
  const traded = await rows(`select distinct symbol from fills where account_id = $1`, account);
  expect(traded).toEqual([{ symbol: 'AAA' }]);
  venue.deliver(account, 'BBB', 40);
  for (let look = 0; look < 4; look++) {
    market.advance(10 * MINUTE_MS);
    await world.runTicks();
  }
  const transfer = { kind: 'transfer', symbol: 'BBB', side: 'buy', units: 40 };
  expect(await suspense()).toEqual([transfer]);
  await world.restart();
  await world.runTicks(3);
  expect(await suspense()).toEqual([transfer]);
  market.setPrice('BBB', 40);
  await tradeADay();
  await world.runTicks(4);
  expect(await rows(`select distinct symbol from fills where account_id = $1 order by 1`, account)).toEqual([
    { symbol: 'AAA' },
    { symbol: 'BBB' },
  ]);
  expect(await breaks()).toEqual([]);
  await verified();
});

describe('no order leaves', () => {
  it('while the broker does not say what the account holds', async () => {
    venue.onCall = (call, of) => {
      if (call === 'cash' && of === account) throw new Error('no answer');
    };
    await world.deploy(version, { account });
    await tradeADay();
    expect(await sent()).toEqual([]);
    expect(await openings()).toEqual([]);
    venue.onCall = null;
    await tradeADay();
    expect(await openings()).toHaveLength(1);
    expect(await sent()).not.toEqual([]);
    await verified();
  });

  it('while the positions change under the eyes of the reader', async () => {
    venue.onCall = (call, of) => {
      if (call === 'cash' && of === account) venue.tradeExternally(account, 'AAA', 'buy', 1);
    };
    await world.deploy(version, { account });
    await tradeADay();
    expect(await sent()).toEqual([]);
    venue.onCall = null;
    await tradeADay();
    expect(await sent()).not.toEqual([]);
    expect((await suspense()).map(({ kind }) => kind)).toEqual(['opening']);
    expect(await breaks()).toEqual([]);
    await verified();
  });
});

it('an execution from before the opening that the broker lists late is not counted twice', async () => {
  venue.tradeExternally(account, 'AAA', 'buy', 7);
  const late = venue.executions.at(-1)!;
  // The list of executions lags, the positions do not.
  venue.hides.add(late.execution.executionId);
  market.advance(1_000);
  await world.deploy(version, { account });
  await world.runTicks();
  expect(await suspense()).toEqual([{ kind: 'opening', symbol: 'AAA', side: 'buy', units: 7 }]);
  venue.hides.clear();
  await tradeADay();
  expect(await suspense()).toEqual([{ kind: 'opening', symbol: 'AAA', side: 'buy', units: 7 }]);
  expect(await breaks()).toEqual([]);
  await verified();
});
