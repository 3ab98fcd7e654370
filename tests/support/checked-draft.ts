// A draft as the worker leaves it once its author has tested and attacked it.
import { randomUUID } from 'node:crypto';
import type { AttackVerdict } from '../../src/engine/evidence/attack/attack-result.ts';
import { saveAttack } from '#records/results/attacks.ts';
import type { BacktestJobId, StrategyVersionId } from '../../src/units/identifiers.ts';
import { instant } from '../../src/units/instant.ts';
import type { TestApp } from './test-app.ts';
import { saveResult } from './test-strategy.ts';

type Records = { readonly records: Pick<TestApp['records'], 'pool' | 'database'> };

/** Its newest version, tested and attacked. */
export async function checkedDraft(
  app: Records,
  id: string,
  verdict: AttackVerdict = 'withstood',
): Promise<void> {
  await testedDraft(app, id);
  await attackedDraft(app, id, verdict);
}

export async function testedDraft({ records }: Records, id: string): Promise<void> {
  await saveResult(records, await newestVersion(records, id));
}

export async function attackedDraft({ records }: Records, id: string, verdict: AttackVerdict): Promise<void> {
  await saveAttack(records.database, randomUUID() as string as BacktestJobId, {
    versionId: await newestVersion(records, id),
    definitionHash: 'h',
    engineHash: 'e',
    dataHash: 'd',
    verdict,
    results: [
      { code: 'luck', outcome: 'survived', figure: 0.97, threshold: 0.95 },
      { code: 'best_trades', outcome: 'failed', figure: -0.02, threshold: 0 },
      { code: 'crises', outcome: 'not_run', reason: 'simulated_prices' },
    ],
    tries: 3,
    at: instant(Date.UTC(2026, 0, 2)),
  });
}

async function newestVersion({ pool }: Records['records'], id: string): Promise<StrategyVersionId> {
  const { rows } = await pool.query<{ id: StrategyVersionId }>(
    'select id from strategy_versions where strategy_id = $1 order by number desc limit 1',
    [id],
  );
  return rows[0]!.id;
}
