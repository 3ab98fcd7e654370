// A broker's figure for an event of holdings, shared among those who held: deployments and the account's owner. Promises
// that the books end at the broker's figure whatever our estimates were, that the shares add up to it, and that nothing is
// booked twice: each change is what is missing.
import { add, type Micro, micro, subtract, ZERO_MICRO } from '#units/money.ts';
import type { Quantity } from '#units/quantity.ts';
import { roundHalfEven } from '#units/round.ts';
import type { CashActivity } from './cash-activity.ts';

export type Share<Holder> = {
  readonly holder: Holder;
  /** Signed: what it held at the event. */
  readonly units: Quantity;
  /** By our rules. */
  readonly estimate: Micro;
  /** What earlier figures have changed. */
  readonly changed: Micro;
};

export type StatedChange<Holder> = {
  readonly holder: Holder;
  /** What its part of the broker's figure is. */
  readonly share: Micro;
  /** Never zero. */
  readonly change: Micro;
};

/**
 * `activities`: all that the broker has stated for the event. A tax comes on top of the estimate until the figure itself is
 * there. Empty when the units are not those that the broker paid for: until they agree, the difference is for people.
 */
export function statedChanges<Holder>(
  activities: readonly Pick<CashActivity, 'kind' | 'amount' | 'units'>[],
  shares: readonly Share<Holder>[],
): readonly StatedChange<Holder>[] {
  const main = activities.filter(({ kind }) => kind !== 'withholding_tax');
  const held = shares.reduce((sum, { units }) => sum + units, 0);
  const stated = main[0]?.units ?? null;
  if (held === 0 || (stated !== null && Math.abs(stated - Math.abs(held)) > ROUNDING)) return [];
  const estimated = main.length > 0 ? ZERO_MICRO : add(ZERO_MICRO, ...shares.map(({ estimate }) => estimate));
  const total = add(estimated, ...activities.map(({ amount }) => amount));
  return split(total, held, shares)
    .map(({ holder, estimate, changed, share }) => ({
      holder,
      share,
      change: subtract(share, add(estimate, changed)),
    }))
    .filter(({ change }) => change !== 0);
}

/** By units; the last one takes what rounding leaves. */
function split<Holder>(
  total: Micro,
  held: number,
  shares: readonly Share<Holder>[],
): readonly (Share<Holder> & { readonly share: Micro })[] {
  let left = total;
  return shares.map((one, at) => {
    const share = at === shares.length - 1 ? left : micro(roundHalfEven((total * one.units) / held));
    left = subtract(left, share);
    return { ...one, share };
  });
}

/** Hundred-millionths of a unit: splits round. */
const ROUNDING = 100;
