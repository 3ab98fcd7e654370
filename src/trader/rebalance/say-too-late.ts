// Says at each deployment, once, that a target came too late to be traded.
import { insertReceipts, listWithoutReceipt } from '#records/deployments/receipts.ts';
import type { TargetRecord } from '#records/strategies/targets.ts';
import type { DeploymentId } from '#units/identifiers.ts';
import { isoText } from '#units/instant.ts';
import type { TradedVersion } from '../strategies/traded-version.ts';
import { noteProblem, type TradingContext } from '../trading-context.ts';
import { runInBatches } from './run-in-batches.ts';

export async function sayTooLate(
  context: TradingContext,
  version: TradedVersion,
  target: TargetRecord,
  ids: readonly DeploymentId[],
): Promise<void> {
  const said = context.targetCache.saidLate(target);
  const unsaid = ids.filter((id) => !said.has(id));
  if (unsaid.length === 0) return;
  const { strategyName, definition } = version;
  const error = new Error(
    `the target of ${isoText(target.asOf)} is older than ${definition.interval}: it is not traded`,
  );
  const about = { kind: 'strategy_failing', subject: version.id, task: 'late' } as const;
  noteProblem(context, `fan-out of ${strategyName}`, error, about);
  await runInBatches(context, {
    task: 'fan-out',
    ids: unsaid,
    isTrading: false,
    work: async (trx, batch, { now: at }) => {
      const refusals = definition.universe.map((symbol) => ({ symbol, code: 'too_late' }) as const);
      await insertReceipts(
        trx,
        (await listWithoutReceipt(trx, batch, target.id)).map((deploymentId) => ({
          deploymentId,
          targetId: target.id,
          at,
          cause: 'target',
          refusals,
          decision: null,
        })),
      );
      for (const id of batch) said.add(id);
    },
  });
}
