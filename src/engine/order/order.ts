// An order as the engine decides it. Only engine/risk makes an ApprovedOrder, and the broker port accepts nothing else.
import type { ClientOrderId, DeploymentId, Symbol } from '#units/identifiers.ts';
import type { Instant, IsoDate } from '#units/instant.ts';
import type { StoppingEvent } from '../market/security-change.ts';
import type { Micro } from '#units/money.ts';
import type { Quantity } from '#units/quantity.ts';

export type Side = 'buy' | 'sell';

/**
 * Why an order exists. 'rebalance' follows a strategy's target; the others only ever reduce exposure. A 'protective'
 * order works at the broker until its stop price trades.
 */
export type OrderPurpose = 'rebalance' | 'stop_loss' | 'margin_call' | 'liquidation' | 'protective';

export type OrderDraft = {
  readonly symbol: Symbol;
  readonly side: Side;
  /** Positive, a whole multiple of the instrument's step. */
  readonly quantity: Quantity;
  /**
   * The order does not fill beyond this price: the collar that keeps cash from going negative. For a protective order
   * it is the price that triggers it; it then fills at the market price.
   */
  readonly limitPrice: number;
  /** The mark that the size was computed from. */
  readonly referencePrice: number;
  readonly purpose: OrderPurpose;
  /** Its cause: a target's id, or a stable name such as 'stop-loss:SPY:1'. Part of the client order id. */
  readonly cause: string;
  readonly decidedAt: Instant;
};

declare const approved: unique symbol;

export type ApprovedOrder = OrderDraft & {
  readonly [approved]: true;
  readonly deploymentId: DeploymentId;
  readonly clientOrderId: ClientOrderId;
  readonly attempt: number;
};

/** An order that the limits do not allow, or not in full. */
export type RefusedOrder = { readonly symbol: Symbol } & Refusal;

/** Why not, with the parameters of the reason. `rules/reasons/refusal-reason.ts` has the sentences. */
export type Refusal =
  | { readonly code: PlainCode }
  | { readonly code: 'max_allocation'; readonly limitPercent: number; readonly askedPercent: number }
  /** `least`: the smallest quantity that trades. */
  | { readonly code: 'below_one_step'; readonly least: number }
  /** `underlying`: the symbol whose shares would have to cover the option. */
  | { readonly code: 'not_covered'; readonly underlying: Symbol }
  /** `date`: the day of the event, null where it is not known. `until`: the first day on which it is traded again. */
  | {
      readonly code: 'security_event';
      readonly event: StoppingEvent;
      readonly date: IsoDate | null;
      readonly until: IsoDate | null;
    };

type PlainCode = Exclude<RefusalCode, 'max_allocation' | 'below_one_step' | 'not_covered' | 'security_event'>;

export const REFUSAL_CODES = [
  'not_active',
  'exits_only',
  'frozen',
  'below_record',
  'halved',
  'max_allocation',
  'no_cash',
  'awaiting_sales',
  'awaiting_close',
  'awaiting_cover',
  'not_covered',
  'below_one_step',
  'partial_step',
  'within_band',
  'stopped_out',
  'no_price',
  'not_listed',
  'order_working',
  'closes_after_order',
  'nothing_to_close',
  'exceeds_holding',
  'short_not_allowed',
  'not_shortable',
  'not_tradable',
  'security_event',
  'quantity_too_large',
  'too_late',
] as const;
export type RefusalCode = (typeof REFUSAL_CODES)[number];

/** One execution, as booked: facts from the venue, never estimates. */
export type Fill = {
  readonly clientOrderId: ClientOrderId;
  readonly symbol: Symbol;
  readonly side: Side;
  /** Positive. */
  readonly quantity: Quantity;
  readonly price: number;
  /** Positive, in the account's currency. */
  readonly commission: Micro;
  readonly at: Instant;
  /**
   * How many current units one unit of its day is: for an execution from before a split that the portfolio already
   * includes.
   */
  readonly splitRatio?: number;
};

/** An order at the venue or in flight. */
export type WorkingOrder = {
  readonly clientOrderId: ClientOrderId;
  readonly symbol: Symbol;
  readonly side: Side;
  /** Still open, positive. */
  readonly remaining: Quantity;
  readonly limitPrice: number;
  readonly purpose: OrderPurpose;
};
