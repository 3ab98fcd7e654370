// The cash of a brokerage account for one day: what the day opened with, what is known to have moved, and what the broker
// shows at its end. Promises that opening + lines + unexplained = closing, and that the days add up to all that ever moved:
// a movement that becomes known late is in the statement of the day on which it did.
import { add, type Micro, subtract, ZERO_MICRO } from '#units/money.ts';

/**
 * trades, commissions, dividends, swaps, deliveries (expiries, exercises, assignments) and adjustments: of our deployments.
 * external_trades: the owner's own, with their commissions. netting: what the
 * broker realizes on the net position of a margin instrument beyond its holders. transfers: deposits and withdrawals. apart: looked at by two
 * people, and not attributed. conversion: what exchange rates move in balances of other currencies.
 */
export const CASH_LINES = [
  'trades',
  'commissions',
  'dividends',
  'swaps',
  'deliveries',
  'adjustments',
  'external_trades',
  'netting',
  'transfers',
  'interest',
  'fees',
  'apart',
  'conversion',
] as const;
export type CashLine = (typeof CASH_LINES)[number];
export type CashLines = Readonly<Record<CashLine, Micro>>;

export type CashItem = { readonly line: CashLine; readonly amount: Micro };

export function sumLines(items: readonly CashItem[]): CashLines {
  const sums: Record<CashLine, Micro> = { ...NO_LINES };
  for (const { line, amount } of items) sums[line] = add(sums[line], amount);
  return sums;
}

export type CashStatement = {
  readonly opening: Micro;
  readonly lines: CashLines;
  readonly unexplained: Micro;
  /** As the broker shows it. */
  readonly closing: Micro;
};

export type CashFacts = {
  /** Of the account, before the first order of ours. */
  readonly opening: Micro;
  /** Everything that has moved since then, as known now. */
  readonly moved: CashLines;
  /** The statements of earlier days, together; null before the first. */
  readonly earlier: Pick<CashStatement, 'lines' | 'closing'> | null;
  /** What the broker shows. */
  readonly cash: Micro;
  /** How much of a difference exchange rates can cause; never negative. */
  readonly conversionMax: Micro;
};

export function cashStatement({ opening, moved, earlier, cash, conversionMax }: CashFacts): CashStatement {
  const before = earlier ?? { lines: NO_LINES, closing: opening };
  const known = withConversion(moved, subtract(cash, add(opening, ...amountsOf(moved))), conversionMax);
  const lines = differenceOf(known, before.lines);
  const unexplained = subtract(cash, add(before.closing, ...amountsOf(lines)));
  return { opening: before.closing, lines, unexplained, closing: cash };
}

/** What nothing explains, over all days so far. */
export function unexplainedCash(facts: Omit<CashFacts, 'earlier'>): Micro {
  return cashStatement({ ...facts, earlier: null }).unexplained;
}

/** Whether something is known to have moved that no statement has yet; conversions are not known but derived. */
export function hasMovedSince(moved: CashLines, stated: CashLines): boolean {
  return CASH_LINES.some((line) => line !== 'conversion' && moved[line] !== stated[line]);
}

/** A difference that rates can cause is a conversion; a larger one is none, so that people are asked about all of it. */
function withConversion(moved: CashLines, difference: Micro, conversionMax: Micro): CashLines {
  const conversion = Math.abs(difference) <= conversionMax ? difference : ZERO_MICRO;
  return { ...moved, conversion: add(moved.conversion, conversion) };
}

function differenceOf(one: CashLines, other: CashLines): CashLines {
  return sumLines(CASH_LINES.map((line) => ({ line, amount: subtract(one[line], other[line]) })));
}

function amountsOf(lines: CashLines): readonly Micro[] {
  return CASH_LINES.map((line) => lines[line]);
}

const NO_LINES = Object.fromEntries(CASH_LINES.map((line) => [line, ZERO_MICRO])) as CashLines;
