import { setStatus } from '../support/deployment-commands.ts';
import { expect, test } from 'vitest';
import { feeDesk } from '../support/fee-desk.ts';
import { testDatabase } from '../support/test-database.ts';
import { applyCommands } from '#trader/lifecycle/apply-commands.ts';

const handle = await testDatabase();
const desk = await feeDesk(handle);
const { pool } = handle;
/** BILLING_TRIALS asks for more than fit into every run of all tests. */
const BILLING_TRIALS = Number(process.env.BILLING_TRIALS ?? 100);
const NOW = '2026-03-09T00:00:05Z';

/** Leaves the processor to others for none, some or many turns, so that each trial meets at another place. */
const turns = async (count: number) => {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve));
};

test(`in ${BILLING_TRIALS} bills against the end of a liquidation each comes wholly before or after the other`, {
  timeout: 60_000 + BILLING_TRIALS * 500,
}, async () => {
  const counts = { billFirst: 0, endFirst: 0 };
  let ahead = 0;
  for (let trial = 0; trial < BILLING_TRIALS; trial++) {
    const { id } = await desk.begin('weekly');
    await desk.earn(id, 100, '2026-03-05T15:00:00Z');
    await desk.earn(id, 50, '2026-03-09T00:00:01Z');
    await setStatus(pool, id, 'liquidating');
    const billing = desk.bill(NOW);
    await turns(ahead);
    await applyCommands(desk.at(NOW));
    const { rows } = await pool.query(
      `select d.status, exists (select from fee_bills b where b.deployment_id = d.id) as billed from deployments d where d.id = $1`,
      [id],
    );
    expect(rows[0].status).toBe('liquidated');
    await billing;
    for (let look = 0; look < 2; look++) await desk.bill(NOW);
    expect({ trial, bills: await desk.bills(id) }).toMatchObject({
      trial,
      bills: [
        { end: '2026-03-09', closing: false, fee: 30, mark: 10_100 },
        { end: '2026-03-09', closing: true, fee: 15, mark: 10_150 },
      ],
    });
    // The start homes in on where the two meet, however fast the machine is, and so most trials are close ones.
    ahead = rows[0].billed ? Math.floor(ahead * 0.8) : Math.ceil(ahead * 1.2) + 5;
    counts[rows[0].billed ? 'billFirst' : 'endFirst'] += 1;
  }
  expect(await desk.violations()).toEqual([]);
  expect(desk.problems).toEqual([]);
  // Both ends of the race were seen, or it was none.
  expect(counts.billFirst).toBeGreaterThan(0);
  expect(counts.endFirst).toBeGreaterThan(0);
});
