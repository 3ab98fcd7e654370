// Lets those in whose turn it is once a strategy has room again: one transaction for each strategy, with what they are told. Whoever was
// let in before a crash is in, and nobody else. Done once for all traders.
import { insertNotifications } from '#records/notifications/notifications-outbox.ts';
import { admitWaiting, type LetIn, listQueues } from '#records/strategies/capacity-queue.ts';
import type { NotificationId } from '#units/identifiers.ts';
import { noteProblem, type TradingContext } from '../trading-context.ts';

export async function admitFromQueues(context: TradingContext): Promise<void> {
  for (const { id, versionId } of await listQueues(context.database)) {
    try {
      const { now: at, newId, database, lease } = await context.atPresent();
      await database.transaction().execute(async (trx) => {
        await lease.fenceMarket(trx);
        const letIn = await admitWaiting(trx, id);
        await insertNotifications(
          trx,
          letIn.map((one) => ({
            id: newId() as NotificationId,
            userId: one.userId,
            deploymentId: one.deploymentId,
            facts: factsOf(one),
            cause: `capacity:${id}:${one.place}`,
            at,
          })),
        );
      });
    } catch (error) {
      const about = { kind: 'strategy_failing', subject: versionId, task: 'queue' } as const;
      noteProblem(context, `queue of strategy ${id}`, error, about);
    }
  }
}

const factsOf = ({ strategyName, amount, flowId }: LetIn) =>
  ({ kind: 'capacity_admitted', strategyName, amount, adds: flowId !== null }) as const;
