// What is left of a plan once the bank of its payer took a payment of it back. Promises that nobody keeps days or credit that
// were never paid, and that what was paid otherwise stays theirs.
import type { Instant } from '#units/instant.ts';
import { add, type Micro, micro, subtract } from '#units/money.ts';
import { type PaidPeriod, unusedValue } from './plan-period.ts';

export type PlanChargeback = {
  /** The paid plan ends now. */
  readonly isOver: boolean;
  readonly creditLeft: Micro;
  /** What its payer lost with it, as days and as credit: what they get back if the bank gives the money back. */
  readonly lost: Micro;
};

/** `until`: the end of the period that was paid. Its days serve the plan that runs, directly or through a change. */
export function planChargeback({
  amount,
  until,
  current,
  credit,
  now,
}: {
  readonly amount: Micro;
  readonly until: Instant;
  readonly current: PaidPeriod | null;
  readonly credit: Micro;
  readonly now: Instant;
}): PlanChargeback {
  const isOver = current !== null && now < until;
  const had = isOver ? add(credit, unusedValue(current, now)) : credit;
  const creditLeft = micro(Math.max(0, had - amount));
  return { isOver, creditLeft, lost: subtract(had, creditLeft) };
}
