// What a statement is computed from: everything that was booked for one deployment, and how it was valued.
import type { Instrument } from '#engine/market/instrument.ts';
import type { Adjustment } from '#engine/market/adjustment.ts';
import type { CoinFee, PositionEvent } from '#engine/market/position-event.ts';
import type { Fill } from '#engine/order/order.ts';
import type { DeploymentId, Symbol } from '#units/identifiers.ts';
import type { Instant, IsoDate } from '#units/instant.ts';
import type { Micro } from '#units/money.ts';
import type { Quantity } from '#units/quantity.ts';

/** One transaction of the ledger: what it changed, debits positive. */
export type BookedTransaction = {
  /** Its first ledger entry: rises with the bookings of all deployments. */
  readonly place: number;
  /** Trading clock. */
  readonly at: Instant;
  /** What its cause begins with, such as 'fill', 'dividend' or 'swap_figure'. */
  readonly cause: string;
  readonly symbol: Symbol | null;
  readonly cash: Micro;
  readonly capital: Micro;
  readonly realized: Micro;
  readonly commission: Micro;
  readonly fees: Micro;
};

export type Valuation = {
  readonly at: Instant;
  readonly cash: Micro;
  readonly equity: Micro;
  readonly held: ReadonlyMap<Symbol, { readonly units: Quantity; readonly price: number }>;
};

export type BookedEvent = {
  /** Applied right after the booking of this place. */
  readonly afterEntry: number;
  readonly date: IsoDate;
  readonly event: PositionEvent | CoinFee | Adjustment;
  /** The holding that it is about. */
  readonly entitled: Quantity;
};

export type StatementBooks = {
  readonly id: DeploymentId;
  readonly strategyName: string;
  readonly deployedAt: Instant;
  readonly endedAt: Instant | null;
  /** In the order of booking. */
  readonly transactions: readonly BookedTransaction[];
  readonly fills: readonly { readonly id: string; readonly place: number; readonly fill: Fill }[];
  readonly events: readonly BookedEvent[];
  /** The last valuation of each trading day, oldest first. */
  readonly days: readonly (Valuation & { readonly date: IsoDate })[];
  readonly now: Valuation;
};

export type Instruments = ReadonlyMap<Symbol, Instrument>;
