// Why an execution that a broker reported is not booked yet: a code of a closed list, and what that code speaks of.
import type { ExecutionId } from '#units/identifiers.ts';
import type { Side } from '../../order/order.ts';

export type ExecutionHold =
  /** It names no order, and could be of one of which it is not known what became of it. */
  | { readonly code: 'order_unconfirmed' }
  /** An earlier revision of it is booked. */
  | { readonly code: 'revises_booked'; readonly booked: ExecutionId; readonly takesBack: boolean }
  | { readonly code: 'instrument_unknown'; readonly symbol: string }
  /** Its order is of another instrument or the other side. */
  | { readonly code: 'order_differs'; readonly execution: Traded; readonly order: Traded }
  | { readonly code: 'overfill' };

export type Traded = { readonly side: Side; readonly symbol: string };
