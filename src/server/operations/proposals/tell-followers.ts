import { randomUUID } from 'node:crypto';
import { insertNotifications } from '#records/notifications/notifications-outbox.ts';
import type { Transaction } from '#records/postgres/database.ts';
import { type Follower, listFollowers } from '#records/strategies/next-version.ts';
import type { NoticeFacts } from '#rules/notifications/notice-text.ts';
import type { DeploymentId, NotificationId, StrategyId } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';

type News = {
  readonly factsFor: (follower: Pick<Follower, 'strategyName' | 'version'>) => NoticeFacts;
  /** One event, one notice for each deployment. */
  readonly cause: string;
  /** Trading clock. */
  readonly at: Instant;
  /** Those who hear of it otherwise. */
  readonly except?: ReadonlySet<DeploymentId>;
};

/** One notice for each deployment of the strategy that has not ended, in the transaction of what happened. */
export async function tellFollowers(
  trx: Transaction,
  strategyId: StrategyId,
  { factsFor, cause, at, except = new Set() }: News,
): Promise<void> {
  const followers = (await listFollowers(trx, strategyId)).filter(
    ({ deploymentId }) => !except.has(deploymentId),
  );
  await insertNotifications(
    trx,
    followers.map(({ deploymentId, userId, strategyName, version }) => ({
      id: randomUUID() as string as NotificationId,
      userId,
      deploymentId,
      facts: factsFor({ strategyName, version }),
      cause: `${cause}:${deploymentId}`,
      at,
    })),
  );
}
