// What a personal API key is, and the least and most that its owner may give it.

export const KEY_SCOPES = ['read', 'practice', 'trade'] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

export const SCOPE_TEXTS: Readonly<Record<KeyScope, string>> = {
  read: 'See strategies, your deployments and their results',
  practice: 'Build strategies and deploy them with practice money',
  trade: 'Pause real deployments at once, and ask you for everything else',
};

/** Begins every key, so that a scanner of leaked secrets knows one. */
export const KEY_MARK = 'bwk_';

/** Of each person, those that are neither revoked nor expired. */
export const KEYS_MAX = 20;
export const KEY_NAME_MAX = 60;
export const KEY_DAYS_MAX = 365;
export const KEY_BUDGET_MAX = 1_000_000_000;
export const KEY_ACTS_MAX = 1_000;
export const KEY_DEPLOYMENTS_MAX = 50;

/** How long an act waits for its owner, and how many of one key may. */
export const WAITING_HOURS = 24;
export const WAITING_MAX = 20;

export function canAct(scopes: readonly KeyScope[]): boolean {
  return scopes.some((scope) => scope !== 'read');
}
