import { DAY_MS, MINUTE_MS } from '#units/instant.ts';

/** What each key is for, how long one that was replaced still counts, and whether its ids come with requests, so that anybody can invent them. */
export const KEY_KINDS = {
  /** Wraps the data key of each sealed secret. Until everything is wrapped anew and every process has the new key. */
  sealing: { overlapMs: 2 * MINUTE_MS, comesWithRequests: false },
  /** Signs access tokens, which live ten minutes. */
  access_token: { overlapMs: 15 * MINUTE_MS, comesWithRequests: true },
  /** Signs the cookies that say what a browser did here: the longest lives half a year. */
  browser_mark: { overlapMs: 180 * DAY_MS, comesWithRequests: true },
  /** Hashes backup codes, which cannot be hashed anew: until nobody has one of its codes. */
  backup_code: { overlapMs: 0, comesWithRequests: false },
  /** Signs pushes to browsers, each of which takes those of one key alone: until no browser was given it. */
  web_push: { overlapMs: 0, comesWithRequests: false },
} as const;

export type KeyKind = keyof typeof KEY_KINDS;

export const KEY_KIND_NAMES = Object.keys(KEY_KINDS) as readonly KeyKind[];
