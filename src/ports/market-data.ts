// The source of prices and of the market's time. A failure is a result with a code: a feed never returns an empty list
// for what it could not find out, and returns no bar before it has closed on the feed's clock.
import type { VendorDays } from '#engine/market/calendar-exceptions.ts';
import type { CorporateAction } from '#engine/market/corporate-action.ts';
import type { InstrumentFact, StatedFact } from '#engine/market/instrument-fact.ts';
import type { Bar, Instrument, InstrumentKind, IntradayInterval } from '#engine/market/instrument.ts';
import type { TradingHalt } from '#engine/market-data/accept-quotes.ts';
import type { CheckCloses, CheckQuote } from '#engine/market-data/feed-doubt.ts';
import type { SecurityChange } from '#engine/market/security-change.ts';
import type { Symbol } from '#units/identifiers.ts';
import type { Instant, IsoDate } from '#units/instant.ts';

/**
 * sandbox: simulated prices. replay: imported bars played again. Both run on the sandbox clock. live: a vendor's prices of
 * now, on the wall's clock.
 */
export type MarketMode = 'sandbox' | 'replay' | 'live';

export type MarketClock = {
  readonly now: Instant;
  /** Real seconds that one market day takes; 86400 is real time, as always when live. */
  readonly daySeconds: number;
  readonly mode: MarketMode;
  readonly paused: boolean;
  /** The close of the last bar that will ever exist; null when the market continues. */
  readonly endsAt: Instant | null;
  /** How far the clock of this machine is ahead of the vendor's, as last measured; absent where the feed tells no time of its own. */
  readonly aheadMs?: number;
  /** How late the feed's prices of shares are by its plan; absent where they are of now. */
  readonly delayMs?: number;
};

export type MarketQuote = {
  readonly symbol: Symbol;
  readonly last: number;
  readonly bid: number;
  readonly ask: number;
  /** Whether the instrument's session is open at `at`; outside of it `last` is the last price traded. */
  readonly open: boolean;
  /** When `last` was traded; a simulated market always has a price of now. */
  readonly at: Instant;
  /** How late the feed tells it by its plan: a feed that is so late shows the market as it was then. Absent where it is not. */
  readonly delayMs?: number;
  /** What a second feed says about it; absent without one. */
  readonly check?: CheckQuote;
  /** Present while its exchange does not trade it, as far as the feed hears of halts. */
  readonly halt?: TradingHalt;
};

export type ListedAction = CorporateAction & { readonly symbol: Symbol };

/**
 * What the vendor has said of our instruments, day by day: its tickers of them above all. Kept from `facts` and `changes`, so
 * that a name means the same instrument after a restart.
 */
export type FactBook = {
  /** Reads what was learned meanwhile; asks at most every few seconds. */
  refresh(): Promise<void>;
  facts(): readonly InstrumentFact[];
};

export type MarketDataFailure = {
  readonly ok: false;
  /**
   * unreachable: no answer, try again. unknown_symbol: the feed has no such instrument. malformed: the answer
   * is not what the feed promises. refused: the feed understood and said no. unauthorized: it refuses our keys.
   * not_subscribed: the plan of our keys lacks what was asked for. rate_limited: we ask too often; try again later.
   * clock_off: our clock and the vendor's differ, so that nobody knows how old a price is.
   */
  readonly code:
    | 'unreachable'
    | 'unknown_symbol'
    | 'malformed'
    | 'refused'
    | 'unauthorized'
    | 'not_subscribed'
    | 'rate_limited'
    | 'clock_off';
  readonly message: string;
};

export type MarketDataAnswer<Value> = { readonly ok: true; readonly value: Value } | MarketDataFailure;

export type FeedBars = {
  readonly bars: readonly Bar[];
  /**
   * What is wrong with the format of the row after them; null when every row is a bar. That row and later ones are not
   * returned. The caller checks whether a bar's numbers are plausible.
   */
  readonly malformed: string | null;
  /** What a second feed says about the newest of them; absent without one. */
  readonly check?: CheckCloses;
};

/** Parts of sessions, each counted from the open, so that the last one of a session may be shorter. */
export type IntradayFeed = {
  /** Those that it has soon enough to be traded, by kind; none where it has days only. */
  intervals(kind: InstrumentKind): readonly IntradayInterval[];
  /** Of one kind, in one of its intervals: bars that closed after an instant, or all that it keeps (null). */
  bars(asked: AskedParts): Promise<MarketDataAnswer<IntradayBars>>;
};

export type AskedParts = {
  readonly symbols: readonly Symbol[];
  readonly interval: IntradayInterval;
  readonly after: Instant | null;
};

export type IntradayBars = {
  /** Oldest first, of each symbol that was asked for. A part in which it did not trade has no bar. */
  readonly bars: ReadonlyMap<Symbol, FeedBars>;
  /** Every bar that closed by then is here; none of a later close is. Null: no part has ended yet. */
  readonly through: Instant | null;
};

export type MarketDataFeed = {
  instruments(): Promise<MarketDataAnswer<readonly Instrument[]>>;
  clock(): Promise<MarketDataAnswer<MarketClock>>;
  /** Daily bars that have closed by the feed's clock, dates from..to inclusive, oldest first. */
  dailyBars(symbol: Symbol, from: IsoDate, to: IsoDate): Promise<MarketDataAnswer<FeedBars>>;
  /** Absent where it has daily bars only. */
  readonly intraday?: IntradayFeed;
  /** Every split and dividend that takes effect at or before the next opening, oldest first. */
  corporateActions(): Promise<MarketDataAnswer<readonly ListedAction[]>>;
  /** One quote per symbol that has ever traded, in the order asked. */
  quotes(symbols: readonly Symbol[]): Promise<MarketDataAnswer<readonly MarketQuote[]>>;
  /**
   * Those who say what the instruments are; none where symbols are all there is and nothing is renamed. The first one names the
   * instruments, and without it nothing is decided. What the others say is kept beside it.
   */
  readonly vendors?: readonly FeedVendor[];
  /** The days of the vendor's exchanges, near and past; absent where it says none that our rules do not. */
  readonly calendarDays?: () => Promise<MarketDataAnswer<readonly VendorDays[]>>;
  /** Ends the connections that it holds, if any; the next quotes open them again. */
  readonly stop?: () => void;
};

export type FeedVendor = {
  /** The vendor's stable key, such as 'alpaca'. */
  readonly name: string;
  /** What it says of the instruments today. */
  facts(): Promise<MarketDataAnswer<readonly StatedFact[]>>;
  /** What changes what an instrument is, up to the next opening: renames among them. Absent where it reports none. */
  changes?(): Promise<MarketDataAnswer<readonly SecurityChange[]>>;
};
