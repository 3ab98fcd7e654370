// Dividends on shares in an account that belong to no deployment: the broker pays them to the same cash. Promises an amount
// for each dividend since the opening whose session is processed, whatever became known late about what was held.
import type { Symbol } from '#units/identifiers.ts';
import type { Instant, IsoDate } from '#units/instant.ts';
import { add, type Micro, micro, subtract, ZERO_MICRO } from '#units/money.ts';
import { type Quantity, quantity } from '#units/quantity.ts';
import { roundHalfEven } from '#units/round.ts';
import { previousTradingDay, session } from '../market/calendar.ts';
import type { CorporateAction } from '../market/corporate-action.ts';
import type { CalendarId } from '../market/instrument.ts';
import { actionsSince, ratioOf } from '../market/split-ratio.ts';

export type OwnerHolding = {
  readonly symbol: Symbol;
  readonly calendar: CalendarId;
  /** Signed, in units of their day. */
  readonly external: readonly { readonly at: Instant; readonly traded: Quantity }[];
  /** The last session whose end has been processed. */
  readonly passed: IsoDate | null;
};

export type OwnerDividend = {
  readonly symbol: Symbol;
  /** The last session that traded with it. */
  readonly sessionDate: IsoDate;
  /** Signed. */
  readonly units: Quantity;
  /** Negative on shares that the account was short of. */
  readonly amount: Micro;
};

/** By the feed's amounts: estimates, until the broker states its own. */
export function ownerDividends(
  { symbol, calendar, external, passed }: OwnerHolding,
  actions: readonly CorporateAction[],
  openedAt: Instant,
): readonly OwnerDividend[] {
  return actions.flatMap(({ kind, exDate, amount: perUnit }) => {
    if (kind !== 'dividend') return [];
    const sessionDate = previousTradingDay(calendar, exDate);
    const { closesAt } = session(calendar, sessionDate)!;
    if (passed === null || sessionDate > passed || closesAt <= openedAt) return [];
    let held = 0;
    for (const { at, traded } of external) {
      if (at > closesAt) continue;
      const splits = actionsSince(actions, 'split', { calendar, at });
      held += traded * ratioOf(splits.filter((split) => split.sessionDate < sessionDate));
    }
    const units = quantity(roundHalfEven(held));
    return [{ symbol, sessionDate, units, amount: micro(roundHalfEven((units * perUnit) / 100)) }];
  });
}

/** What is still to be booked of each; what is booked already counts. */
export function unbookedDividends(
  due: readonly OwnerDividend[],
  booked: readonly Omit<OwnerDividend, 'units'>[],
): readonly OwnerDividend[] {
  const changes = due.map((dividend) => {
    const same = booked.filter(
      ({ symbol, sessionDate }) => symbol === dividend.symbol && sessionDate === dividend.sessionDate,
    );
    const already = add(ZERO_MICRO, ...same.map(({ amount }) => amount));
    return { ...dividend, amount: subtract(dividend.amount, already) };
  });
  return changes.filter(({ amount }) => amount !== 0);
}
