// What a case of the feeds' conformance suite is, and what a harness offers to run it.
import type { MarketDataFailure, MarketDataFeed, MarketMode } from '#ports/market-data.ts';
import type { PriceStream } from '#sandbox/alpaca/streams/price-stream.ts';
import type { BrokerageStream } from '#sandbox/interactive-brokers/stream/stream.ts';
import type { PriceSource } from '#sandbox/market/price-source.ts';
import type { Symbol } from '#units/identifiers.ts';
import type { Instant, IsoDate } from '#units/instant.ts';

/** A market that stands still, on Monday 2026-11-23 at 16:00 UTC in an open session, until a case moves it. */
export type FeedHarness = {
  readonly feed: MarketDataFeed;
  /** What the market behind the feed has. */
  readonly prices: PriceSource;
  /** A share with bars since 2024 at least. */
  readonly share: Symbol;
  /** Another share. */
  readonly other: Symbol;
  /** A coin, where the feed has coins. */
  readonly coin: Symbol;
  now(): Instant;
  moveTo(at: Instant): Promise<void>;
  /** Every answer from now on; null: what the market says. Silence is no answer at all. */
  answerWith(fault: { readonly status: number; readonly text: string } | 'silence' | null): void;
  /** The vendor's clock runs ahead of ours by this much from now on. */
  skewClock(ms: number): void;
  /** The exchange stays closed on a day that no rule names. */
  closeOn(date: IsoDate): void;
  /** It closes at 13:00 in New York on a day that no rule names. */
  closeEarlyOn(date: IsoDate): void;
  /** Nothing trades in the minute that begins then. */
  leaveOut(minute: Instant): void;
  /** In answers of bars, the close of this day becomes a text. */
  spoilRow(date: IsoDate | null): void;
  /** The vendor's side of its stream of prices; null where it has none. */
  readonly stream: PriceStream | null;
  /** The vendor's side of the stream of the session that it borrows; null where it borrows none. */
  readonly lentStream: BrokerageStream | null;
  /** How often the vendor was asked for prices of now. */
  quotesAsked(): number;
};

export type FeedColumn = {
  readonly name: string;
  readonly mode: MarketMode;
  readonly has: readonly FeedCapability[];
  /** How the vendor refuses keys, with the setting that they come from, and prices that the plan lacks. */
  readonly refusals?: {
    readonly setting: string;
    readonly keys: { readonly status: number; readonly text: string };
    readonly plan: { readonly status: number; readonly text: string };
  };
  open(): Promise<FeedHarness & { close(): Promise<void> }>;
};

/** Optional features of a feed; a case that needs a missing one is skipped. */
export const FEED_CAPABILITIES = {
  first: 'can be the first feed: tells the time, lists corporate actions',
  second: 'only checks another: its time and its corporate actions are never asked for',
  actions: 'lists splits and dividends as events',
  keys: 'asks for keys',
  plans: 'sells real-time prices apart',
  'real time': 'runs on the wall’s clock',
  calendar: 'tells the days of its exchange',
  stream: 'streams prices and trading halts',
  coins: 'has coins, around the clock',
  'coin stream': 'streams the prices of coins',
  options: 'has options on shares',
  parts: 'has bars of hours and minutes of shares',
  'coin parts': 'has bars of hours and minutes of coins',
  'lent stream': 'streams the prices of the session that it borrows',
} as const;
export type FeedCapability = keyof typeof FEED_CAPABILITIES;

export type FeedCase = {
  readonly number: string;
  readonly requirement: string;
  readonly needs?: FeedCapability;
  run(harness: FeedHarness, column: FeedColumn): Promise<void>;
};

export type FailureCode = MarketDataFailure['code'];
