// What kind of installation this is. Screens and documents differ by it: what is said must be true of the one that says it.

export const INSTALLATIONS = ['demonstration', 'provider', 'own'] as const;

/**
 * demonstration: simulated or past prices, and a company that does not exist. provider: an adviser with clients, on live prices.
 * own: one person on an account of their own, on live prices; there is no provider, no client and no fee.
 */
export type Installation = (typeof INSTALLATIONS)[number];

export function isInstallation(text: unknown): text is Installation {
  return INSTALLATIONS.some((one) => one === text);
}
