// How fast a vendor may be asked, and who comes first.

/** How fast one signed-in user may ask. */
export type RateLimits = {
  readonly requestsPerSecond: number;
  /** Least time between two calls whose path starts with the key, in milliseconds. */
  readonly spacingMs: { readonly [pathPrefix: string]: number };
  /** How long nothing is sent after the vendor answered 429. */
  readonly backOffMs: number;
};

/** Most urgent first: taking risk off goes before looking, looking before taking risk on. */
export const PRIORITIES = ['cancel', 'liquidate', 'reconcile', 'open'] as const;
export type Priority = (typeof PRIORITIES)[number];

/** Shared by all users behind one address, because the vendor punishes the address. */
export type BackOff = { until: number };
