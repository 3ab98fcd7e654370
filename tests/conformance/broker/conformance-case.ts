// What a case of the conformance suite is, and what a harness offers to run it.
import type { FeeBasis } from '#engine/cash/cash-activity.ts';
import type { StandingRestriction } from '#engine/execution/connection/account-terms.ts';
import type { ApprovedOrder, Side } from '#engine/order/order.ts';
import type { Broker } from '#ports/broker.ts';
import type { Instant } from '#units/instant.ts';
import type { Quantity } from '#units/quantity.ts';
import type { Symbol } from '#units/identifiers.ts';

export type BrokerHarness = {
  readonly broker: Broker;
  /** A new person opens an account, signs in at the address and decides. Null is a return without a verifier. */
  decide(authorizeUrl: string, decision: 'approve' | 'deny'): Promise<string | null>;
  /**
   * An order of the harness's instrument. marketable: its limit fills at the next opening. far: never. beyond_means: costs
   * more than the account has.
   */
  order(terms: {
    readonly id: string;
    readonly side: Side;
    readonly price: OrderPrice;
    /** Ten by default. Only where the broker takes fractions. */
    readonly units?: Quantity;
    /** A coin instead, where its broker takes its fees in coins; a call in the money or a put out of it, where it trades options. */
    readonly of?: 'coin' | 'call' | 'put';
  }): ApprovedOrder;
  readonly capabilities: ReadonlySet<Capability>;
  now(): Instant;
  /** Moves the market to just after its next opening. */
  passOpening(): void;
  /** Moves the market to just after the end of the session. */
  passClose(): void;
  passMinutes(minutes: number): void;
  /** To just after the close at which the contracts end. Only where it trades options. */
  passExpiry?(): void;
  /** Written contracts are assigned now. Only where it trades options. */
  assignEarly?(symbol: Symbol, contracts: number): void;
  /** Prices are this share of what they would be from now on. */
  fallTo(share: number): void;
  /** While on, a fill takes half of the remaining quantity. */
  fillPartly(isOn: boolean): void;
  /** While on, no request gets an answer. */
  goSilent(isOn: boolean): void;
  /** The broker moves cash of the account opened last. Only where it itemises such movements. */
  moveCash?(move: MovedCash): void;
  /** The broker limits the account opened last, or lifts that. Only where it says what an account may do. */
  limitAccount?(limit: AccountLimit, isOn: boolean): void;
  /** The person signs in with another program. Only where the broker has sessions. */
  takeElsewhere?(): void;
  /** The next order is taken by the broker, but its answer never arrives. */
  loseNextAnswer(): void;
  /** The broker answers the next query with this instead. */
  garbleNextAnswer(text: string, status: number): void;
};

/** Optional features of a broker; a case that needs a missing one is skipped. */
export const CAPABILITIES = {
  commission: 'reports the commission with each execution',
  stops: 'takes protective stops',
  fractions: 'takes fractions of a share, for as long as one is held long',
  apart: 'takes no order while a stop is open on the other side',
  sessions: 'allows one trading session per user name',
  stream: 'pushes events over a stream',
  prices: 'provides prices, daily bars and contracts',
  resets: 'has planned maintenance',
  coinFees: 'takes the fee of a purchase of coins in coins',
  options: 'trades options by the level of the account',
  assignments: 'lists assignments of written options',
  terms: 'says what an account may not do',
  activities: 'itemises dividends, taxes, interest, fees and transfers',
} as const;
export type Capability = keyof typeof CAPABILITIES;

/** day_trading: 100 dollars are left for it. options_level_1: of two. */
export type AccountLimit =
  | StandingRestriction
  | 'day_trading'
  | 'no_shorting'
  | 'no_coins'
  | 'options_level_1';

export type MovedCash = {
  readonly kind:
    | 'dividend'
    | 'withholding_tax'
    | 'interest'
    | 'fee'
    | 'trading_fee'
    | 'deposit'
    | 'withdrawal';
  readonly dollars: number;
  /** Of the harness's instrument; null without one. */
  readonly units: number | null;
  /** Of a fee for trades. */
  readonly chargedBy?: FeeBasis;
};

export type OrderPrice = 'marketable' | 'far' | 'beyond_means';

export type ConformanceCase = {
  readonly number: string;
  readonly requirement: string;
  readonly needs?: Capability;
  run(harness: BrokerHarness): Promise<void>;
};
