// Which occasion a call of the API is, by its path.
import type { Occasion } from './fault-script.ts';

export function occasionOf(method: string, path: string): Occasion {
  for (const [word, pattern, wanted] of OCCASION_PATHS)
    if (pattern.test(path) && (wanted === null || wanted === method)) return word;
  return 'any';
}

/** The account that a path names, or null. */
export function accountIn(path: string): string | null {
  return /\/(D?U\d+)(\/|$|\?)/.exec(path)?.[1] ?? /[?&]accountId=(\w+)/.exec(path)?.[1] ?? null;
}

const OCCASION_PATHS: readonly (readonly [Occasion, RegExp, string | null])[] = [
  ['reply', /\/iserver\/reply\//, null],
  ['order_status', /\/iserver\/account\/order\/status\//, null],
  ['submit', /\/iserver\/account\/[^/]+\/orders(\?|$)/, 'POST'],
  ['orders', /\/iserver\/account\/orders(\?|$)/, 'GET'],
  ['cancel', /\/iserver\/account\/[^/]+\/order\//, 'DELETE'],
  ['trades', /\/iserver\/account\/trades(\?|$)/, null],
  ['positions', /\/portfolio2?\/[^/]+\/positions/, 'GET'],
  ['cash', /\/portfolio\/[^/]+\/(ledger|summary)/, null],
  ['accounts', /\/(portfolio|iserver)\/accounts?(\?|$)/, null],
  ['session', /\/(iserver\/auth\/|tickle|logout|sso\/)/, null],
  ['token', /\/oauth2?\//, null],
  ['quotes', /\/iserver\/marketdata\//, null],
  ['contracts', /\/(trsrv|iserver\/secdef|iserver\/contract|iserver\/currency|contract)\//, null],
];
