import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { definitionOf } from '#tests/support/engine/sample-definitions.ts';
import { getTrialLedger } from '#records/results/trials.ts';
import type { StrategyId, StrategyVersionId } from '#units/identifiers.ts';
import { instantOfDate } from '#units/instant.ts';
import { testDatabase } from '../../../tests/support/test-database.ts';
import { countEarlierTries } from './count-earlier-tries.ts';

test('tries from before the publication are in the ledger, each once', async () => {
  const { database, close } = await testDatabase();
  const version = {
    strategyId: randomUUID() as string as StrategyId,
    versionId: randomUUID() as string as StrategyVersionId,
    committedAt: instantOfDate('2026-01-05'),
    definition: definitionOf({
      universe: ['AAA'],
      rule: { type: 'signals', enterLong: { op: 'above', left: 'close', right: 10 } },
    }),
  };
  const tries = [
    { model: 'trees', rules: 'weekly', sharpe: 0.8 },
    { model: 'trees', rules: 'monthly', sharpe: -0.2 },
  ];
  for (let start = 0; start < 2; start++)
    await countEarlierTries(database, version, { periods: 2_515, tries });
  const { count, sharpes } = await getTrialLedger(database, version.strategyId);
  expect(count).toBe(2);
  expect([...sharpes]).toEqual([0.8 / Math.sqrt(252), -0.2 / Math.sqrt(252)]);
  await close();
});
