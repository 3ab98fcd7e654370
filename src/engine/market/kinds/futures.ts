// Futures: contracts with a multiplier that require margin and settle their profit in cash. A strategy names the root,
// whose continuous series it reads; orders go to the front contract, and positions held at expiry settle at the close.
import { SECOND_MS } from '#units/instant.ts';
import { frontContract } from '../derivatives/contract-months.ts';
import type { KindRules } from './kind-rules.ts';

export const FUTURES: KindRules = {
  costs: { commissionRate: 0, commissionPerContract: 0.65, slippageRate: 0.0001 },
  initialMargin: 0.1,
  /** CME sets the initial margin of speculators at 110 percent of maintenance. */
  maintenanceMargin: 0.1 / 1.1,
  collarFactor: 1,
  priceMaxAgeMs: 30 * SECOND_MS,
  overnight({ instrument: { symbol, expiry }, next, close }) {
    return expiry !== null && next > expiry ? [{ type: 'expiry', symbol, price: close }] : [];
  },
  tradedOn: (instrument, date) =>
    instrument.expiry === null ? frontContract(instrument.symbol, date) : instrument.symbol,
};
