// Why an account cannot be closed yet, each with what ends it.
import { dollars } from '../dollars.ts';
import type { Micro } from '#units/money.ts';

export type ClosingFacts = {
  readonly isStaff: boolean;
  readonly running: readonly string[];
  readonly openOrders: number;
  readonly owed: Micro;
  readonly unbilled: readonly string[];
  readonly movingPayments: number;
};

/** Empty when it can. */
export function closingRefusals(facts: ClosingFacts): readonly string[] {
  const { isStaff, running, openOrders, owed, unbilled, movingPayments } = facts;
  return [
    isStaff ? 'You are staff: an admin has to take your role away first.' : null,
    running.length > 0
      ? `${listed(running)} still ${running.length === 1 ? 'runs. Stop or liquidate it first.' : 'run. Stop or liquidate them first.'}`
      : null,
    openOrders > 0 ? 'An order is still open at your broker. Wait until it has ended.' : null,
    unbilled.length > 0
      ? `The final fee bill of ${listed(unbilled)} is not made yet. It waits up to five days for the commissions of your broker.`
      : null,
    owed > 0 ? `You owe ${dollars(owed)} in performance fees. Pay your bills first.` : null,
    movingPayments > 0
      ? 'One of your payments, refunds or disputes is not over yet. Wait until it is.'
      : null,
  ].filter((one) => one !== null);
}

function listed(names: readonly string[]): string {
  return new Intl.ListFormat('en').format(names);
}
