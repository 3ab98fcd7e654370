// What we need of a brokerage, in our words: permission from the person, then a session that reports accounts,
// positions, cash and executions, and takes approved orders. It promises that a failed query is a failure and never
// an empty list, and that an order whose fate is not known is said to be unknown and is never sent again by an adapter.
import type { OptionAssignment } from '#engine/market/option-assignment.ts';
import type { CashActivity } from '#engine/cash/cash-activity.ts';
import type { ExpectedFee } from '#engine/execution/reconciliation/order-report.ts';
import type { AccountTerms } from '#engine/execution/connection/account-terms.ts';
import type { BrokerFailureCode } from '#engine/execution/connection/broker-failure.ts';
import type { SessionStatus } from '#engine/execution/connection/session-health.ts';
import type { UnreadRow } from '#engine/execution/reconciliation/unread-rows.ts';
import type { BrokerRefusal } from '#engine/execution/orders/broker-refusal.ts';
import type { QuestionTopic } from '#engine/execution/orders/question-topic.ts';
import type { InstrumentKind } from '#engine/market/instrument.ts';
import type { ApprovedOrder, Side } from '#engine/order/order.ts';
import type { SizingLimits } from '#engine/risk/sizing-limits.ts';
import type { BrokerAccountId, ClientOrderId, ExecutionId, Symbol } from '#units/identifiers.ts';
import type { Instant, IsoDate } from '#units/instant.ts';
import type { Micro } from '#units/money.ts';
import type { Quantity } from '#units/quantity.ts';
import type { WallInstant } from '#units/wall-instant.ts';

export type Broker<Vendor extends string = string> = {
  /** The vendor's stable key, such as 'interactive-brokers': the slug of its row among the brokers. */
  readonly vendor: Vendor;
  readonly limits: BrokerLimits;
  /**
   * No client signs in at the broker, and any credentials open the one session. staff: the clients' accounts are under one
   * of ours, and our staff assign them. operator: the one account is its operator's own, linked at the start.
   */
  readonly linksAccounts?: 'staff' | 'operator';
  /**
   * Simulated: it keeps the time of the simulated market. What a real broker dates by the wall's clock, its planned
   * interruptions and its days included, it dates by the market's. Sessions, permissions and limits on requests run by
   * the wall's clock everywhere.
   */
  readonly keepsMarketTime?: true;
  /**
   * The broker's planned interruption that covers `at` on its own clock, or null. Inside one a silence is expected:
   * send nothing, and afterwards reconcile before anything is sent.
   */
  resetAt(at: WallInstant): BrokerReset | null;
  /** Starts a sign-in: the person opens `authorizeUrl` in a new window and comes back to `callbackUrl`. */
  beginAuthorization(request: { readonly callbackUrl: string }): Promise<BrokerAnswer<PendingAuthorization>>;
  /**
   * Ends a sign-in with what came back to the callback. A request token works once: a second call fails with
   * 'unauthorized'. A callback without a verifier means that the person refused; do not call this then. It opens no
   * session: which accounts were granted is for the owner of the session to ask.
   */
  completeAuthorization(request: {
    readonly requestToken: string;
    readonly verifier: string;
  }): Promise<BrokerAnswer<Authorization<Vendor>>>;
  /** Reads are possible at once; trading is prepared by the first call that needs it, or by keepAlive. */
  openSession(credentials: BrokerCredentials<Vendor>): Promise<BrokerAnswer<BrokerSession>>;
};

/** One signed-in person at the broker. Safe to share: calls that must not overlap are put in order inside. */
export type BrokerSession = {
  accounts(): Promise<BrokerAnswer<readonly BrokerAccount[]>>;
  /** Fails when the list names other accounts only: it is then not this account's. */
  positions(accountId: BrokerAccountId): Promise<BrokerList<BrokerPosition>>;
  cash(accountId: BrokerAccountId): Promise<BrokerAnswer<BrokerCash>>;
  /**
   * What moved the cash besides executions, on `since` or later by the broker's calendar. Listed late and repeated: an activity counts once by
   * its id. A row that cannot be read is left out, and its cash stays unexplained. Absent where the broker does not itemise it.
   */
  cashActivities?(accountId: BrokerAccountId, since: IsoDate): Promise<BrokerAnswer<readonly CashActivity[]>>;
  /** Written contracts that were assigned, listed as cash activities are. Absent where the broker does not itemise them. */
  assignments?(account: BrokerAccountId, since: IsoDate): Promise<BrokerAnswer<readonly OptionAssignment[]>>;
  /**
   * Sends once. Write the order down before calling; see SubmitResult for what each answer allows.
   */
  submitOrder(accountId: BrokerAccountId, order: ApprovedOrder, terms?: SubmitTerms): Promise<SubmitResult>;
  /**
   * Places a stop for the open session: when `stopPrice` trades, the order's quantity goes to the market. It ends with
   * the session, as every order of ours. The order's limit does not apply then. Otherwise as submitOrder. Absent where
   * the broker has no such orders.
   */
  submitStop?(
    accountId: BrokerAccountId,
    order: ApprovedOrder,
    stopPrice: number,
    terms?: SubmitTerms,
  ): Promise<SubmitResult>;
  /** Asks for a cancellation; the order is over only when `orders` or an execution says so. */
  cancelOrder(accountId: BrokerAccountId, brokerOrderId: string): Promise<CancelResult>;
  /**
   * The orders that the broker shows: working ones, and those that lately ended. An order that is missing here may
   * still exist (brokers list late and forget), so absence proves nothing.
   */
  orders(accountId: BrokerAccountId): Promise<BrokerList<BrokerOrder>>;
  /**
   * One order by the broker's id, also where the list leaves it out. Null when the broker answers anything but the order,
   * in whatever words: it does not show the order now, which proves nothing either.
   */
  findOrder?(accountId: BrokerAccountId, brokerOrderId: string): Promise<BrokerAnswer<BrokerOrder | null>>;
  /** Whether it has an order by the id that we sent: the end of a day proves nothing where orders outlive it. Absent where it cannot be asked. */
  knowsOrder?(accountId: BrokerAccountId, clientOrderId: ClientOrderId): Promise<BrokerAnswer<boolean>>;
  /** The working ones among `orders`. */
  openOrders(accountId: BrokerAccountId): Promise<BrokerList<BrokerOrder>>;
  /** Executions at or after `since`, oldest first, back to `limits.executionHistoryDays` at most. May repeat across calls. */
  executions(accountId: BrokerAccountId, since: Instant): Promise<BrokerList<BrokerExecution>>;
  /** Keeps the session alive and looks at it; call about once a minute while it is needed, or every two while the stream is heard. */
  keepAlive(): Promise<BrokerAnswer<SessionState>>;
  /**
   * What the broker lets the account do, as it said when last asked: at the opening of the session, with keepAlive and with cash.
   * Makes no request. Absent where it says nothing of the kind.
   */
  accountTerms?(): AccountTerms;
  /** The state as last seen; makes no request. */
  sessionState(): SessionState;
  /**
   * News from the broker's stream, earlier than the next query and never instead of it: frames get lost and repeat. An
   * execution has the id that it has in the list.
   * Starts the stream; returns a function that stops listening. Absent where there is no stream.
   */
  onNews?(listener: (news: BrokerNews) => void): () => void;
  /** Which unbroken stretch of the stream this is: another number after each gap, null while it is down or silent. Absent where there is none. */
  streamStretch?(): number | null;
  /** Prices as this broker shows them to this person. Absent where it shows none. */
  readonly marketData?: BrokerMarketData;
  /** Ends the session at the broker where that is possible. Working orders stay. Never fails. */
  close(): Promise<void>;
};

/** A value, or a failure that says why there is none. */
export type BrokerAnswer<Value> = { readonly outcome: 'ok'; readonly value: Value } | BrokerFailure;

/**
 * A list, read row by row: `value` are the rows that were read, `unread` those that could not be. Rows that name another
 * account are left out. An answer that is no list at all is a failure.
 */
export type BrokerList<Row> =
  | { readonly outcome: 'ok'; readonly value: readonly Row[]; readonly unread: readonly UnreadRow[] }
  | BrokerFailure;

export type BrokerFailure = {
  readonly outcome: 'failed';
  readonly code: BrokerFailureCode;
  /** A sentence for operators; holds no secret. */
  readonly reason: string;
  /** Of rate_limited: when the broker may be asked again, where that is known. */
  readonly until?: WallInstant;
};

/**
 * accepted: the broker has it, under `brokerOrderId`.
 * rejected: the broker said no; there is no such order there. `said` quotes it and is empty when it gave no words;
 * `refusal` is what it means, where that is known.
 * not_confirmed: the broker asked a question that is not answered with yes, about `topic`; there is no such order there.
 * not_sent: it never left, or was turned away at the door before anyone read it; the same id may be sent later.
 * unknown: it left, and no trustworthy answer came. It may be working. Never send it again; look for it by its
 * client order id in `orders` and `executions`, and quarantine it while it is not found.
 * `reason` is for operators; \`said\` of what was not sent quotes the broker, where it refused in words.
 */
export type SubmitResult =
  | { readonly outcome: 'accepted'; readonly brokerOrderId: string }
  | { readonly outcome: 'rejected'; readonly said: string; readonly refusal?: BrokerRefusal }
  | { readonly outcome: 'not_confirmed'; readonly topic: QuestionTopic; readonly question: string }
  | NotSent
  | { readonly outcome: 'unknown'; readonly reason: string };

export type SubmitTerms = {
  /** Asked as the last thing before the request leaves: where it says no, nothing leaves and the answer is 'not_sent'. */
  readonly mayLeave?: (() => boolean) | undefined;
  /** The owner of the connection trades without a subscription to the broker's market data: such a question is confirmed. */
  readonly withoutMarketData?: boolean;
};

export type NotSent = {
  readonly outcome: 'not_sent';
  readonly code: BrokerFailureCode;
  readonly reason: string;
  readonly said?: string;
  /** The broker answered; absent where the request never left. */
  readonly wasTurnedAway?: true;
};

/**
 * requested: the broker took the request, a fill may still win the race. refused: it says that there is nothing to
 * cancel. unknown: no trustworthy answer; asking again is harmless.
 */
export type CancelResult =
  | { readonly outcome: 'requested' }
  | { readonly outcome: 'refused'; readonly reason: string }
  | { readonly outcome: 'unknown'; readonly reason: string };

export type PendingAuthorization = {
  readonly requestToken: string;
  readonly authorizeUrl: string;
};

export type Authorization<Vendor extends string = string> = {
  readonly credentials: BrokerCredentials<Vendor>;
  /** Practice money, as the broker says. */
  readonly isPaper: boolean;
};

/**
 * What the adapter needs to open a session again: plain JSON, secret, to be stored encrypted and read by the adapter
 * only. The vendor in the type keeps those of one vendor out of another's adapter.
 */
export type BrokerCredentials<Vendor extends string = string> = {
  readonly [field: string]: string | number | boolean;
} & { readonly [OF_VENDOR]?: Vendor };

declare const OF_VENDOR: unique symbol;

export type BrokerAccount = {
  readonly accountId: BrokerAccountId;
  readonly title: string;
  /** The account's base currency, ISO 4217. */
  readonly currency: string;
  /** Practice money; absent where the broker does not say. */
  readonly isPaper?: boolean;
};

export type BrokerPosition = {
  /** Our symbol, or null for something that our catalogue does not hold. */
  readonly symbol: Symbol | null;
  readonly brokerInstrumentId: string;
  readonly description: string;
  /** Signed; negative is short. */
  readonly quantity: Quantity;
  /** Average entry price of one unit, in `currency`; null when the broker does not say. */
  readonly averagePrice: number | null;
  /** The broker's latest price of one unit, in `currency`; null when it has none. */
  readonly marketPrice: number | null;
  /** Null when the broker does not say. */
  readonly currency: string | null;
};

export type BrokerCash = {
  readonly currency: string;
  /** Cash over all currencies, in the base currency. */
  readonly cash: Micro;
  /** Cash plus everything held, in the base currency. */
  readonly netLiquidation: Micro;
};

/**
 * working: it may still fill. filled, cancelled, expired and rejected are final. attention: the broker parked it and
 * may revive it: treat it as working that needs a person.
 */
export type BrokerOrderStatus = 'working' | 'filled' | 'cancelled' | 'expired' | 'rejected' | 'attention';

export type BrokerOrder = {
  readonly brokerOrderId: string;
  /** The id that we sent, where the broker gives it back. */
  readonly clientOrderId: ClientOrderId | null;
  readonly symbol: Symbol | null;
  readonly brokerInstrumentId: string;
  readonly side: Side;
  /** Positive. */
  readonly quantity: Quantity;
  /** As reported: more than `quantity` when the broker filled too much. */
  readonly filled: Quantity;
  readonly limitPrice: number | null;
  /** The stop price of a stop; null or absent for other orders. */
  readonly stopPrice?: number | null;
  readonly status: BrokerOrderStatus;
  /** The broker's own words about a refusal or an ending; empty when it gave none. */
  readonly note: string;
};

export type BrokerExecution = {
  /** The broker's id, the key against booking twice. */
  readonly executionId: ExecutionId;
  /**
   * The common prefix of the ids of all revisions of this execution; later revisions sort after earlier ones. Null or
   * absent where a broker never revises an execution.
   */
  readonly revisionStem?: string | null;
  readonly clientOrderId: ClientOrderId | null;
  readonly brokerOrderId: string;
  readonly symbol: Symbol | null;
  readonly brokerInstrumentId: string;
  readonly side: Side;
  /** Positive; zero in a revision that takes the execution back. */
  readonly quantity: Quantity;
  /** In the instrument's quote currency. Zero or negative where the broker says so: an expiry, a credit. */
  readonly price: number;
  /**
   * What it cost, in the account's base currency; negative for a rebate. Null while the broker does not know it yet: it
   * comes with a later report of the same execution.
   */
  readonly commission: Micro | null;
  /** While the commission is not known: what the broker's schedule makes of it. */
  readonly expectedFee?: ExpectedFee;
  /** When it happened in its market; the adapter has converted the broker's own time, see marketInstantOf. */
  readonly at: Instant;
};

/**
 * connected: queries and orders go through. read_only: reads work, and no trading session has been started yet, or the
 * permission does not cover trading. competing: another place took the trading session. degraded: something answers,
 * but trading does not work for the moment. lost: the broker does not answer at all. signed_out: the permission is
 * gone, the person must sign in again. closed: we ended it.
 */
export type SessionState = {
  readonly status: SessionStatus;
  /** What the broker says of it; may be empty. */
  readonly detail: string;
  /** When the broker last answered anything with sense; null or absent: never yet. */
  readonly answeredAt?: WallInstant | null;
};

/** A planned interruption, from the instant at which nothing may be sent any more to when the broker is back. */
export type BrokerReset = {
  readonly kind: 'daily' | 'weekend';
  readonly from: WallInstant;
  readonly until: WallInstant;
};

/**
 * execution: one fill, booked by its id like those that `executions` tells. orders: something about the account's
 * orders changed: ask. session: the state changed. quote: a price.
 */
export type BrokerNews =
  | {
      readonly kind: 'execution';
      readonly accountId: BrokerAccountId;
      readonly execution: BrokerExecution;
    }
  | { readonly kind: 'orders'; readonly accountId: BrokerAccountId | null }
  | { readonly kind: 'session'; readonly state: SessionState };

export type BrokerMarketData = {
  /** The newest prices; a symbol of which the broker shows nothing is left out. */
  quotes(symbols: readonly Symbol[]): Promise<BrokerAnswer<readonly BrokerQuote[]>>;
  /** Streams the prices of these symbols, and of no others, until the returned function is called. Absent where there is no stream. */
  watch?(symbols: readonly Symbol[], hear: (news: QuoteNews) => void): Promise<BrokerAnswer<() => void>>;
  /** Closed daily bars, oldest first, of about the last `days` calendar days. */
  dailyBars(symbol: Symbol, days: number): Promise<BrokerAnswer<BrokerBars>>;
  /** Instruments whose symbol is `text`, as the broker lists them. */
  search(text: string): Promise<BrokerAnswer<readonly BrokerInstrument[]>>;
};

/**
 * quote: a price with all its parts. alive: the stream spoke, and no price has changed but those that it told. gap: it broke or cannot be read; what it
 * told before may hold no more.
 */
export type QuoteNews =
  | { readonly kind: 'quote'; readonly quote: BrokerQuote }
  | { readonly kind: 'alive' }
  | { readonly kind: 'gap' };

export type BrokerQuote = {
  readonly symbol: Symbol;
  readonly last: number | null;
  readonly bid: number | null;
  readonly ask: number | null;
  /** close: the last price is of an earlier session. delayed: not of this moment, by the person's subscriptions. */
  readonly status: 'live' | 'delayed' | 'close' | 'halted';
};

export type BrokerBars = {
  readonly bars: readonly BrokerBar[];
  /** What is wrong with the row after them; null when every row is a bar. Later rows are not returned. */
  readonly malformed: string | null;
};

export type BrokerBar = {
  readonly at: Instant;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
};

export type BrokerInstrument = {
  readonly brokerInstrumentId: string;
  readonly symbol: string;
  readonly name: string;
};

export type BrokerLimits = {
  /** How many days of executions the broker keeps for us to ask for, the current day included. */
  readonly executionHistoryDays: number;
  /**
   * How late, on the broker's clock, a true order or execution may appear in its lists. Two looks that together prove an absence must
   * be further apart than this, with the session up throughout.
   */
  readonly listLagMs: number;
  /** How often its lists of orders and executions may be read; as often as one likes when absent. */
  readonly listsEveryMs?: number;
  /** The kinds for which it takes stops; none when absent. */
  readonly stopKinds?: readonly InstrumentKind[];
  /** It takes no order while a stop is open on the other side of the account, whatever their prices. */
  readonly keepsStopsApart?: true;
  /** It sells no shares that cover a written call: the call is bought back first. */
  readonly keepsCover?: true;
  /** The kinds whose orders stay there until they are cancelled: they do not end with their day. */
  readonly keepsOrders?: readonly InstrumentKind[];
  /** What sizes it takes; those that the instruments allow when absent. */
  readonly sizing?: SizingLimits;
};
