import type { ExecutionHold } from '#engine/execution/reconciliation/execution-hold.ts';

/** Why an execution is not booked yet, as our support reads it: the end of a sentence, without a full stop. */
export function executionHold(hold: ExecutionHold): string {
  switch (hold.code) {
    case 'order_unconfirmed':
      return 'it may belong to an order whose fate is not known yet';
    case 'order_lost':
      return 'its order was sent after the moment to which the database was restored';
    case 'revises_booked':
      return `it ${hold.takesBack ? 'takes back' : 'changes'} the execution ${hold.booked}, which is booked`;
    case 'instrument_unknown':
      return `${hold.symbol} is not in the catalogue`;
    case 'order_differs': {
      const { execution, order } = hold;
      return `it is a ${execution.side} of ${execution.symbol}, the order a ${order.side} of ${order.symbol}`;
    }
    case 'overfill':
      return 'it would fill more than was ordered';
    case 'price_not_positive':
      return `its price is ${hold.price}, and our orders trade at positive prices only`;
    default:
      return hold satisfies never;
  }
}
