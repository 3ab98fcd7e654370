import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { feeDesk } from '#tests/support/fee-desk.ts';
import { shownNotices } from '#tests/support/shown-notices.ts';
import { testDatabase } from '#tests/support/test-database.ts';
import type { DeploymentId } from '#units/identifiers.ts';
import { FEE_EXAMPLE_DEPOSIT, feeExample } from '#rules/fees/fee-example.ts';
import { DAY_MS, HOUR_MS, type Instant, instant, isoText, parseInstant } from '#units/instant.ts';
import { fromMicro, subtract } from '#units/money.ts';
import { billAllDue, billFees } from './bill-fees.ts';

const handle = await testDatabase();
const desk = await feeDesk(handle);
const { pool, database } = handle;

afterEach(async () => {
  expect(desk.problems).toEqual([]);
  expect(await desk.violations()).toEqual([]);
});

const feesOf = async (id: string) => (await desk.bills(id as never)).map(({ fee }) => fee);

test('the profit of a month is billed once, booked as owed, and the owner is notified', async () => {
  const { id, person } = await desk.begin('monthly');
  await desk.earn(id, 1_000, '2026-03-20T15:00:00Z');
  await desk.bill('2026-03-31T23:59:59Z');
  expect(await desk.bills(id)).toEqual([]);
  await desk.bill('2026-04-01T00:00:00Z');
  await desk.bill('2026-04-01T00:00:01Z');
  await desk.bill('2026-04-20T00:00:00Z');
  expect(await desk.bills(id)).toEqual([
    { end: '2026-04-01', closing: false, profit: 1_000, fee: 300, mark: 11_000 },
  ]);
  const { rows: owed } = await pool.query(
    `select e.ledger_account, e.amount_micro from ledger_entries e join ledger_transactions t on t.id = e.transaction_id
     where t.kind = 'fee' and e.deployment_id = $1 order by 1`,
    [id],
  );
  expect(owed).toEqual([
    { ledger_account: 'fees', amount_micro: '300000000' },
    { ledger_account: 'payable', amount_micro: '-300000000' },
  ]);
  expect(await shownNotices({ pool }, 'user_id = $1', person.user)).toMatchObject([
    {
      title: 'Performance fee of $300',
      message:
        'On the floor: by 31 March 2026 it earned $1,000 above its high-water mark of $10,000. The fee is $300. It is invoiced separately: nothing is taken from your broker account.',
    },
  ]);
  const { rows: mailed } = await pool.query(
    `select from mails m join notifications n on n.id = m.notification_id where n.user_id = $1`,
    [person.user],
  );
  expect(mailed).toHaveLength(1);
});

test('where one person runs the product for themselves nothing is billed', async () => {
  const { id, person } = await desk.begin('monthly');
  await desk.earn(id, 1_000, '2026-03-20T15:00:00Z');
  await billFees({ ...desk.at('2026-04-01T00:00:00Z'), withoutFees: true }, { done: null });
  expect(await desk.bills(id)).toEqual([]);
  expect(await shownNotices({ pool }, 'user_id = $1', person.user)).toEqual([]);
});

test('a fee does not change the cash, equity and result of the deployment', async () => {
  const { id } = await desk.begin('monthly');
  await desk.earn(id, 500, '2026-03-20T15:00:00Z');
  const figures = async () =>
    (await pool.query(`select cash_micro, equity_micro, realized_micro from deployments where id = $1`, [id]))
      .rows[0];
  const before = await figures();
  await desk.bill('2026-04-01T00:00:00Z');
  expect(await feesOf(id)).toEqual([150]);
  expect(await figures()).toEqual(before);
});

test('a loss must be recovered before anything more is billed', async () => {
  const { id } = await desk.begin('weekly');
  for (const [dollars, day, end] of [
    [1_000, '2026-03-05', '2026-03-09'],
    [-600, '2026-03-12', '2026-03-16'],
    [400, '2026-03-18', '2026-03-23'],
    [500, '2026-03-25', '2026-03-30'],
  ] as const) {
    await desk.earn(id, dollars, `${day}T15:00:00Z`);
    await desk.bill(`${end}T00:00:00Z`);
  }
  expect(await feesOf(id)).toEqual([300, 0, 0, 90]);
});

test('the books bill the example of the agreement as it says', async () => {
  const { id } = await desk.begin('weekly');
  const ends = ['2026-03-09', '2026-03-16', '2026-03-23'];
  let settled = FEE_EXAMPLE_DEPOSIT;
  for (const [index, period] of feeExample().entries()) {
    const day = isoText(instant(parseInstant(ends[index]!) - 3 * DAY_MS));
    await desk.earn(id, fromMicro(subtract(period.settled, settled)), day);
    await desk.value(id, fromMicro(subtract(period.worth, period.settled)), day);
    await desk.bill(`${ends[index]}T00:00:00Z`);
    settled = period.settled;
  }
  expect(await desk.bills(id)).toMatchObject(
    feeExample().map(({ bill }) => ({
      profit: fromMicro(bill.profit),
      fee: fromMicro(bill.fee),
      mark: fromMicro(bill.nextHighWaterMark),
    })),
  );
});

test('an open profit waits until it is realised, an open loss comes off at once', async () => {
  const { id } = await desk.begin('weekly');
  await desk.value(id, 800, '2026-03-06T21:00:00Z');
  await desk.bill('2026-03-09T00:00:00Z');
  await desk.earn(id, 800, '2026-03-10T15:00:00Z');
  await desk.value(id, -300, '2026-03-13T21:00:00Z');
  await desk.bill('2026-03-16T00:00:00Z');
  expect(await feesOf(id)).toEqual([0, 150]);
});

test('events at or after the cut-off count in the next period', async () => {
  const { id } = await desk.begin('weekly');
  await desk.earn(id, 100, '2026-03-08T23:59:59.999Z');
  await desk.earn(id, 200, '2026-03-09T00:00:00Z');
  await desk.bill('2026-03-12T00:00:00Z');
  await desk.bill('2026-03-16T00:00:00Z');
  expect(await feesOf(id)).toEqual([30, 60]);
});

test('a deposit is never billed, and after a withdrawal a loss is still recovered whole before anything is', async () => {
  const { id } = await desk.begin('weekly');
  await desk.move(id, 5_000, '2026-03-04T15:00:00Z');
  await desk.bill('2026-03-09T00:00:00Z');
  await desk.earn(id, -3_000, '2026-03-10T15:00:00Z');
  await desk.move(id, -6_000, '2026-03-12T15:00:00Z');
  await desk.bill('2026-03-16T00:00:00Z');
  await desk.earn(id, 2_500, '2026-03-18T15:00:00Z');
  await desk.bill('2026-03-23T00:00:00Z');
  await desk.earn(id, 1_500, '2026-03-25T15:00:00Z');
  await desk.bill('2026-03-30T00:00:00Z');
  expect(await desk.bills(id)).toMatchObject([
    { fee: 0, mark: 15_000 },
    { fee: 0, mark: 9_000 },
    { fee: 0, mark: 9_000 },
    { profit: 1_000, fee: 300, mark: 10_000 },
  ]);
});

test('missed periods are billed in order, and the end of a deployment closes its account', async () => {
  const { id } = await desk.begin('weekly');
  await desk.earn(id, 100, '2026-03-05T15:00:00Z');
  await desk.earn(id, 100, '2026-03-12T15:00:00Z');
  await desk.earn(id, 100, '2026-03-18T15:00:00Z');
  await desk.end(id, '2026-03-18T16:00:00Z');
  const memory = { done: null };
  for (let look = 0; look < 5; look++) await desk.bill('2026-04-30T00:00:00Z', memory);
  expect(await desk.bills(id)).toMatchObject([
    { end: '2026-03-09', closing: false, fee: 30 },
    { end: '2026-03-16', closing: false, fee: 30 },
    { end: '2026-03-18', closing: true, fee: 30 },
  ]);
});

test('a deployment stopped before it traded has a closing bill of zero', async () => {
  const { id } = await desk.begin('monthly');
  await desk.end(id, '2026-03-02T15:00:00Z');
  await desk.bill('2026-03-02T16:00:00Z');
  expect(await desk.bills(id)).toMatchObject([{ closing: true, fee: 0, mark: 10_000 }]);
});

test('a trader that has billed a period detects an end at once, and the next period', async () => {
  const { id } = await desk.begin('weekly');
  const memory = { done: null };
  for (const time of ['00:00', '00:01']) await desk.bill(`2026-03-09T${time}:00Z`, memory);
  await desk.earn(id, 100, '2026-03-10T15:00:00Z');
  await desk.bill('2026-03-10T16:00:00Z', memory);
  expect(await feesOf(id)).toEqual([0]);
  await desk.bill('2026-03-16T00:00:00Z', memory);
  expect(await feesOf(id)).toEqual([0, 30]);
  await desk.end(id, '2026-03-16T15:00:00Z');
  await desk.bill('2026-03-16T15:01:00Z', memory);
  expect(await feesOf(id)).toEqual([0, 30, 0]);
});

test('two concurrent billers bill once', async () => {
  const ids: string[] = [];
  for (let i = 0; i < 20; i++) {
    const { id } = await desk.begin('weekly');
    await desk.earn(id, 100, '2026-03-05T15:00:00Z');
    ids.push(id);
  }
  const staff = { now: parseInstant('2026-03-16T00:00:00Z'), newId: randomUUID };
  const bills = await Promise.all([
    billAllDue(database, staff),
    desk.bill('2026-03-16T00:00:00Z'),
    billAllDue(database, staff),
    desk.bill('2026-03-16T00:00:00Z'),
  ]);
  expect(bills[0] + bills[2]).toBeGreaterThan(0);
  for (const id of ids) expect(await feesOf(id)).toEqual([30, 0]);
});

test('a deployment that ended by a clock ahead of ours is left for later, and holds up nobody', async () => {
  const { id } = await desk.begin('weekly');
  const other = await desk.begin('weekly');
  await desk.earn(other.id, 100, '2026-03-05T15:00:00Z');
  await desk.end(id, '2026-03-24T15:00:00Z');
  await pool.query(`update deployments set billed_through = '2026-03-09T00:00:00Z' where id = $1`, [id]);
  const now = parseInstant('2026-03-10T00:00:00Z');
  expect(await billAllDue(database, { now, newId: randomUUID })).toBe(1);
  expect(await feesOf(other.id)).toEqual([30]);
});

test('a kill at any statement of billing leaves one bill', { timeout: 120_000 }, async () => {
  const real = pool.connect.bind(pool);
  let died = 0;
  for (let diesAt = 1; diesAt <= 20; diesAt++) {
    const { id } = await desk.begin('weekly');
    await desk.earn(id, 100, '2026-03-05T15:00:00Z');
    let statement = 0;
    pool.connect = (async () => {
      const client = await real();
      const query = client.query.bind(client);
      client.query = ((...args: Parameters<typeof query>) => {
        statement += 1;
        // From here on no statement of this process reaches the database.
        if (statement >= diesAt) return Promise.reject(Object.assign(new Error('killed'), { code: '57P01' }));
        return query(...args);
      }) as typeof client.query;
      const release = client.release.bind(client);
      client.release = () => {
        client.query = query;
        client.release = release;
        release(statement >= diesAt);
      };
      return client;
    }) as typeof pool.connect;
    await desk.bill('2026-03-09T00:00:00Z').catch((error: Error) => {
      expect(error.message).toBe('killed');
      died += 1;
    });
    pool.connect = real;
    await desk.bill('2026-03-09T00:00:00Z');
    await desk.bill('2026-03-09T00:00:00Z');
    expect({ diesAt, fees: await feesOf(id) }).toEqual({ diesAt, fees: [30] });
  }
  expect(died).toBeGreaterThan(6);
  expect(died).toBeLessThan(20);
});

describe('in any order', async () => {
  const handle = await testDatabase();
  const desk = await feeDesk(handle);
  /** FEE_ORDERS asks for more orders than fit into every run of all tests. */
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
    {
      weight: 1,
      arbitrary: fc.record({ what: fc.constant('deposit' as const), dollars: dollars(1, 5_000) }),
    },
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

  /** The final state, and all amounts on the way, in dollars. */
  type Account = {
    now: number;
    settled: number;
    putIn: number;
    best: number;
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
      const there = Math.max(0, account.settled);
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
    account.best = Math.max(account.best, account.settled - account.putIn);
  }

  async function move(id: DeploymentId, account: Account, dollars: number, at: string): Promise<void> {
    await desk.move(id, dollars, at);
    account.settled += dollars;
    account.putIn += dollars;
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
            hasEnded: false,
          };
          for (const event of events) await happen(id, account, event);
          // A look bills one period of each, until none is left.
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
          // A hundredth of a cent for floating-point error of these sums.
          expect(total).toBeLessThanOrEqual(0.3 * account.best + 1e-4);
          expect(await desk.violations()).toEqual([]);
          expect(desk.problems).toEqual([]);
        },
      ),
      { numRuns: FEE_ORDERS },
    );
    expect(seen.bills).toBeGreaterThan(FEE_ORDERS);
    expect(seen.fees).toBeGreaterThan(0);
  });
});
