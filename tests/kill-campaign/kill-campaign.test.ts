import { expect, test } from 'vitest';
import { runCampaign } from './campaign.ts';

test('thirty strikes at traders and database double, lose, orphan and unbalance nothing', {
  timeout: 900_000,
}, async () => {
  const { findings } = await runCampaign(30, { seed: 1, say: () => undefined });
  const { orders, fills, ...wrong } = findings;
  expect(wrong).toEqual({ doubled: [], lost: [], orphaned: [], unbalanced: [] });
  expect(Math.min(orders, fills)).toBeGreaterThan(0);
});
