// The rows of the books of the stand-in for Alpaca, in the vendor's words.
import type { Instrument } from '#engine/market/instrument.ts';
import type { Symbol } from '#units/identifiers.ts';
import type { Billionths } from '#units/billionths.ts';
import type { Instant, IsoDate } from '#units/instant.ts';
import type { Micro } from '#units/money.ts';
import type { Quantity } from '#units/quantity.ts';

export type Account = {
  readonly id: string;
  readonly number: string;
  cash: Micro;
  readonly held: Map<Symbol, Quantity>;
  /** Of the coins held: what was taken as fees, to the ninth decimal. */
  readonly taken: Map<Symbol, Billionths>;
  readonly flags: AccountFlags;
};

export type AccountFlags = {
  /** ACTIVE, ACCOUNT_UPDATED and others. */
  status: string;
  cryptoStatus: string;
  transfersBlocked: boolean;
  /** Of a pattern day trader, in dollars. */
  dayTradingBuyingPower: number;
  optionsApprovedLevel: number;
  /** What its owner has chosen of it. */
  optionsTradingLevel: number;
  tradingBlocked: boolean;
  accountBlocked: boolean;
  tradeSuspendedByUser: boolean;
  patternDayTrader: boolean;
  /** Only what reduces a position is taken. */
  liquidationOnly: boolean;
  shortingEnabled: boolean;
  /** The vendor has counted three day trades in five days, and the account has less than 25,000 dollars. */
  isOutOfDayTrades: boolean;
};

export type Order = {
  readonly id: string;
  readonly account: Account;
  readonly clientOrderId: string;
  readonly instrument: Instrument;
  readonly side: 'buy' | 'sell';
  readonly type: 'limit' | 'market' | 'stop' | 'stop_limit';
  readonly limit: number | null;
  readonly stop: number | null;
  readonly timeInForce: 'day' | 'gtc' | 'ioc';
  /** Dollars to trade instead of a quantity, which follows from the price of the first fill. */
  readonly notional: number | null;
  quantity: Quantity;
  filled: Quantity;
  /** Of a stop with a limit: its stop has traded. */
  isTriggered?: boolean;
  status: 'accepted' | 'new' | 'partially_filled' | 'filled' | 'canceled' | 'expired';
  readonly submittedAt: Instant;
  readonly endsAt: Instant | null;
};

export type NewOrder = Omit<Order, 'id' | 'filled' | 'status' | 'submittedAt' | 'endsAt' | 'isTriggered'>;

export type Fill = {
  readonly id: string;
  readonly order: Order;
  readonly quantity: Quantity;
  readonly price: number;
  readonly leaves: Quantity;
  /** Filled of its order so far. */
  readonly cumulative: Quantity;
  readonly at: Instant;
};

export type Activity = {
  readonly id: string;
  readonly account: Account;
  readonly type: string;
  readonly subType?: string;
  readonly description?: string;
  readonly amount: Micro;
  readonly symbol: string | null;
  readonly units: Quantity | null;
  readonly at: Instant;
  /** Of a fee in coins: taken, without its sign, at the price of the fill. */
  readonly coins?: Billionths;
  readonly price?: number;
  /** The day that it is of; that of `at` otherwise. */
  readonly date?: IsoDate;
  /** What became of it; executed where absent. */
  status?: 'correct' | 'canceled';
  /** The activity in whose place it stands. */
  readonly previousId?: string;
};

/** What the trading stream tells of an order. */
export type OrderEvent = {
  readonly event: 'new' | 'fill' | 'partial_fill' | 'canceled' | 'expired';
  readonly order: Order;
  readonly fill: Fill | null;
  readonly at: Instant;
};

export function isOpen({ status }: Order): boolean {
  return status === 'accepted' || status === 'new' || status === 'partially_filled';
}
