// The account of a deployment that has ended: what went in, what it made, what it cost, and what was left. Promises that the
// lines sum: left = paid in - taken out + realized - commission, and kept = left - fee.
import { dollars } from '../dollars.ts';
import { type Instant, utcDate } from '#units/instant.ts';
import { add, type Micro, subtract } from '#units/money.ts';

export type FinalStatement = {
  readonly strategyName: string;
  /** Trading clock. */
  readonly began: Instant;
  readonly ended: Instant;
  readonly paidIn: Micro;
  readonly paidOut: Micro;
  readonly realized: Micro;
  readonly commission: Micro;
  /** Executions. */
  readonly trades: number;
  /** All bills together, and what later figures took off them. */
  readonly fee: Micro;
  readonly credited: Micro;
  readonly paid: Micro;
  /** The closing bill is made. */
  readonly isBilled: boolean;
};

export type FinalSums = {
  /** At the broker when everything was sold. */
  readonly left: Micro;
  /** After the fees of all its time. */
  readonly kept: Micro;
  /** Of the fees; below zero where we owe it back. */
  readonly owed: Micro;
};

export function finalSums({
  paidIn,
  paidOut,
  realized,
  commission,
  fee,
  credited,
  paid,
}: FinalStatement): FinalSums {
  const left = subtract(add(subtract(paidIn, paidOut), realized), commission);
  const charged = subtract(fee, credited);
  return { left, kept: subtract(left, charged), owed: subtract(charged, paid) };
}

type Line = { readonly label: string; readonly value: string };

/** As the page and the PDF show it. */
export function finalStatementLines(statement: FinalStatement): readonly Line[] {
  const { left, kept, owed } = finalSums(statement);
  const { began, ended, paidIn, paidOut, realized, commission, trades, fee, credited, paid } = statement;
  return [
    { label: 'Began', value: utcDate(began) },
    { label: 'Ended', value: utcDate(ended) },
    { label: 'Executions', value: String(trades) },
    { label: 'Paid in', value: dollars(paidIn) },
    { label: 'Taken out', value: dollars(paidOut) },
    { label: 'Realized profit or loss', value: dollars(realized) },
    { label: 'Commissions', value: dollars(commission) },
    { label: 'Left at the broker', value: dollars(left) },
    { label: 'Performance fees', value: dollars(fee) },
    { label: 'Credited', value: dollars(credited) },
    { label: 'Fees paid', value: dollars(paid) },
    { label: owed < 0 ? 'Owed to you' : 'Fees still to pay', value: dollars(Math.abs(owed) as Micro) },
    { label: 'Left after all fees', value: dollars(kept) },
  ];
}

export const UNBILLED =
  'The final fee bill is not made yet: it waits up to five days for the commissions of the broker. This statement changes with it.';
