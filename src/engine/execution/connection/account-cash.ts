// The cash of a broker account that deployments may claim: what the broker reported less what live deployments have
// not spent. It promises that no reading makes the same dollar available twice.
import { MINUTE_MS, SECOND_MS } from '#units/instant.ts';
import type { DeploymentId } from '#units/identifiers.ts';
import { add, type Micro, micro, subtract } from '#units/money.ts';
import type { BrokerFailureCode } from './broker-failure.ts';

/** Unspent cash by live deployment of the account. */
export type Claims = ReadonlyMap<DeploymentId, Micro>;

export type AccountCash = {
  readonly cash: Micro;
  readonly claimed: Micro;
};

/**
 * What the deployments claim of a reading that the broker made at some time between `before` and `after`. A fill that
 * was booked in between may be in the reading or not, so the larger claim of each deployment counts.
 */
export function claimedCash(before: Claims, after: Claims): Micro {
  const ids = new Set([...before.keys(), ...after.keys()]);
  return add(...[...ids].map((id) => micro(Math.max(0, before.get(id) ?? 0, after.get(id) ?? 0))));
}

/** Never negative. */
export function availableCash({ cash, claimed }: AccountCash): Micro {
  return micro(Math.max(0, subtract(cash, claimed)));
}

export type AwaitingCash = { readonly id: DeploymentId; readonly cash: Micro };

/**
 * The deployments that the account's cash covers, of those that were made before it was known, oldest first. `claimed`
 * includes their claims. One that is too large for the account leaves its share to those after it.
 */
export function coveredDeployments(
  { cash, claimed }: AccountCash,
  awaiting: readonly AwaitingCash[],
): ReadonlySet<DeploymentId> {
  let free = subtract(add(cash, ...awaiting.map((one) => one.cash)), claimed);
  const covered = new Set<DeploymentId>();
  for (const { id, cash: needed } of awaiting) {
    if (needed > free) continue;
    covered.add(id);
    free = subtract(free, needed);
  }
  return covered;
}

/**
 * How long an account's cash is not renewed after a failure, null for one that is not the broker's; a request asks all the
 * same. Where a person must act, asking more often only costs requests.
 */
export function renewalPauseMs(code: BrokerFailureCode | null): number {
  return code === 'unauthorized' || code === 'refused' ? 10 * MINUTE_MS : 30 * SECOND_MS;
}

/** An older reading is asked for again before money is deployed on it. */
export const CASH_FRESH_MS = 120 * SECOND_MS;
/** How old a reading becomes before the trader renews it, and how old while a deployment waits for it. */
export const CASH_RENEWED_MS = 60 * SECOND_MS;
export const CASH_AWAITED_MS = 3 * SECOND_MS;
