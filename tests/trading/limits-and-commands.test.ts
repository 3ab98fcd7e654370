import type { RequestedStatus } from '#engine/lifecycle/status.ts';
import { requestStatus } from '../support/deployment-commands.ts';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { AGREEMENT_VERSION } from '#rules/provider.ts';
import { shownReason } from '../support/shown-reason.ts';
import { testDatabase } from '../support/test-database.ts';
import { BOTH_ABOVE_30, tradingWorld } from '../support/trading-world.ts';
import { shownNotices } from '../support/shown-notices.ts';

const handle = await testDatabase();
const world = await tradingWorld(handle);
const { market, venue } = world;
const version = await world.addStrategy(BOTH_ABOVE_30);
afterAll(() => world.trader.close());

const rows = async (query: string, ...values: unknown[]) => (await handle.pool.query(query, values)).rows;
const status = async (id: string) =>
  (await rows(`select status from deployments where id = $1`, id))[0]?.status as string;
const orders = async (id: string) =>
  (
    await rows(
      `select side, symbol, purpose, status from orders where deployment_id = $1 order by decided_at, symbol`,
      id,
    )
  ).map((row) => `${row.side} ${row.symbol} ${row.purpose} ${row.status}`);
const notices = async (id: string) =>
  (await rows(`select kind from notifications where deployment_id = $1 order by created_at, kind`, id)).map(
    (row) => row.kind,
  );
const command = (id: string, requested: RequestedStatus) => requestStatus(handle.pool, id, requested);
const runTicks = async () => {
  world.wait(60_000);
  return world.trader.tick();
};
/** Deployed and filled: 40 AAA at 100 and 100 BBB at 40. */
const invested = async (options: Parameters<typeof world.deploy>[1] = {}) => {
  const id = await world.deploy(version, options);
  await runTicks();
  market.openDay();
  await runTicks();
  expect(await orders(id)).toEqual(['buy AAA rebalance filled', 'buy BBB rebalance filled']);
  return id;
};

beforeEach(async () => {
  venue.matches = true;
  market.setPrice('AAA', 100);
  market.setPrice('BBB', 40);
  market.closeDay();
  await runTicks();
});

test('a stop loss closes the position once, notifies once, and the strategy does not buy it back', async () => {
  const id = await invested({ stopLoss: 10 });
  market.setPrice('AAA', 89);
  await runTicks();
  await runTicks();
  expect((await orders(id)).slice(2)).toEqual(['sell AAA stop_loss filled']);
  expect((await notices(id)).filter((kind) => kind === 'stop_loss')).toEqual(['stop_loss']);
  market.closeDay();
  await runTicks();
  market.openDay();
  await runTicks();
  expect(await rows(`select symbol from positions where deployment_id = $1`, id)).toEqual([
    { symbol: 'BBB' },
  ]);
  await world.everythingHolds();
});

test('a drawdown beyond the limit freezes purchases whatever prices do, with one notice', async () => {
  const id = await invested({ freeze: 10 });
  market.setPrice('AAA', 70);
  await runTicks();
  expect(await status(id)).toBe('frozen');
  market.setPrice('AAA', 120);
  market.closeDay();
  await runTicks();
  market.openDay();
  await runTicks();
  expect(await status(id)).toBe('frozen');
  expect(await orders(id)).toHaveLength(2);
  expect((await notices(id)).filter((kind) => kind === 'frozen')).toEqual(['frozen']);
  await world.everythingHolds();
});

test('its owner ends a freeze: it trades, the limit counts from that value, and passing it freezes again', async () => {
  const id = await invested({ freeze: 10 });
  market.setPrice('AAA', 70);
  await runTicks();
  expect(await status(id)).toBe('frozen');
  const [frozen] = await rows(`select equity_micro, peak_equity_micro from deployments where id = $1`, id);
  await command(id, 'active');
  await runTicks();
  expect(await status(id)).toBe('active');
  expect(
    await rows(
      `select frozen_at, freeze_lifted_at is not null as lifted, peak_equity_micro from deployments where id = $1`,
      id,
    ),
  ).toEqual([{ frozen_at: null, lifted: true, peak_equity_micro: frozen!.equity_micro }]);
  await world.everythingHolds();
  market.setPrice('AAA', 40);
  await runTicks();
  expect(await status(id)).toBe('frozen');
  expect((await notices(id)).filter((kind) => kind === 'frozen')).toEqual(['frozen', 'frozen']);
  await world.everythingHolds();
});

test('a freeze between decision and sending withdraws the purchase', async () => {
  const id = await world.deploy(version, { freeze: 10 });
  venue.down = true;
  await runTicks();
  expect(await orders(id)).toEqual(['buy AAA rebalance intended', 'buy BBB rebalance intended']);
  await handle.pool.query(`update deployments set frozen_at = now(), status = 'frozen' where id = $1`, [id]);
  venue.down = false;
  await runTicks();
  expect(await orders(id)).toEqual(['buy AAA rebalance withdrawn', 'buy BBB rebalance withdrawn']);
});

test('a pause withdraws unsent orders and cancels working ones; a resume follows the newest target', async () => {
  const id = await world.deploy(version);
  venue.faults.push(null, 'not sent');
  await runTicks();
  expect(await orders(id)).toEqual(['buy AAA rebalance working', 'buy BBB rebalance intended']);
  await command(id, 'paused');
  await runTicks();
  await runTicks();
  expect(await status(id)).toBe('paused');
  expect(await orders(id)).toEqual(['buy AAA rebalance cancelled', 'buy BBB rebalance withdrawn']);
  const [notice] = await shownNotices(handle, `deployment_id = $1 and kind = 'paused'`, id);
  expect(notice?.message).toMatch(/cancellation requested: buy 40 AAA\.$/);
  market.openDay();
  await runTicks();
  expect(await orders(id)).toHaveLength(2);
  await command(id, 'active');
  await runTicks();
  expect(await status(id)).toBe('active');
  expect((await orders(id)).filter((order) => order.endsWith('filled'))).toHaveLength(2);
  expect((await notices(id)).filter((kind) => kind === 'paused' || kind === 'resumed')).toEqual([
    'paused',
    'resumed',
  ]);
  await world.everythingHolds();
});

test('once a pause is written, no order leaves that was not already in flight', async () => {
  for (let i = 0; i < 20; i++) {
    const id = await world.deploy(version);
    const tick = runTicks();
    // As the server does: only a deployment that trades can be paused, and the row is locked by the writing.
    const pauseOnce = async () =>
      (
        await rows(
          `update deployments set requested_status = 'paused' where id = $1 and status = 'active' returning id`,
          id,
        )
      ).length;
    while ((await pauseOnce()) === 0) await new Promise((resolve) => setImmediate(resolve));
    const isUnderWay = `sent_at is not null and deployment_id = $1`;
    const [{ sent }] = await rows(`select count(*)::int as sent from orders where ${isUnderWay}`, id);
    await tick;
    await runTicks();
    const [{ sent: sentAfter }] = await rows(
      `select count(*)::int as sent from orders where ${isUnderWay}`,
      id,
    );
    expect(sentAfter).toBe(sent);
    expect(await status(id)).toBe('paused');
    await command(id, 'stopped');
    await runTicks();
    await runTicks();
    expect(await status(id)).toBe('stopped');
  }
  expect(new Set(venue.submissions).size).toBe(venue.submissions.length);
  await world.everythingHolds();
});

test('a stop cancels, sells everything and ends when it is flat', async () => {
  const id = await invested();
  market.closeDay();
  await runTicks();
  await command(id, 'stopped');
  await runTicks();
  expect(await status(id)).toBe('stopping');
  expect(await shownReason(handle, id)).toBe(
    'Positions are closed when their markets open; then the deployment ends.',
  );
  expect((await orders(id)).slice(2)).toEqual([
    'sell AAA liquidation working',
    'sell BBB liquidation working',
  ]);
  market.openDay();
  await runTicks();
  expect(await status(id)).toBe('stopped');
  const [row] = await rows(
    `select cash_micro = equity_micro as flat, ended_at is not null as ended from deployments where id = $1`,
    id,
  );
  expect(row).toEqual({ flat: true, ended: true });
  expect((await notices(id)).slice(-4)).toEqual(
    ['stopping', 'order_filled', 'order_filled', 'stopped'].toSorted((a, b) =>
      a === 'stopping' ? -1 : b === 'stopping' ? 1 : a.localeCompare(b),
    ),
  );
  await world.everythingHolds();
});

test('a stop before the first purchase ends at once; an exit that the broker rejects is retried later', async () => {
  const early = await world.deploy(version);
  await command(early, 'stopped');
  await runTicks();
  expect(await status(early)).toBe('stopped');

  const id = await invested();
  await command(id, 'stopped');
  venue.faults.push('rejected', 'rejected');
  await runTicks();
  await runTicks();
  expect((await orders(id)).slice(2)).toEqual([
    'sell AAA liquidation rejected',
    'sell BBB liquidation rejected',
  ]);
  market.closeDay();
  await runTicks();
  market.openDay();
  await runTicks();
  expect(await status(id)).toBe('stopped');
  await world.everythingHolds();
});

test('nothing leaves without a signed agreement, and a start waits for it', async () => {
  const id = await world.deploy(version, { agreementSigned: false });
  await runTicks();
  expect(await status(id)).toBe('pending');
  expect(await rows(`select reason_code, reason_params from deployments where id = $1`, id)).toEqual([
    { reason_code: 'agreement_not_signed', reason_params: null },
  ]);
  expect(await shownReason(handle, id)).toBe('Please sign the investment agreement first.');
  const signed = await world.deploy(version);
  venue.down = true;
  await runTicks();
  await handle.pool.query(
    `update agreements set status = 'declined' where user_id = (select user_id from deployments where id = $1)`,
    [signed],
  );
  venue.down = false;
  await runTicks();
  expect(await orders(signed)).toEqual(['buy AAA rebalance withdrawn', 'buy BBB rebalance withdrawn']);
});

test('what was signed holds for what runs; after the day to sign anew it closes, and opens nothing', async () => {
  const id = await world.deploy(version);
  venue.down = true;
  await runTicks();
  await handle.pool.query(
    `update agreements set version = 'older' where user_id = (select user_id from deployments where id = $1)`,
    [id],
  );
  venue.down = false;
  market.openDay();
  await runTicks();
  expect(await orders(id)).toEqual(['buy AAA rebalance filled', 'buy BBB rebalance filled']);
  await handle.pool.query(
    `insert into agreement_deadlines (version, sign_by) values ($1, clock_timestamp() - interval '1 minute')`,
    [AGREEMENT_VERSION],
  );
  const day = async (price: number) => {
    market.setPrice('AAA', price);
    market.closeDay();
    await runTicks();
    market.openDay();
    await runTicks();
  };
  const before = market.price('AAA');
  await day(25);
  await day(before);
  expect((await orders(id)).filter((order) => order.includes('AAA')).slice(1)).toEqual([
    'sell AAA rebalance filled',
    'buy AAA rebalance withdrawn',
  ]);
  expect(
    await rows(
      `select distinct reason_code from orders where deployment_id = $1 and status = 'withdrawn'`,
      id,
    ),
  ).toEqual([{ reason_code: 'agreement_not_signed' }]);
  await handle.pool.query(`delete from agreement_deadlines`);
  await world.everythingHolds();
});

test('permission that stays revoked at the broker ends the connection, one refusal does not, and nothing is sent', async () => {
  const id = await world.deploy(version, { account: 'GONE' });
  venue.signedOut = true;
  await world.restart();
  await runTicks();
  const connection = `(select id from broker_connections where account_id = 'GONE')`;
  expect(await rows(`select status from broker_connections where account_id = 'GONE'`)).toEqual([
    { status: 'active' },
  ]);
  expect(await rows(`select state from broker_sessions where connection_id = ${connection}`)).toEqual([
    { state: 'sign_in_due' },
  ]);
  for (let i = 0; i < 11; i++) await runTicks();
  venue.signedOut = false;
  expect(await rows(`select status from broker_connections where account_id = 'GONE'`)).toEqual([
    { status: 'revoked' },
  ]);
  expect((await orders(id)).every((order) => order.endsWith('intended'))).toBe(true);
  const messages = await shownNotices(
    handle,
    `kind = 'broker_disconnected' and cause like '%' || (select id from broker_connections where account_id = 'GONE')`,
  );
  expect(messages).toMatchObject([
    {
      title: 'Broker disconnected',
      message: 'We cannot reach your account at Scripted. No new orders are sent until you connect it again.',
    },
  ]);
});

test('a bad bar is refused and reported, and the strategy waits for a good one', async () => {
  await handle.pool.query(`update broker_connections set status = 'active', sealed_credentials = '\\x00'`);
  market.spoil = (bar, symbol) => (symbol === 'BBB' ? { ...bar, high: bar.low / 2 } : bar);
  const [{ count: before }] = await rows(`select count(*)::int from targets`);
  market.closeDay();
  const report = await runTicks();
  expect(report.barsRefused).toBe(1);
  expect(report.problems.map(({ reason }) => reason)).toContain(
    'refused: its high and low do not bracket its open and close',
  );
  expect(await rows(`select count(*)::int from targets`)).toEqual([{ count: before }]);
  market.spoil = null;
  await runTicks();
  expect(await rows(`select count(*)::int from targets`)).toEqual([{ count: before + 1 }]);
});

test('a market that does not answer stops decisions, not the heartbeat', async () => {
  market.outage = 'unreachable';
  const report = await runTicks();
  market.outage = null;
  expect(report.problems).toEqual([{ where: 'tick', reason: 'market data unreachable: the feed is down' }]);
  const [beat] = await rows(`select market_at from heartbeats where process = 'trader'`);
  expect(beat.market_at).toBeNull();
});
