import { MINUTE_MS } from '#units/instant.ts';
import type { RateLimits } from '../../broker/rate-limits.ts';
import type { Naming } from '../vendor-names.ts';

/**
 * iex: prices of one exchange; sip: of all exchanges, by subscription; both of now. delayed: of all exchanges a quarter of an hour
 * late, without one.
 */
export const ALPACA_FEEDS = ['iex', 'sip', 'delayed'] as const;
export type AlpacaFeed = (typeof ALPACA_FEEDS)[number];

/** How late the prices of a feed are by its plan. */
export function feedDelayMs(feed: AlpacaFeed): number {
  return feed === 'delayed' ? 15 * MINUTE_MS : 0;
}

/** What the vendor calls a feed. */
export function feedName(feed: AlpacaFeed): string {
  return feed === 'delayed' ? 'delayed_sip' : feed;
}

/** indicative: every plan has it; its quotes follow those of the exchanges. opra: those of all exchanges, by subscription. */
export const ALPACA_OPTION_FEEDS = ['indicative', 'opra'] as const;

export type AlpacaOptions = {
  /** Shares of ours whose options are listed, by our symbols. */
  readonly underlyings: readonly string[];
  readonly feed: (typeof ALPACA_OPTION_FEEDS)[number];
};

/** The adapter's configuration; it reads neither environment nor files. */
export type AlpacaFeedConfig = Naming & {
  /** Prices: https://data.alpaca.markets, without a trailing slash. */
  readonly dataUrl: string;
  /** Assets, calendar and clock: https://paper-api.alpaca.markets or https://api.alpaca.markets. */
  readonly tradingUrl: string;
  readonly keyId: string;
  readonly secretKey: string;
  readonly feed: AlpacaFeed;
  /** Pairs of a coin and dollars, as the vendor writes them: BTC/USD. */
  readonly coins?: readonly string[];
  readonly options?: AlpacaOptions;
  /** See streamUrlOf. Without it prices come by request alone: one pair of keys has one connection. */
  readonly streamUrl?: string | undefined;
  /** Of coins; see coinStreamUrlOf. */
  readonly coinStreamUrl?: string | undefined;
  readonly timeoutMs?: number;
  readonly rateLimits?: RateLimits;
  readonly now?: () => number;
  readonly fetch?: typeof globalThis.fetch;
};

/** 200 requests a minute for one pair of keys, on the free plan. The trader asks most: API and commands keep a quarter. */
export const FREE_PLAN_LIMITS: RateLimits = {
  requestsPerSecond: 150 / 60,
  spacingMs: {},
  backOffMs: 60_000,
};

/** The stream of prices of shares, which the vendor serves beside the host of its requests. */
export function streamUrlOf({ dataUrl, feed }: Pick<AlpacaFeedConfig, 'dataUrl' | 'feed'>): string {
  return `${streamHost(dataUrl)}/v2/${feedName(feed)}`;
}

/** That of coins, which every plan has in real time. */
export function coinStreamUrlOf({ dataUrl }: Pick<AlpacaFeedConfig, 'dataUrl'>): string {
  return `${streamHost(dataUrl)}/v1beta3/crypto/us`;
}

function streamHost(dataUrl: string): string {
  const { protocol, host } = new URL(dataUrl);
  return protocol === 'https:' ? `wss://stream.${host}` : `ws://${host}`;
}
