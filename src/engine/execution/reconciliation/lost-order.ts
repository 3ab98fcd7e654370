// Orders that the broker has under one of our ids and that our records do not know: they were sent after the moment to which
// the database was restored. A client order id derives from its decision, so that the decision can be found again by trying
// what could have been decided: nobody needs to remember it.
import type { ClientOrderId, DeploymentId, Symbol } from '#units/identifiers.ts';
import { clientOrderId, type OrderCause } from '../../order/client-order-id.ts';
import { MARGIN_CAUSE, STOP_LOSS_CAUSE } from '../../order/order-causes.ts';
import { protectiveCause } from '../../risk/protective-stop.ts';

/** A deployment that may have decided it. */
export type Suspect = {
  readonly deploymentId: DeploymentId;
  readonly stopLossPercentage: number;
  /** The targets that it may have followed. */
  readonly targets: readonly string[];
};

/** Whether an id has the form of ours. */
export function isOurId(id: ClientOrderId | null): id is ClientOrderId {
  return id !== null && /^BW[0-9A-HJKMNP-TV-Z]{26}$/.test(id);
}

/** The decision behind an id, or null when none of these deployments made it. */
export function findDecision(
  { id, symbol }: { readonly id: ClientOrderId; readonly symbol: Symbol },
  suspects: readonly Suspect[],
): OrderCause | null {
  for (const { deploymentId, stopLossPercentage, targets } of suspects) {
    const decisions = [
      ...targets.map((cause) => ({ cause, purpose: 'rebalance' }) as const),
      { cause: STOP_LOSS_CAUSE, purpose: 'stop_loss' } as const,
      { cause: MARGIN_CAUSE, purpose: 'margin_call' } as const,
      { cause: protectiveCause(stopLossPercentage), purpose: 'protective' } as const,
      ...CLOSING.map((cause) => ({ cause, purpose: 'liquidation' }) as const),
    ];
    for (const decision of decisions) {
      for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
        const cause = { ...decision, deploymentId, symbol, attempt };
        if (clientOrderId(cause) === id) return cause;
      }
    }
  }
  return null;
}

/** The statuses in which a deployment sells everything: the cause of those orders. */
const CLOSING = ['stopping', 'liquidating'] as const;

const ATTEMPTS_MAX = 50;
