// Which valuation a bill is made of where the trading day goes on past the end of the period.
import { expect, test } from 'vitest';
import { feeDesk } from '#tests/support/fee-desk.ts';
import { testDatabase } from '#tests/support/test-database.ts';

const handle = await testDatabase();
const desk = await feeDesk(handle);
const { pool } = handle;

test.each(['weekly', 'monthly'] as const)(
  'a %s bill takes the last valuation before its end, also when the row of that trading day was written again after it',
  async (length) => {
    const { id } = await desk.begin(length);
    // Both periods end at midnight UTC: on Monday the 1st of June.
    await desk.earn(id, 1_000, '2026-05-28T15:00:00Z');
    await desk.value(id, -100, '2026-05-28T20:00:00Z');
    await desk.value(id, -400, '2026-05-29T20:00:00Z');
    // The next session has not begun: on Monday morning the row of Friday goes on.
    for (const [open, at] of [
      [-450, '2026-05-31T23:59:00Z'],
      [-900, '2026-06-01T00:00:30Z'],
      [-950, '2026-06-01T06:00:00Z'],
    ] as const)
      await desk.value(id, open, at, '2026-05-29');
    for (let look = 0; look < 16; look++) await desk.bill('2026-06-01T07:00:00Z');
    const { rows } = await pool.query(
      `select worth_micro, worth_at, fee_micro from fee_bills where deployment_id = $1 order by number desc limit 1`,
      [id],
    );
    expect(rows).toEqual([
      { worth_micro: '10550000000', worth_at: new Date('2026-05-31T23:59:00Z'), fee_micro: '165000000' },
    ]);
  },
);

test('a row that is written again within one period keeps nothing beside it', async () => {
  const { id } = await desk.begin('weekly');
  for (const [open, at] of [
    [10, '2026-06-02T15:00:00Z'],
    [20, '2026-06-02T20:00:00Z'],
    [30, '2026-06-03T02:00:00Z'],
  ] as const)
    await desk.value(id, open, at, '2026-06-02');
  expect((await pool.query('select from cut_off_marks where deployment_id = $1', [id])).rowCount).toBe(0);
});
