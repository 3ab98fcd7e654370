// Work that takes minutes of the market: what it decides, sends and books is stamped and priced with the present, not
// with the moment at which it began.
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { testDatabase } from '#tests/support/test-database.ts';
import { BOTH_ABOVE_30, tradingWorld } from '#tests/support/trading-world.ts';
import { checkRecords } from '#trader/invariants/check-invariants.ts';
import { type Instant, HOUR_MS, isoText, MINUTE_MS } from '#units/instant.ts';
import type { DeploymentId } from '#units/identifiers.ts';

let steady = 0;
const handle = await testDatabase();
const world = await tradingWorld(handle, () => steady);
const { market, venue, trader } = world;
afterAll(() => trader.close());
afterEach(() => {
  venue.onCall = null;
  vi.restoreAllMocks();
});
const version = await world.addStrategy(BOTH_ABOVE_30);

const rows = async (text: string, ...values: unknown[]) => (await handle.pool.query(text, values)).rows;
const ordersOf = (id: string) =>
  rows(
    `select status, reason_code, reference_price::float as price, priced_at, decided_at, sent_at, ended_at from orders
     where deployment_id = $1 and symbol = 'AAA' order by attempt, decided_at`,
    id,
  );
const tick = () => {
  world.wait(60_000);
  steady += 60_000;
  return trader.tick();
};
const broken = async () =>
  (await checkRecords(handle.database)).flatMap(({ invariant, violations }) =>
    invariant === 'I18' || invariant === 'I21' ? violations : [],
  );

/** The next call of the broker takes so long that the market moves on. */
function duringTheNext(call: string, happen: () => void): void {
  venue.onCall = (called) => {
    if (called !== call) return;
    venue.onCall = null;
    happen();
    steady += 1_000;
  };
}

let invested: DeploymentId;

test('a deployment made while a look is under way is decided on after it exists', async () => {
  market.closeDay();
  await world.deploy(version);
  await tick();
  market.openDay();
  let made: Promise<DeploymentId> | null = null;
  duringTheNext('orders', () => {
    market.advance(5 * MINUTE_MS);
    made = world.deploy(version);
  });
  await tick();
  if (made === null) throw new Error('the broker was not asked');
  invested = await made;
  await tick();
  const [{ deployed_at: deployed }] = await rows(
    'select deployed_at from deployments where id = $1',
    invested,
  );
  for (const { decided_at: decided } of await ordersOf(invested))
    expect(decided.getTime()).toBeGreaterThanOrEqual(deployed.getTime());
  expect(await ordersOf(invested)).not.toEqual([]);
  expect(await broken()).toEqual([]);
});

test('a deployment of a later reading than this trader’s is left alone until its clock has caught up', async () => {
  market.advance(MINUTE_MS);
  await tick();
  const reading = market.now();
  // Another process reads the market a moment later, and this one still holds its own reading.
  const clock = vi.spyOn(market.feed, 'clock');
  const { value } = (await market.feed.clock()) as { value: { now: Instant } };
  market.advance(MINUTE_MS);
  const id = await world.deploy(version);
  clock.mockResolvedValue({ ok: true, value: { ...value, now: reading } } as never);
  await tick();
  expect(await ordersOf(id)).toEqual([]);
  clock.mockRestore();
  await tick();
  await tick();
  expect(await ordersOf(id)).not.toEqual([]);
  expect(await broken()).toEqual([]);
});

test('an order is stamped and priced with the present when a look before it took hours', async () => {
  market.advance(MINUTE_MS);
  venue.match();
  await tick();
  await rows(`update deployments set stop_loss_percentage = 10 where id = $1`, invested);
  duringTheNext('orders', () => {
    market.advance(HOUR_MS);
    market.setPrice('AAA', 80);
  });
  const began = market.now();
  market.setPrice('AAA', 85);
  await tick();
  const exits = await rows(
    `select decided_at, priced_at, reference_price::float as price from orders
     where deployment_id = $1 and purpose = 'stop_loss' and symbol = 'AAA'`,
    invested,
  );
  const now = new Date(market.now());
  expect(now.getTime()).toBeGreaterThan(began);
  expect(exits).toEqual([{ decided_at: now, priced_at: now, price: 80 }]);
  expect(await broken()).toEqual([]);
});

test('an order whose price has become too old is decided again at the present price, once', async () => {
  const clock = vi.spyOn(market.feed, 'clock');
  clock.mockImplementation(async () => ({
    ok: true,
    value: { now: market.now(), daySeconds: 86_400, mode: 'sandbox', paused: false, endsAt: null },
  }));
  market.closeDay();
  market.openDay();
  market.advance(HOUR_MS);
  await tick();
  const id = await world.deploy(version);
  venue.down = true;
  await tick();
  await tick();
  const [waiting] = await ordersOf(id);
  expect(waiting).toMatchObject({ status: 'intended' });
  venue.down = false;
  market.advance(5 * MINUTE_MS);
  market.setPrice('AAA', 90);
  await tick();
  await tick();
  const [old, fresh, ...others] = await ordersOf(id);
  expect(others).toEqual([]);
  expect(old).toMatchObject({ status: 'withdrawn', reason_code: 'price_too_old', sent_at: null });
  expect(fresh).toMatchObject({ price: 90, sent_at: new Date(market.now()) });
  expect(isoText(market.now())).toBe(fresh.priced_at.toISOString());
  expect(await broken()).toEqual([]);
});

test('an exit that waited for the broker too long is decided again at once, though its price stands still', async () => {
  const clock = vi.spyOn(market.feed, 'clock');
  clock.mockImplementation(async () => ({
    ok: true,
    value: { now: market.now(), daySeconds: 86_400, mode: 'sandbox', paused: false, endsAt: null },
  }));
  market.setPrice('AAA', 100);
  const id = await world.deploy(version, { stopLoss: 10 });
  for (let look = 0; look < 3; look++) {
    market.advance(MINUTE_MS);
    await tick();
  }
  venue.down = true;
  market.setPrice('AAA', 80);
  await tick();
  market.advance(5 * MINUTE_MS);
  venue.down = false;
  await tick();
  const exits = await rows(
    `select status, reason_code from orders where deployment_id = $1 and purpose = 'stop_loss' and symbol = 'AAA'
     order by attempt`,
    id,
  );
  expect(exits).toEqual([
    { status: 'withdrawn', reason_code: 'price_too_old' },
    { status: 'filled', reason_code: null },
  ]);
  expect(await broken()).toEqual([]);
});
