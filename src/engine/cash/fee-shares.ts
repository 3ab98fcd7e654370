// Fees that a broker charges for a day's trades and not for one order, shared among those who traded: deployments and the
// account's owner. Promises that the shares add up to the fees, that each is in whole cents where the fees are, and that they
// depend on nothing but what was traded: a trade or a fee that is listed late changes each share to what it would have been.
import { add, type Micro, micro, subtract, ZERO_MICRO } from '#units/money.ts';
import type { Quantity } from '#units/quantity.ts';
import type { CashActivity, FeeBasis } from './cash-activity.ts';

export type DayTrades<Holder> = {
  /** Null is the owner. */
  readonly holder: Holder;
  /** What the trades that bear the fee were worth: the day's sales, or all of its trades where nothing was sold. */
  readonly worth: Micro;
  /** How many units they were of. */
  readonly units: Quantity;
  /** What of the fees is booked already. */
  readonly changed: Micro;
};

type FeeChange<Holder> = { readonly holder: Holder; readonly share: Micro; readonly change: Micro };

/** Each fee by what it is charged by; each cent that rounding leaves goes to the largest remainder, and of equal ones to the first. */
export function feeChanges<Holder>(
  fees: readonly Pick<CashActivity, 'amount' | 'chargedBy'>[],
  traders: readonly DayTrades<Holder>[],
): readonly FeeChange<Holder>[] {
  if (traders.reduce((sum, { worth }) => sum + worth, 0) <= 0) return [];
  const byWorth = sharesOf(totalOf(fees, 'worth'), traders, ({ worth }) => worth);
  const byUnits = sharesOf(totalOf(fees, 'units'), traders, ({ units }) => units);
  return traders
    .map((one) => ({ one, share: add(byWorth.get(one)!, byUnits.get(one)!) }))
    .map(({ one, share }) => ({ holder: one.holder, share, change: subtract(share, one.changed) }))
    .filter(({ change }) => change !== 0);
}

function totalOf(fees: readonly Pick<CashActivity, 'amount' | 'chargedBy'>[], basis: FeeBasis): Micro {
  const ofBasis = fees.filter(({ chargedBy }) => (chargedBy ?? 'worth') === basis);
  return add(ZERO_MICRO, ...ofBasis.map(({ amount }) => amount));
}

function sharesOf<Holder>(
  total: Micro,
  traders: readonly DayTrades<Holder>[],
  sizeOf: (trader: DayTrades<Holder>) => number,
): ReadonlyMap<DayTrades<Holder>, Micro> {
  const size = traders.reduce((sum, one) => sum + sizeOf(one), 0);
  const whole = Math.floor(Math.abs(total) / CENT);
  const parts = traders.map((one) => {
    const exact = (Math.abs(total) / CENT) * (sizeOf(one) / size);
    return { one, cents: Math.floor(exact), rest: exact - Math.floor(exact) };
  });
  let left = whole - parts.reduce((sum, { cents }) => sum + cents, 0);
  const given = new Map(parts.map(({ one, cents }) => [one, cents * CENT]));
  for (const { one } of parts.toSorted((a, b) => b.rest - a.rest)) {
    if (left <= 0) break;
    given.set(one, given.get(one)! + CENT);
    left -= 1;
  }
  // Of fees that are not in whole cents, the remainder goes to whoever traded most.
  const most = traders.toSorted((a, b) => sizeOf(b) - sizeOf(a))[0]!;
  const booked = [...given.values()].reduce((sum, cents) => sum + cents, 0);
  given.set(most, given.get(most)! + Math.abs(total) - booked);
  return new Map([...given].map(([one, share]) => [one, micro(Math.sign(total) * share)]));
}

const CENT = 10_000;
