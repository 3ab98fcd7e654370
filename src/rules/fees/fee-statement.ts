// A bill of the performance fee as a statement: every figure that it is made of, in the order in which it is computed.
// Promises that page and document say the same, because both are made of these lines.
import { type Instant, instant } from '#units/instant.ts';
import { add, type Micro, micro } from '#units/money.ts';
import type { FeeBill, FeeFigures } from './fee-bill.ts';

export type StatedBill = {
  /** 1 is the first bill of the deployment. */
  readonly number: number;
  readonly isClosing: boolean;
  readonly periodStart: Instant;
  /** The cut-off at midnight belongs to the next period; a closing bill ends with its deployment. */
  readonly periodEnd: Instant;
  readonly figures: FeeFigures;
  readonly bill: FeeBill;
  readonly hasEstimates: boolean;
  /** By corrections after the bill. */
  readonly credited: Micro;
  readonly feePercent: number;
  readonly dueAt: Instant;
  /** Null while it is not paid. */
  readonly paidAt: Instant | null;
  /** Less what a bank took back. */
  readonly paid: Micro;
  /** By a bank, because a dispute was lost, and not given back since. */
  readonly chargedBack: Micro;
  readonly chargedBackAt: Instant | null;
  /** Given back by us, or agreed to be. */
  readonly refunded: Micro;
};

export type StatementLine = { readonly label: string; readonly value: string; readonly note?: string };

/** How the reader's page or document writes an amount and a day. */
type Words = { readonly money: (amount: Micro) => string; readonly day: (at: Instant) => string };

export function feeStatement(stated: StatedBill, words: Words): readonly StatementLine[] {
  return [
    {
      label: 'Period',
      value: `${words.day(stated.periodStart)} to ${words.day(lastDayOf(stated))}`,
      ...(stated.isClosing && { note: 'Final period: the deployment has closed' }),
    },
    ...markLines(stated, words),
    ...valueLines(stated, words),
    ...feeLines(stated, words),
  ];
}

/** A moment of the last day of its period. */
export function lastDayOf({ periodEnd, isClosing }: Pick<StatedBill, 'periodEnd' | 'isClosing'>): Instant {
  return isClosing ? periodEnd : instant(periodEnd - 1);
}

type Settled = Pick<StatedBill, 'bill' | 'credited' | 'paid' | 'refunded'>;

/** What is left to pay. A refund is not owed again; that of a credit gives back what was paid too much. */
export function owedOf({ bill, credited, paid, refunded }: Settled): Micro {
  return micro(Math.max(0, bill.fee - Math.max(0, credited - refunded) - paid));
}

/** What was paid too much and is not given back yet. */
function overpaidOf({ bill, credited, paid, refunded }: Settled): Micro {
  return micro(Math.max(0, paid - refunded - (bill.fee - credited)));
}

function markLines({ number, figures, bill }: StatedBill, { money }: Words): readonly StatementLine[] {
  const opening = {
    label: 'Opening high-water mark',
    value: money(figures.highWaterMark),
    note: number === 1 ? 'The initial investment' : 'From the previous bill',
  };
  if (bill.netFlow === 0) return [opening];
  return [
    opening,
    {
      label: bill.netFlow > 0 ? 'Added' : 'Withdrawn',
      value: money(micro(Math.abs(bill.netFlow))),
      note: 'During the period, on balance',
    },
    {
      label: 'High-water mark after that',
      value: money(bill.adjustedMark),
      note: 'What the profit is measured from',
    },
  ];
}

function valueLines({ figures, bill }: StatedBill, { money }: Words): readonly StatementLine[] {
  const { capital, settledResult, worth } = figures;
  return [
    { label: 'Money put in', value: money(capital), note: 'All deposits less all withdrawals' },
    { label: 'Realized profit', value: money(settledResult), note: 'Since the start, less commission' },
    { label: 'Settled value', value: money(add(capital, settledResult)), note: 'The sum of the two' },
    ...(worth === null
      ? []
      : [{ label: 'Market value', value: money(worth), note: 'At the last valuation before the cut-off' }]),
    {
      label: 'Value at the cut-off',
      value: money(bill.closingValue),
      note: worth === null ? 'Settled value' : 'The lower of settled and market value',
    },
  ];
}

function feeLines(stated: StatedBill, { money, day }: Words): readonly StatementLine[] {
  const { bill, feePercent, hasEstimates, credited } = stated;
  return [
    { label: 'Profit', value: money(bill.profit), note: 'Above the high-water mark' },
    { label: 'Rate', value: `${feePercent}%` },
    { label: 'Fee', value: money(bill.fee), note: 'Rounded down to whole cents' },
    ...(hasEstimates
      ? [
          {
            label: 'Commissions',
            value: 'Partly estimated',
            note: 'A fee that is too high is credited once your broker states them',
          },
        ]
      : []),
    ...(credited > 0
      ? [
          {
            label: 'Credited',
            value: money(micro(-credited)),
            note: 'Figures of your broker that came after the bill',
          },
        ]
      : []),
    {
      label: 'Next high-water mark',
      value: money(bill.nextHighWaterMark),
      note: 'No fee is due below it',
    },
    ...dueLines(stated, { money, day }),
  ];
}

function dueLines(stated: StatedBill, { money, day }: Words): readonly StatementLine[] {
  const { paidAt, paid, dueAt, chargedBack, chargedBackAt } = stated;
  const owed = owedOf(stated);
  const taken = chargedBackAt !== null && {
    label: 'Taken back',
    value: money(micro(-chargedBack)),
    note: `By your bank, on ${day(chargedBackAt)}`,
  };
  if (paidAt === null)
    return [
      ...(taken ? [{ label: 'Paid before', value: money(add(paid, chargedBack)) }, taken] : []),
      { label: 'Due', value: owed === 0 ? 'Nothing to pay' : `${money(owed)} on ${day(dueAt)}` },
    ];
  const tooMuch = overpaidOf(stated);
  return [
    ...(taken ? [taken] : []),
    { label: 'Paid', value: money(taken ? add(paid, chargedBack) : paid), note: `On ${day(paidAt)}` },
    ...(tooMuch > 0
      ? [{ label: 'Owed to you', value: money(tooMuch), note: 'Credited after you paid: support refunds it' }]
      : []),
  ];
}
