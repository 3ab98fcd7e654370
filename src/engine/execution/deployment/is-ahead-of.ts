import type { Instant } from '#units/instant.ts';
import type { DeploymentSnapshot } from './deployment-snapshot.ts';

export type Written = {
  readonly record: Pick<DeploymentSnapshot['record'], 'deployedAt' | 'markedAt'>;
  readonly openOrders: readonly {
    readonly decided: { readonly decidedAt: Instant };
    readonly sentAt: Instant | null;
  }[];
};

/**
 * Whether a deployment or one of its orders was written at a later reading of the market's clock: by the API or another
 * trader a moment ago. Nothing is decided, sent or ended until this clock has caught up.
 */
export function isAheadOf(now: Instant, { record, openOrders }: Written): boolean {
  const at = [
    record.deployedAt,
    record.markedAt,
    ...openOrders.flatMap(({ decided, sentAt }) => [decided.decidedAt, sentAt]),
  ];
  return at.some((written) => written !== null && written > now);
}
