import type { IsoDate } from '#units/instant.ts';

/** The adapter's configuration; it reads neither environment nor files. */
export type MassiveFeedConfig = {
  /** https://api.massive.com, without a trailing slash. */
  readonly url: string;
  readonly apiKey: string;
  /** The instruments that the market has, by the vendor's tickers. */
  readonly symbols: readonly string[];
  /** The first day of the plan's history. */
  readonly historyFrom: IsoDate;
  readonly requestsPerMinute: number;
  readonly timeoutMs?: number;
  readonly now?: () => number;
  readonly fetch?: typeof globalThis.fetch;
};
