// Fees that a broker charges for a day's trades and not for one order, shared among those who traded: deployments and the
// account's owner. Promises that the shares add up to the fees, that each is in whole cents where the fees are, and that they
// depend on nothing but what was traded: a trade or a fee that is listed late changes each share to what it would have been.
import { apportion } from '#units/apportion.ts';
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
  const cents = apportion(Math.trunc(total / CENT), traders.map(sizeOf));
  const given = new Map(traders.map((one, place) => [one, micro((cents?.[place] ?? 0) * CENT)]));
  // Of fees that are not in whole cents, the remainder goes to whoever traded most.
  const most = traders.toSorted((a, b) => sizeOf(b) - sizeOf(a))[0]!;
  given.set(most, add(given.get(most)!, subtract(total, add(ZERO_MICRO, ...given.values()))));
  return given;
}

const CENT = 10_000;
