import { DAY_MS, MINUTE_MS } from '#units/instant.ts';

/** What each key is for, and how long one that was replaced still counts. */
export const KEY_KINDS = {
  /** Wraps the data key of each sealed secret. Until everything is wrapped anew and every process has the new key. */
  sealing: { overlapMs: 2 * MINUTE_MS },
  /** Signs access tokens, which live ten minutes. */
  access_token: { overlapMs: 15 * MINUTE_MS },
  /** Signs the cookies that say what a browser did here: the longest lives half a year. */
  browser_mark: { overlapMs: 180 * DAY_MS },
  /** Hashes backup codes, which cannot be hashed anew: until nobody has one of its codes. */
  backup_code: { overlapMs: 0 },
  /** Signs pushes to browsers, each of which takes those of one key alone: until no browser was given it. */
  web_push: { overlapMs: 0 },
} as const;

export type KeyKind = keyof typeof KEY_KINDS;

export const KEY_KIND_NAMES = Object.keys(KEY_KINDS) as readonly KeyKind[];
