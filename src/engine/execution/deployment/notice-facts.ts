// What trading notifies people of: a code of a closed list with its parameters. `rules/notifications` writes the words.
import type { Micro } from '#units/money.ts';
import type { Quantity } from '#units/quantity.ts';
import type { FailingTask, NamedOrder } from '../../lifecycle/status-reason.ts';
import type { Side } from '../../order/order.ts';
import type { TripwireChoice } from '../../risk/tripwire.ts';
import type { FlowKind, FlowReason } from '../flows/flow.ts';
import type { EndReason } from '../orders/order-reason.ts';

/** Kept as JSON. */
export type TradingNotice =
  | { readonly kind: 'trading_started' | 'resumed'; readonly strategyName: string }
  /** `atBroker`: the orders that may still fill there. */
  | {
      readonly kind: 'paused' | 'stopping';
      readonly strategyName: string;
      readonly atBroker: readonly NamedOrder[];
    }
  | {
      readonly kind: 'order_filled';
      readonly strategyName: string;
      readonly side: Side;
      readonly quantity: Quantity;
      readonly symbol: string;
      readonly price: number;
      /** The currency the instrument is quoted in, ISO 4217. */
      readonly currency: string;
      readonly commission: Micro;
      /** Realised profit before commission; null when it closed nothing. */
      readonly profit: Micro | null;
      readonly isProtective: boolean;
    }
  | {
      readonly kind: 'order_not_filled';
      readonly strategyName: string;
      readonly side: Side;
      readonly quantity: Quantity;
      readonly symbol: string;
      readonly reason: EndReason;
      readonly isProtective: boolean;
    }
  | {
      readonly kind: 'stop_loss';
      readonly strategyName: string;
      readonly symbol: string;
      readonly lossPercent: number;
    }
  | { readonly kind: 'frozen'; readonly strategyName: string; readonly drawdownPercent: number }
  /** Over `days` compared days its returns are lower than the published ones make likely, or worse. */
  | { readonly kind: 'tripwire_amber'; readonly strategyName: string; readonly days: number }
  | {
      readonly kind: 'tripwire_red';
      readonly strategyName: string;
      readonly days: number;
      readonly choice: TripwireChoice;
    }
  | { readonly kind: 'stopped' | 'liquidated'; readonly strategyName: string; readonly cash: Micro }
  /** `investment`: put in less taken out, after it. `moved` is less than `requested` where no more was freed. */
  | {
      readonly kind: 'money_added' | 'money_withdrawn';
      readonly strategyName: string;
      readonly requested: Micro;
      readonly moved: Micro;
      readonly investment: Micro;
    }
  | {
      readonly kind: 'flow_refused';
      readonly strategyName: string;
      readonly flow: FlowKind;
      readonly requested: Micro;
      readonly reason: FlowReason;
    }
  | { readonly kind: 'failed'; readonly strategyName: string; readonly failing: FailingTask }
  | { readonly kind: 'broker_disconnected'; readonly brokerName: string }
  | { readonly kind: 'broker_reconnected'; readonly brokerName: string }
  /** After a silence, with the owner's choice for one that long. */
  | {
      readonly kind: 'broker_reconnected';
      readonly strategyName: string;
      readonly unresponsiveMinutes: number;
      readonly requested: 'paused' | 'stopped';
    }
  | { readonly kind: 'position_changed'; readonly strategyName: string; readonly holding: PositionEventFacts }
  /** The stored figures of the deployment were set to what its executions make of them. */
  | {
      readonly kind: 'figures_rebuilt';
      readonly strategyName: string;
      readonly before: Micro;
      readonly after: Micro;
    }
  | { readonly kind: 'margin_call'; readonly strategyName: string; readonly symbol: string };

/** `contracts` and `shares` are texts ready to show. */
export type PositionEventFacts =
  | {
      readonly type: 'exercise' | 'assignment';
      readonly symbol: string;
      readonly right: 'call' | 'put';
      readonly contracts: string;
      readonly shares: string;
      readonly side: Side;
      readonly underlying: string;
      readonly strike: number;
      readonly isEarly: boolean;
    }
  | {
      readonly type: 'expiry';
      readonly symbol: string;
      readonly side: 'long' | 'short';
      /** Zero for an option that ended worthless. */
      readonly price: number;
    }
  /** Late: for a trade before the ex-date that was reported after it. */
  | { readonly type: 'dividend' | 'late dividend'; readonly symbol: string; readonly paid: Micro }
  /** The broker's figure, where an estimate was booked. */
  | {
      readonly type: 'stated';
      readonly symbol: string;
      readonly of: 'dividend' | 'swap' | 'delivery';
      readonly stated: Micro;
      readonly estimate: Micro;
    }
  | { readonly type: 'split'; readonly symbol: string; readonly ratio: number }
  /** `explanation` is the end of a sentence: the correction, and its reason. */
  | { readonly type: 'adjustment'; readonly symbol: string; readonly explanation: string };
