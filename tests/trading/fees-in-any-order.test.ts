import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { feeDesk } from '../support/fee-desk.ts';
import { testDatabase } from '../support/test-database.ts';
import type { DeploymentId } from '#units/identifiers.ts';
import { DAY_MS, HOUR_MS, type Instant, isoText, parseInstant } from '#units/instant.ts';

const handle = await testDatabase();
const desk = await feeDesk(handle);
/** FEE_ORDERS asks for more than fit into every run of all tests. */
const FEE_ORDERS = Number(process.env.FEE_ORDERS ?? 30);
const START = parseInstant('2026-03-02T15:00:00Z');

type Happening =
  | { readonly what: 'fill' | 'mark'; readonly dollars: number }
  | { readonly what: 'deposit'; readonly dollars: number }
  | { readonly what: 'withdraw'; readonly part: number }
  | { readonly what: 'bill'; readonly days: number; readonly times: number }
  | { readonly what: 'liquidate' };

const dollars = (least: number, most: number) =>
  fc.integer({ min: least * 100, max: most * 100 }).map((cents) => cents / 100);
const happening: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ what: fc.constant('fill' as const), dollars: dollars(-900, 900) }) },
  { weight: 3, arbitrary: fc.record({ what: fc.constant('mark' as const), dollars: dollars(-900, 900) }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('deposit' as const), dollars: dollars(1, 5_000) }) },
  {
    weight: 1,
    arbitrary: fc.record({ what: fc.constant('withdraw' as const), part: fc.constantFrom(0.1, 0.5, 0.9) }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      what: fc.constant('bill' as const),
      days: fc.integer({ min: 0, max: 12 }),
      times: fc.constantFrom(1, 1, 2),
    }),
  },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('liquidate' as const) }) },
);

/** What it was in the end, and all that came about on the way, in dollars. */
type Account = {
  now: number;
  settled: number;
  putIn: number;
  best: number;
  gains: number;
  hasFlows: boolean;
  hasEnded: boolean;
};

async function happen(id: DeploymentId, account: Account, event: Happening): Promise<void> {
  account.now += HOUR_MS;
  const at = isoText(account.now as Instant);
  if (event.what === 'bill') {
    account.now += event.days * DAY_MS;
    for (let i = 0; i < event.times; i++) await desk.bill(isoText(account.now as Instant));
    return;
  }
  if (account.hasEnded) return;
  if (event.what === 'fill') await earn(id, account, event.dollars, at);
  else if (event.what === 'mark') await desk.value(id, event.dollars, at);
  else if (event.what === 'deposit') await move(id, account, event.dollars, at);
  else if (event.what === 'withdraw') {
    const there = Math.max(0, Math.min(account.settled, account.putIn));
    const taken = Math.floor(there * event.part * 100) / 100;
    if (taken > 0) await move(id, account, -taken, at);
  } else {
    account.hasEnded = true;
    await desk.end(id, at);
  }
}

async function earn(id: DeploymentId, account: Account, dollars: number, at: string): Promise<void> {
  if (dollars === 0) return;
  await desk.earn(id, dollars, at);
  account.settled += dollars;
  account.gains += Math.max(0, dollars);
  account.best = Math.max(account.best, account.settled - account.putIn);
}

async function move(id: DeploymentId, account: Account, dollars: number, at: string): Promise<void> {
  await desk.move(id, dollars, at);
  account.settled += dollars;
  account.putIn += dollars;
  account.hasFlows = true;
}

test(`in ${FEE_ORDERS} orders of fills, marks, bills, deposits, withdrawals and ends no fee is too high and none comes twice`, {
  timeout: 60_000 + FEE_ORDERS * 2_000,
}, async () => {
  const seen = { bills: 0, fees: 0 };
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('weekly' as const, 'monthly' as const),
      fc.array(happening, { minLength: 3, maxLength: 16 }),
      async (length, events) => {
        const { id } = await desk.begin(length);
        const account: Account = {
          now: START,
          settled: 10_000,
          putIn: 10_000,
          best: 0,
          gains: 0,
          hasFlows: false,
          hasEnded: false,
        };
        for (const event of events) await happen(id, account, event);
        // A look bills one period of each, until there is none.
        const memory = { done: null };
        const later = isoText((account.now + 40 * DAY_MS) as Instant);
        while (memory.done === null) await desk.bill(later, memory);
        const bills = await desk.bills(id);
        const total = bills.reduce((sum, { fee }) => sum + fee, 0);
        seen.bills += bills.length;
        seen.fees += total > 0 ? 1 : 0;
        expect(new Set(bills.map(({ end, closing }) => `${end} ${closing}`)).size).toBe(bills.length);
        expect(bills.filter(({ closing }) => closing)).toHaveLength(account.hasEnded ? 1 : 0);
        for (const { fee } of bills) expect(fee).toBeGreaterThanOrEqual(0);
        // A hundredth of a cent for what these sums lose as floating point.
        const most = account.hasFlows ? account.gains : account.best;
        expect(total).toBeLessThanOrEqual(0.3 * most + 1e-4);
        expect(await desk.violations()).toEqual([]);
        expect(desk.problems).toEqual([]);
      },
    ),
    { numRuns: FEE_ORDERS },
  );
  expect(seen.bills).toBeGreaterThan(FEE_ORDERS);
  expect(seen.fees).toBeGreaterThan(0);
});
