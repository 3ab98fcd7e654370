import type { IsoDate } from '#units/instant.ts';
import type { Naming } from '../vendor-names.ts';

/** The adapter's configuration; it reads neither environment nor files. */
export type MassiveFeedConfig = Naming & {
  /** https://api.massive.com, without a trailing slash. */
  readonly url: string;
  readonly apiKey: string;
  /** The first day of the plan's history. */
  readonly historyFrom: IsoDate;
  readonly requestsPerMinute: number;
  /** Nobody else says what shares are called: its renames are followed, and the facts of the book are its own. */
  readonly isNaming?: boolean;
  readonly timeoutMs?: number;
  readonly now?: () => number;
  readonly fetch?: typeof globalThis.fetch;
};
