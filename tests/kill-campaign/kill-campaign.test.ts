import { expect, test } from 'vitest';
import { runCampaign } from './campaign.ts';

/** Continuous integration asks for more. */
const STRIKES = Number(process.env.KILLS ?? 10);

test(`${STRIKES} strikes at traders and database double, lose, orphan and unbalance nothing`, {
  timeout: 1_800_000,
}, async () => {
  const { findings } = await runCampaign(STRIKES, { seed: 1, say: () => undefined });
  const { orders, fills, ...wrong } = findings;
  expect(wrong).toEqual({ doubled: [], lost: [], orphaned: [], unbalanced: [] });
  expect(Math.min(orders, fills)).toBeGreaterThan(0);
});
