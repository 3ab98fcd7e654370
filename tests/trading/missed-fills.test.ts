// Fills that the broker's lists leave out for a while, and that only its positions show.
import { afterAll, expect, test } from 'vitest';
import { nextTradingDay } from '#engine/market/calendar.ts';
import type { DeploymentId, Symbol } from '#units/identifiers.ts';
import { utcDate } from '#units/instant.ts';
import { testDatabase } from '../support/test-database.ts';
import { BOTH_ABOVE_30, tradingWorld } from '../support/trading-world.ts';
import { checkInvariants } from '#trader/invariants/check-invariants.ts';

const handle = await testDatabase();
const world = await tradingWorld(handle);
const { market, venue } = world;
const version = await world.addStrategy(BOTH_ABOVE_30);
afterAll(() => world.trader.close());

const rows = async (query: string, ...values: unknown[]) => (await handle.pool.query(query, values)).rows;
const ordersOf = async (id: DeploymentId) =>
  (
    await rows(
      `select side, status from orders where deployment_id = $1 and symbol = 'AAA' order by decided_at`,
      id,
    )
  ).map(({ side, status }) => `${side} ${status}`);
const runTicks = () => {
  world.wait(60_000);
  return world.trader.tick();
};
const holds = async () => {
  const side = { broker: venue.broker, openCredentials: () => ({}), pause: async () => undefined };
  const verdicts = await checkInvariants(handle.database, side);
  expect(
    verdicts.flatMap(({ violations, says }) => violations.map((violation) => ({ says, violation }))),
  ).toEqual([]);
};

/** Deploys and buys, then decides to sell: the sale waits at the broker for the opening. */
async function sellTomorrow(
  account: string,
  beforeClose: () => void = () => undefined,
  atClose: () => void = () => undefined,
): Promise<DeploymentId> {
  market.setPrice('AAA', 100);
  market.setPrice('BBB', 40);
  market.closeDay();
  const id = await world.deploy(version, { account });
  await runTicks();
  market.openDay();
  await runTicks();
  expect(await ordersOf(id)).toEqual(['buy filled']);
  market.setPrice('AAA', 25);
  beforeClose();
  market.closeDay();
  atClose();
  await runTicks();
  expect(await ordersOf(id)).toEqual(['buy filled', 'sell working']);
  return id;
}

function hideLists(hidden: boolean): void {
  venue.hidesOrders = hidden;
  venue.tellsExecutions = hidden ? 0 : 1;
}

/** Fills at the next opening what waits, shown by the positions alone; three looks after the close change nothing. */
async function fillUnseen(
  id: DeploymentId,
  waiting: readonly string[],
  { account, position }: { account: string; position: number },
): Promise<void> {
  hideLists(true);
  market.openDay();
  await runTicks();
  expect(venue.position(account, 'AAA')).toBe(position);
  market.closeDay();
  for (let look = 0; look < 3; look++) {
    await runTicks();
    market.advance(20 * 60_000);
  }
  expect(await ordersOf(id)).toEqual(waiting);
  hideLists(false);
  await runTicks();
}

test('a sale that only the positions show is not taken for one that never happened, nor sold again', async () => {
  const id = await sellTomorrow('DU1');
  await fillUnseen(id, ['buy filled', 'sell working'], { account: 'DU1', position: 0 });
  expect(await ordersOf(id)).toEqual(['buy filled', 'sell filled']);
  expect(venue.position('DU1', 'AAA')).toBe(0);
  await holds();
});

test('what stays out of sight for more than a day is left to a person, and booked when it shows', async () => {
  const id = await sellTomorrow('DU2');
  hideLists(true);
  for (let day = 0; day < 3; day++) {
    market.openDay();
    await runTicks();
  }
  market.advance(20 * 60_000);
  await runTicks();
  expect(await ordersOf(id)).toEqual(['buy filled', 'sell unknown']);
  expect(
    await rows(`select reason_code as code from orders where deployment_id = $1 and status = 'unknown'`, id),
  ).toContainEqual({ code: 'not_listed' });
  hideLists(false);
  await runTicks();
  expect(await ordersOf(id)).toEqual(['buy filled', 'sell filled']);
  expect(venue.position('DU2', 'AAA')).toBe(0);
  await holds();
});

test('a sale decided on the night of a split is no exception: what the broker has split already is nobody’s holding', async () => {
  const id = await sellTomorrow(
    'DU3',
    () => {
      const exDate = nextTradingDay('us-equity', utcDate(market.now()));
      market.actions.push({ symbol: 'AAA' as Symbol, kind: 'split', exDate, amount: 0.5 });
    },
    () => {
      market.setPrice('AAA', 50);
      venue.deliver('DU3', 'AAA', -20);
    },
  );
  await fillUnseen(id, ['buy filled', 'sell working'], { account: 'DU3', position: 0 });
  expect(await ordersOf(id)).toEqual(['buy filled', 'sell filled']);
});

test('nor is a purchase of as much as its owner once held and has sold', async () => {
  market.setPrice('AAA', 25);
  market.setPrice('BBB', 25);
  market.closeDay();
  const id = await world.deploy(version, { account: 'DU4' });
  await runTicks();
  for (const side of ['buy', 'sell'] as const) {
    venue.tradeExternally('DU4', 'AAA', side, 40);
    await runTicks();
  }
  market.setPrice('AAA', 100);
  market.closeDay();
  await runTicks();
  expect(await ordersOf(id)).toEqual(['buy working']);
  await fillUnseen(id, ['buy working'], { account: 'DU4', position: 40e8 });
  expect(await ordersOf(id)).toEqual(['buy filled']);
});
