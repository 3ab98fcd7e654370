// A vendor's rate limits, and the priority of requests.

/** The rate limits of one user. */
export type RateLimits = {
  readonly requestsPerSecond: number;
  /** Minimum time between two calls whose path starts with the key, in milliseconds. */
  readonly spacingMs: { readonly [pathPrefix: string]: number };
  /** How long to send nothing after the vendor answered 429. */
  readonly backOffMs: number;
};

/** Most urgent first: reducing risk goes before reading, reading before adding risk. */
export const PRIORITIES = ['cancel', 'liquidate', 'reconcile', 'open'] as const;
export type Priority = (typeof PRIORITIES)[number];

/** Shared by all users behind one address, because the vendor penalises the address. */
export type BackOff = { until: number };
