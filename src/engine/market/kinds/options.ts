// Options on one hundred units of their underlying, of the European kind: exercised at expiry alone, and settled in
// cash at what they are then worth. Both sides know the same: the holder's exercise is the writer's assignment.
import { itself, type KindRules } from './kind-rules.ts';

export const OPTIONS: KindRules = {
  costs: { commissionRate: 0, commissionPerContract: 0.7, slippageRate: 0.01 },
  /** Of the premium; a written option is covered by what secures it, see the sandbox brokerage. */
  initialMargin: 1,
  /** A move of one percent in the underlying is a third of a premium near the money. */
  collarFactor: 10,
  overnight({ instrument: { symbol, expiry }, next, close }) {
    return expiry !== null && next > expiry ? [{ type: 'expiry', symbol, price: close }] : [];
  },
  tradedOn: itself,
};
