// What can happen to a deployment, as the engine sees it. The trader and the backtest feed the same events to step.
import type { ClientOrderId, Symbol } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';
import type { Adjustment } from './market/adjustment.ts';
import type { CoinFee, PositionEvent } from './market/position-event.ts';
import type { Marks } from './market/instrument.ts';
import type { Quantity } from '#units/quantity.ts';
import type { Fill } from './order/order.ts';

export type TargetWeight = {
  readonly symbol: Symbol;
  /**
   * Share of equity, signed: 0.5 is half of it long, -0.25 a quarter short. Of an option it is what its strike controls,
   * so that the number of contracts does not hang on a premium.
   */
  readonly weight: number;
};

export type EngineEvent =
  /** The strategy says what to hold; sizes are computed from these marks. An instrument it does not name is to be zero. */
  | {
      readonly type: 'target';
      readonly at: Instant;
      readonly id: string;
      readonly weights: readonly TargetWeight[];
      readonly marks: Marks;
    }
  /** Prices moved: equity, peak, freeze and stop losses are checked again. */
  | { readonly type: 'mark'; readonly at: Instant; readonly marks: Marks }
  | { readonly type: 'fill'; readonly at: Instant; readonly fill: Fill }
  /** An order ended with something unfilled: cancelled, rejected or expired. */
  | { readonly type: 'order_ended'; readonly at: Instant; readonly clientOrderId: ClientOrderId }
  /** The venue has only `available` of what an exit would close: an order of that quantity takes its place. It has not left. */
  | {
      readonly type: 'resize_exit';
      readonly at: Instant;
      readonly clientOrderId: ClientOrderId;
      /** Of the order that is resized. */
      readonly cause: string;
      readonly available: Quantity;
    }
  /** A split, a dividend, a swap, an expiry, a fee in coins or an adjustment: not an order, but it changes what is held. */
  | {
      readonly type: 'position_event';
      readonly at: Instant;
      readonly event: PositionEvent | CoinFee | Adjustment;
      /** What was held when it happened; without it, what is held now. */
      readonly entitled?: Quantity;
    }
  /** Sell everything: a stop or an approved liquidation. `id` names the request. */
  | { readonly type: 'liquidate'; readonly at: Instant; readonly id: string; readonly marks: Marks };
