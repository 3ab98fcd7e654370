// Fees that a broker charges for a day's trades and not for one order, shared among those who traded: deployments and the
// account's owner. Promises that the shares add up to the fees, that each is in whole cents where the fees are, and that they
// depend on nothing but what was traded: a trade or a fee that is listed late changes each share to what it would have been.
import { add, type Micro, micro, subtract, ZERO_MICRO } from '#units/money.ts';

export type DayTrades<Holder> = {
  /** Null is the owner. */
  readonly holder: Holder;
  /** What the trades that bear the fee were worth: the day's sales, or all of its trades where nothing was sold. */
  readonly worth: Micro;
  /** What of the fees is booked already. */
  readonly changed: Micro;
};

type FeeChange<Holder> = { readonly holder: Holder; readonly share: Micro; readonly change: Micro };

/** By what was sold; each cent that rounding leaves goes to the largest remainder, and of equal ones to the first. */
export function feeChanges<Holder>(
  fees: readonly Micro[],
  traders: readonly DayTrades<Holder>[],
): readonly FeeChange<Holder>[] {
  const total = add(ZERO_MICRO, ...fees);
  const worth = traders.reduce((sum, one) => sum + one.worth, 0);
  if (worth <= 0) return [];
  const parts = traders.map((one) => {
    const exact = (Math.abs(total) / CENT) * (one.worth / worth);
    return { ...one, cents: Math.floor(exact), rest: exact - Math.floor(exact) };
  });
  const whole = Math.floor(Math.abs(total) / CENT);
  let left = whole - parts.reduce((sum, { cents }) => sum + cents, 0);
  const given = new Map(parts.map((one) => [one, one.cents * CENT]));
  for (const one of parts.toSorted((a, b) => b.rest - a.rest)) {
    if (left <= 0) break;
    given.set(one, given.get(one)! + CENT);
    left -= 1;
  }
  // Of fees that are not in whole cents, the remainder goes to whoever traded most.
  const most = parts.toSorted((a, b) => b.worth - a.worth)[0]!;
  given.set(
    most,
    given.get(most)! + Math.abs(total) - [...given.values()].reduce((sum, one) => sum + one, 0),
  );
  return parts
    .map((one) => ({ one, share: micro(Math.sign(total) * given.get(one)!) }))
    .map(({ one, share }) => ({ holder: one.holder, share, change: subtract(share, one.changed) }))
    .filter(({ change }) => change !== 0);
}

const CENT = 10_000;
