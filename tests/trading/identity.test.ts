import { requestStatusOfAll } from '../support/deployment-commands.ts';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '../support/test-database.ts';
import type { SubmissionFault } from '../support/venue-order.ts';
import { tradingWorld } from '../support/trading-world.ts';
import { resolveOrder } from '#records/execution/order-resolutions.ts';
import { DAY_MS } from '#units/instant.ts';
import { checkInvariants, checkRecords } from '#trader/invariants/check-invariants.ts';

const handle = await testDatabase();
const world = await tradingWorld(handle);
const { market, venue } = world;
afterAll(() => world.trader.close());

/** Long above its average and short below it, in shares and in a currency pair that is quoted in yen. */
const BOTH_WAYS = {
  language: 'bellwether-strategy/1',
  name: 'Both ways',
  universe: ['AAA', 'BBB', 'USDJPY'],
  benchmark: 'AAA',
  schedule: { every: 'bars', count: 1 },
  direction: 'long_short',
  features: { average: { indicator: 'sma', length: 3 } },
  rule: {
    type: 'signals',
    enterLong: { op: 'above', left: 'close', right: 'average' },
    exitLong: { op: 'below', left: 'close', right: 'average' },
    enterShort: { op: 'below', left: 'close', right: 'average' },
    exitShort: { op: 'above', left: 'close', right: 'average' },
  },
  gross: 0.9,
};
const version = await world.addStrategy(BOTH_WAYS);

type Step = { readonly says: string; readonly run: () => Promise<unknown> | unknown };

const FAULTS: SubmissionFault[] = [
  'rejected',
  'not sent',
  'lost, accepted',
  'lost, not accepted',
  'dies before',
  'dies after',
];

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .record({ symbol: fc.constantFrom('AAA', 'BBB', 'USDJPY'), percent: fc.integer({ min: -12, max: 12 }) })
      .map(({ symbol, percent }) => ({
        says: `${symbol} ${percent}%`,
        run: () =>
          market.setPrice(symbol, Math.max(5, Math.round(market.price(symbol) * (100 + percent)) / 100)),
      })),
  },
  { weight: 5, arbitrary: fc.constant({ says: 'open', run: () => market.openDay() }) },
  { weight: 5, arbitrary: fc.constant({ says: 'close', run: () => market.closeDay() }) },
  { weight: 2, arbitrary: fc.constant({ says: 'hours', run: () => market.advance(5 * 3_600_000) }) },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom(...FAULTS)
      .map((fault) => ({ says: fault, run: () => venue.faults.push(fault) })),
  },
  {
    weight: 1,
    arbitrary: fc
      .boolean()
      .map((hides) => ({ says: `hides ${hides}`, run: () => (venue.hidesOrders = hides) })),
  },
  {
    weight: 1,
    arbitrary: fc.boolean().map((down) => ({ says: `down ${down}`, run: () => (venue.down = down) })),
  },
  {
    weight: 1,
    arbitrary: fc
      .integer({ min: 1, max: 3 })
      .map((times) => ({ says: `tells ${times}`, run: () => (venue.tellsExecutions = times) })),
  },
  {
    weight: 1,
    arbitrary: fc.integer({ min: 3, max: 60 }).map((units) => ({
      says: `parts of ${units}`,
      run: () => (venue.fillsAtMost = (units * 1e8) as never),
    })),
  },
  { weight: 1, arbitrary: fc.constant({ says: 'kill', run: () => world.restart() }) },
  {
    weight: 2,
    arbitrary: fc.constantFrom('paused', 'active', 'stopped').map((requested) => ({
      says: requested,
      run: () =>
        handle.pool.query(
          `update deployments set requested_status = $1 where status in ('active', 'paused', 'frozen')
             and not ($1 = 'paused' and status <> 'active') and not ($1 = 'active' and status <> 'paused')`,
          [requested],
        ),
    })),
  },
);

test('the records stay consistent through any prices, faults and commands, and match the broker once it answers', {
  timeout: 240_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 8, maxLength: 30 }),
      fc.record({
        stopLoss: fc.constantFrom(0, 5, 15),
        maxAllocation: fc.constantFrom(0, 10, 50),
        freeze: fc.constantFrom(0, 10),
      }),
      async (steps, limits) => {
        await world.deploy(version, limits);
        for (const { run } of steps) {
          await run();
          world.wait(60_000);
          await world.trader.tick();
          expect(violations(await checkRecords(handle.database))).toEqual([]);
        }
        await calmDown();
        const side = { brokers: [venue.broker], openCredentials: () => ({}), pause: async () => undefined };
        expect(violations(await checkInvariants(handle.database, side))).toEqual([]);
        expect(new Set(venue.submissions.filter((id) => !notArrived(id))).size).toBe(
          new Set(venue.orders.map(({ clientOrderId }) => clientOrderId)).size,
        );
        expect(venue.orders.length).toBe(
          new Set(venue.orders.map(({ clientOrderId }) => clientOrderId)).size,
        );
      },
    ),
    { numRuns: 6 },
  );
});

/** The faults end; after a few sessions nothing is in flight. */
async function calmDown(): Promise<void> {
  venue.faults.length = 0;
  Object.assign(venue, { hidesOrders: false, down: false, tellsExecutions: 1, fillsAtMost: null });
  await passSessions(4);
  await decideWhatIsTooOld();
  await requestStatusOfAll(handle.pool, ['active', 'paused', 'frozen', 'failed'], 'stopped');
  await passSessions(4);
  const { rows } = await handle.pool.query(
    `select d.status, o.status as order_status, o.reason_code from deployments d
     left join orders o on o.deployment_id = d.id and o.status in ('intended', 'sending', 'working', 'unknown')
     where d.status not in ('stopped', 'liquidated')`,
  );
  expect(rows).toEqual([]);
}

/** A broker that was silent for longer than it keeps executions leaves nothing to compare: a person asks it and decides. */
async function decideWhatIsTooOld(): Promise<void> {
  const { rows } = await handle.pool.query(
    `select id, client_order_id, sent_at from orders where status = 'unknown'`,
  );
  for (const { id, client_order_id, sent_at } of rows) {
    expect(market.now() - sent_at.getTime()).toBeGreaterThan(
      (venue.broker.limits.executionHistoryDays - 1) * DAY_MS,
    );
    const there = venue.orders.find(({ clientOrderId }) => clientOrderId === client_order_id);
    await resolveOrder(handle.database, {
      orderId: id,
      brokerOrderId: there?.brokerOrderId ?? null,
      because: 'The broker says so on the telephone.',
      decidedBy: 'support@example.test',
    });
  }
}

/** Two looks per session: at the first one the books are an evening behind the broker. */
async function passSessions(count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    market.openDay();
    world.wait(60_000);
    await world.trader.tick();
    market.advance(20 * 60_000);
    world.wait(60_000);
    await world.trader.tick();
  }
}

function notArrived(id: string): boolean {
  return !venue.orders.some(({ clientOrderId }) => clientOrderId === id);
}

function violations(verdicts: Awaited<ReturnType<typeof checkInvariants>>) {
  return verdicts.flatMap((verdict) =>
    verdict.violations.map((violation) => ({ says: verdict.says, violation })),
  );
}
