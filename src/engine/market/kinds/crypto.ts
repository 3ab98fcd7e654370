// Coins: fractions, every day of the year, paid in full. No overnight events.
import { SECOND_MS } from '#units/instant.ts';
import { itself, type KindRules } from './kind-rules.ts';

export const CRYPTO: KindRules = {
  costs: { commissionRate: 0.0018, commissionPerContract: 0, slippageRate: 0.0005 },
  initialMargin: 1,
  /** Coins move twice as far as shares; no regulator sets a number. */
  maintenanceMargin: 0.5,
  collarFactor: 1,
  priceMaxAgeMs: 30 * SECOND_MS,
  overnight: null,
  tradedOn: itself,
};
