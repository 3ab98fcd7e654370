import { randomUUID } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import { feeDesk } from '../../../tests/support/fee-desk.ts';
import { testDatabase } from '../../../tests/support/test-database.ts';
import { parseInstant } from '#units/instant.ts';
import { billAllDue } from './bill-fees.ts';
import { shownNotices } from '../../../tests/support/shown-notices.ts';

const handle = await testDatabase();
const desk = await feeDesk(handle);
const { pool, database } = handle;

afterEach(async () => {
  expect(desk.problems).toEqual([]);
  expect(await desk.violations()).toEqual([]);
});

const feesOf = async (id: string) => (await desk.bills(id as never)).map(({ fee }) => fee);

test('the profit of a month is billed once, booked as owed, and the owner is told', async () => {
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
        'On the floor: by 2026-03-31 it earned $1,000 above its high-water mark of $10,000. The fee is $300. It is invoiced separately: nothing is taken from your broker account.',
    },
  ]);
  const { rows: mailed } = await pool.query(
    `select from mails m join notifications n on n.id = m.notification_id where n.user_id = $1`,
    [person.user],
  );
  expect(mailed).toHaveLength(1);
});

test('a fee leaves cash, equity and result of the deployment as they were', async () => {
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

test('an open profit waits until it is realised, an open loss comes off at once', async () => {
  const { id } = await desk.begin('weekly');
  await desk.value(id, 800, '2026-03-06T21:00:00Z');
  await desk.bill('2026-03-09T00:00:00Z');
  await desk.earn(id, 800, '2026-03-10T15:00:00Z');
  await desk.value(id, -300, '2026-03-13T21:00:00Z');
  await desk.bill('2026-03-16T00:00:00Z');
  expect(await feesOf(id)).toEqual([0, 150]);
});

test('what happens at or after the cut-off counts in the next period', async () => {
  const { id } = await desk.begin('weekly');
  await desk.earn(id, 100, '2026-03-08T23:59:59.999Z');
  await desk.earn(id, 200, '2026-03-09T00:00:00Z');
  await desk.bill('2026-03-12T00:00:00Z');
  await desk.bill('2026-03-16T00:00:00Z');
  expect(await feesOf(id)).toEqual([30, 60]);
});

test('money put in is never billed, and money taken out lowers the mark in proportion', async () => {
  const { id } = await desk.begin('weekly');
  await desk.move(id, 5_000, '2026-03-04T15:00:00Z');
  await desk.bill('2026-03-09T00:00:00Z');
  await desk.earn(id, -3_000, '2026-03-10T15:00:00Z');
  await desk.move(id, -6_000, '2026-03-12T15:00:00Z');
  await desk.bill('2026-03-16T00:00:00Z');
  await desk.earn(id, 2_500, '2026-03-18T15:00:00Z');
  await desk.bill('2026-03-23T00:00:00Z');
  expect(await desk.bills(id)).toMatchObject([
    { fee: 0, mark: 15_000 },
    { fee: 0, mark: 7_500 },
    { profit: 1_000, fee: 300, mark: 8_500 },
  ]);
});

test('periods that nobody looked at are billed in their order, and the end of a deployment closes its account', async () => {
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

test('one that is stopped before it traded has a closing bill of nothing', async () => {
  const { id } = await desk.begin('monthly');
  await desk.end(id, '2026-03-02T15:00:00Z');
  await desk.bill('2026-03-02T16:00:00Z');
  expect(await desk.bills(id)).toMatchObject([{ closing: true, fee: 0, mark: 10_000 }]);
});

test('a trader that has billed a period notices an end at once, and the next period', async () => {
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

test('two that bill at the same time bill once', async () => {
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

test('a kill at any statement of billing leaves one bill', { timeout: 120_000 }, async () => {
  const real = pool.connect.bind(pool);
  let died = 0;
  for (let diesAt = 1; diesAt <= 12; diesAt++) {
    const { id } = await desk.begin('weekly');
    await desk.earn(id, 100, '2026-03-05T15:00:00Z');
    let statement = 0;
    pool.connect = (async () => {
      const client = await real();
      const query = client.query.bind(client);
      client.query = ((...args: Parameters<typeof query>) => {
        statement += 1;
        // From here on nothing of this process reaches the database any more.
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
  expect(died).toBeLessThan(12);
});
