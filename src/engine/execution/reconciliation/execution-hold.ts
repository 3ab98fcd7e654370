// Why a reported execution is not booked yet: a code of a closed list with its parameters.
import type { ExecutionId } from '#units/identifiers.ts';
import type { Side } from '../../order/order.ts';

export type ExecutionHold =
  /** It names no order, and could belong to one whose fate is unknown. */
  | { readonly code: 'order_unconfirmed' }
  /** It names an order of ours that the restored records do not have, and nobody knows whose it was. */
  | { readonly code: 'order_lost' }
  /** An earlier revision of it is booked. */
  | { readonly code: 'revises_booked'; readonly booked: ExecutionId; readonly takesBack: boolean }
  | { readonly code: 'instrument_unknown'; readonly symbol: string }
  /** Its order has another instrument or the other side. */
  | { readonly code: 'order_differs'; readonly execution: Traded; readonly order: Traded }
  | { readonly code: 'overfill' }
  /** In the quote currency. */
  | { readonly code: 'price_not_positive'; readonly price: number };

export type Traded = { readonly side: Side; readonly symbol: string };
