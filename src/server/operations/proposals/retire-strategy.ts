import { randomUUID } from 'node:crypto';
import { insertNotifications } from '#records/notifications/notifications-outbox.ts';
import type { Proposal } from '#records/operations/proposals.ts';
import type { Transaction } from '#records/postgres/database.ts';
import { closeQueue, retireStrategy } from '#records/strategies/capacity-queue.ts';
import { type NotificationId, type StrategyId } from '#units/identifiers.ts';
import { type Instant, type IsoDate, isoText } from '#units/instant.ts';
import { tellFollowers } from './tell-followers.ts';

type Approval = { readonly now: Instant; readonly marketAt: Instant | null };

/**
 * It takes no more money from now on, and whoever waits for room leaves the queue. With an end day the trader closes what is in it
 * after the close of that day; everybody is told which.
 */
export async function retire(
  trx: Transaction,
  { id, subject, until }: Pick<Proposal, 'id' | 'subject' | 'until'>,
  { now, marketAt }: Approval,
): Promise<void> {
  const strategyId = subject as StrategyId;
  const at = marketAt ?? now;
  const endsOn = until === null ? null : (until.toISOString().slice(0, 10) as IsoDate);
  await retireStrategy(trx, strategyId, endsOn);
  const left = await closeQueue(trx, strategyId, isoText(at));
  const waited = new Set(
    left.filter(({ flowId }) => flowId === null).map(({ deploymentId }) => deploymentId),
  );
  await insertNotifications(
    trx,
    left.map(({ place, userId, deploymentId, strategyName, amount, flowId }) => ({
      id: randomUUID() as string as NotificationId,
      userId,
      deploymentId,
      facts: { kind: 'queue_closed', strategyName, amount, adds: flowId !== null },
      cause: `queue_closed:${strategyId}:${place}`,
      at,
    })),
  );
  await tellFollowers(trx, strategyId, {
    factsFor: (follower) => ({ kind: 'strategy_retired', ...follower, endsOn }),
    cause: `strategy_retired:${id}`,
    at,
    except: waited,
  });
}
