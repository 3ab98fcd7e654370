// The broker knows one net position of a pair, whoever of the account traded it: its cash is judged all the same.
import { afterAll, expect, it } from 'vitest';
import { testDatabase } from '#tests/support/test-database.ts';
import { BOTH_ABOVE_30, SHORT_ABOVE_30, tradingWorld } from '#tests/support/trading-world.ts';
import { micro, toMicro } from '#units/money.ts';

const handle = await testDatabase();
const world = await tradingWorld(handle);
const { market, venue } = world;
const pair = { universe: ['USDJPY'], benchmark: 'USDJPY', gross: 0.1 };
const long = await world.addStrategy({ ...BOTH_ABOVE_30, ...pair, name: 'Long of yen' });
const short = await world.addStrategy({ ...SHORT_ABOVE_30, ...pair, name: 'Short of yen' });
afterAll(() => world.trader.close());

const rows = async (query: string, ...values: unknown[]) => (await handle.pool.query(query, values)).rows;
const statements = (account: string) =>
  rows(
    `select trades_micro::float / 1e6 as trades, netting_micro::float / 1e6 as netting,
       unexplained_micro::float / 1e6 as unexplained, is_final
     from cash_statements where account_id = $1 order by date`,
    account,
  );
const breaks = async (account: string) =>
  (
    await rows(
      `select unexplained_micro::float / 1e6 as amount from cash_breaks where account_id = $1 and ended_at is null`,
      account,
    )
  ).map(({ amount }) => amount);

const swapsPaid = new Map<string, number>();
/** The venue pays none by itself. */
async function paySwaps() {
  const booked = await rows(
    `select c.account_id as account, sum(e.realized_micro)::float as amount from position_events e
     join deployments d on d.id = e.deployment_id join broker_connections c on c.id = d.broker_connection_id
     where e.kind = 'swap' group by 1`,
  );
  for (const { account, amount } of booked) {
    venue.pay(account, micro(amount - (swapsPaid.get(account) ?? 0)));
    swapsPaid.set(account, amount);
  }
}

async function day(price: number) {
  market.setPrice('USDJPY', price);
  market.closeDay();
  await world.runTicks(1);
  await paySwaps();
  await world.runTicks(3);
  market.openDay();
  await world.runTicks(2);
}

/** One deployment is long; another has gone short ten yen higher, and nobody has closed. */
async function netted(account: string) {
  await world.deploy(long, { account });
  await day(150);
  await world.deploy(short, { account });
  await day(160);
  await day(160);
  const held = await rows(
    `select quantity::float as units from positions p join deployments d on d.id = p.deployment_id
     join broker_connections c on c.id = d.broker_connection_id where c.account_id = $1 order by 1`,
    account,
  );
  expect(held.map(({ units }) => Math.sign(units))).toEqual([-1, 1]);
}

it('the statement of each day is judged while positions of two deployments are netted', async () => {
  await netted('DUNET1');
  const stated = await statements('DUNET1');
  // Nothing is closed in any books, and the broker has realized a profit.
  expect(stated.reduce((sum, { trades }) => sum + trades, 0)).toBeCloseTo(0, 6);
  expect(stated.reduce((sum, { netting }) => sum + netting, 0)).toBeGreaterThan(50);
  for (const one of stated) {
    expect(one.is_final).toBe(true);
    expect(Math.abs(one.unexplained)).toBeLessThanOrEqual(0.01);
  }
  expect(await breaks('DUNET1')).toEqual([]);
});

it('money that nothing explains is a difference on the same day, however much is netted', async () => {
  await netted('DUNET2');
  venue.pay('DUNET2', toMicro(250));
  await day(160);
  const [amount, ...more] = await breaks('DUNET2');
  expect(more).toEqual([]);
  expect(amount).toBeCloseTo(250, 2);
});

it('an owner’s own trade in the pair is netted too', async () => {
  const account = 'DUNET3';
  await world.deploy(long, { account });
  await day(150);
  market.setPrice('USDJPY', 160);
  venue.tradeExternally(account, 'USDJPY', 'sell', 1_000);
  await world.runTicks(2);
  await day(160);
  await day(160);
  const stated = await statements(account);
  expect(stated.reduce((sum, { netting }) => sum + netting, 0)).toBeCloseTo((1_000 * 10) / 160, 0);
  expect(stated.at(-1)).toMatchObject({ is_final: true });
  expect(await breaks(account)).toEqual([]);
});
