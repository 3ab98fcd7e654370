// The performance fee, written down again from the agreement: 30% of what was settled and still there at the cut-off above the
// high-water mark, in whole cents, due five days later.
import { findState, worthAt } from './check-days.ts';
import type { Snapshot } from './fold-bookings.ts';
import type { Bill, Books, Correction, Finding, Market } from './rows.ts';
import { isSame } from './trade.ts';

export function checkBills(books: Books, snapshots: readonly Snapshot[], market: Market): Finding[] {
  const findings: Finding[] = [];
  let mark = snapshots[0]?.capital ?? 0;
  let capital = mark;
  let end = books.deployment.deployedAt;
  for (const [index, bill] of books.bills.entries()) {
    const row = `${bill.number} of deployment ${books.deployment.id}`;
    const same = (figure: string, stored: number, recomputed: number) => {
      if (!isSame(stored, recomputed)) findings.push({ kind: 'bill', row, figure, stored, recomputed });
    };
    const says = (figure: string, stored: string | null, recomputed: string | null) => {
      if (stored !== recomputed) findings.push({ kind: 'bill', row, figure, stored, recomputed });
    };
    same('number', bill.number, index + 1);
    says('start', bill.start, end);
    says('due day', bill.dueAt, plusDays(bill.end, DUE_DAYS));
    if (bill.isClosing) says('end', bill.end, books.deployment.endedAt);
    else findings.push(...checkPeriod(row, bill, books));
    const settled = settledBy(snapshots, bill.ledgerThrough, bill.isClosing ? null : bill.end);
    same('capital', bill.capital, settled.capital);
    same('settled result', bill.settledResult, settled.result);
    same('high-water mark before', bill.highWaterBefore, mark);
    same('net flow', bill.netFlow, settled.capital - capital);
    const worth = bill.isClosing ? null : worthOfBill(bill, snapshots, market);
    if (worth === undefined)
      findings.push({ kind: 'bill', row, figure: 'worth', stored: bill.worth, recomputed: null });
    else if (worth !== null) same('worth', bill.worth ?? 0, worth);
    const fee = feeOf(
      { ...bill, capital: settled.capital, settledResult: settled.result, worth: worth ?? bill.worth },
      mark,
      capital,
    );
    same('mark after flows', bill.adjustedMark, fee.adjustedMark);
    same('closing value', bill.closingValue, fee.closingValue);
    same('profit', bill.profit, fee.profit);
    same('fee', bill.fee, centsOf(bill.profit, bill.feePercent));
    same('high-water mark after', bill.highWaterAfter, Math.max(fee.adjustedMark, fee.closingValue));
    if (bill.feePercent !== FEE_PERCENT && bill.feePercent !== 0) same('rate', bill.feePercent, FEE_PERCENT);
    [mark, capital, end] = [bill.highWaterAfter, bill.capital, bill.end];
  }
  return [...findings, ...checkCorrections(books, snapshots), ...checkPayments(books)];
}

type Figures = Pick<Bill, 'capital' | 'settledResult' | 'worth'>;

function feeOf({ capital, settledResult, worth }: Figures, mark: number, before: number) {
  const settled = capital + settledResult;
  const closingValue = worth === null ? settled : Math.min(settled, worth);
  // Money added raises the mark by as much, money withdrawn lowers it by as much.
  const adjustedMark = mark + (capital - before);
  return { adjustedMark, closingValue, profit: Math.max(0, closingValue - adjustedMark) };
}

/** Rounded down to cents. From the stored profit, whose millionths count. */
function centsOf(profit: number, percent: number): number {
  return Number((BigInt(Math.round(profit * 1e6)) * BigInt(percent)) / 1_000_000n) / 100;
}

function settledBy(snapshots: readonly Snapshot[], through: number, end: string | null) {
  const counted = snapshots.filter(({ entry, at }) => entry <= through && (end === null || at < end));
  return {
    capital: counted.at(-1)?.capital ?? 0,
    result: counted.reduce((sum, { settled }) => sum + settled, 0),
  };
}

/** From the valuation that the bill names; before the first one it was worth what was put in. Undefined: no books were like that. */
function worthOfBill(bill: Bill, snapshots: readonly Snapshot[], market: Market): number | undefined {
  const { worthCash: cash, worthHeld: held } = bill;
  if (cash === null || held === null) return settledBy(snapshots, bill.ledgerThrough, bill.end).capital;
  const worthOf = (state: Snapshot) => state.cash + worthAt(state, held, market);
  const found = findState(snapshots, { cash, held }, 0, (state) => isSame(bill.worth ?? 0, worthOf(state)));
  return found === null ? undefined : worthOf(found.state);
}

function checkPeriod(row: string, { end }: Bill, { deployment }: Books): Finding[] {
  const isMonth = end.slice(8) === '01T00:00:00.000Z';
  const isWeek = end.slice(10) === 'T00:00:00.000Z' && new Date(end).getUTCDay() === MONDAY;
  const { feePeriod: period, feePeriods } = deployment;
  if ((isMonth && feePeriods.includes('monthly')) || (isWeek && feePeriods.includes('weekly'))) return [];
  return [{ kind: 'bill', row, figure: 'end', stored: end, recomputed: `the end of a ${period} period` }];
}

function checkCorrections(
  { deployment, bills, corrections }: Books,
  snapshots: readonly Snapshot[],
): Finding[] {
  const findings: Finding[] = [];
  const closing = bills.find(({ isClosing }) => isClosing);
  let owed = closing?.fee ?? 0;
  for (const correction of corrections) {
    const row = `${correction.number} of deployment ${deployment.id}`;
    const same = (figure: keyof Correction, stored: number, recomputed: number) => {
      if (!isSame(stored, recomputed))
        findings.push({ kind: 'correction of a bill', row, figure, stored, recomputed });
    };
    if (closing === undefined) {
      findings.push({ kind: 'correction of a bill', row, figure: 'bill', stored: row, recomputed: null });
      continue;
    }
    const { result: settledResult } = settledBy(snapshots, correction.ledgerThrough, null);
    const { capital, highWaterBefore, netFlow } = closing;
    const fee = feeOf({ ...closing, worth: null, settledResult }, highWaterBefore, capital - netFlow);
    same('settledResult', correction.settledResult, settledResult);
    same('closingValue', correction.closingValue, fee.closingValue);
    same('profit', correction.profit, fee.profit);
    same('fee', correction.fee, centsOf(correction.profit, closing.feePercent));
    same('credit', correction.credit, Math.max(0, owed - correction.fee));
    owed -= correction.credit;
  }
  return findings;
}

/**
 * A payment is what is owed of its bill when it is made: the fee less what was credited before, less what was paid and not
 * taken back by a bank. One that came when nothing was owed is refunded.
 */
function checkPayments({ deployment, bills, corrections, payments }: Books): Finding[] {
  return [...Map.groupBy(payments, ({ number }) => number)].flatMap(([number, moves]): Finding[] => {
    const bill = bills.find((one) => one.number === number);
    const credits = bill?.isClosing === true ? corrections.map(({ credit }) => credit) : [];
    const row = `of bill ${number} of deployment ${deployment.id}`;
    const findings: Finding[] = [];
    let [paid, refunded] = [0, 0];
    for (const { kind, amount } of moves) {
      if (kind === 'charged_back') paid -= amount;
      if (kind === 'refunded') refunded += amount;
      if (kind !== 'paid') continue;
      const possible = [0, ...credits.map((_, index) => sumOf(credits.slice(0, index + 1)))].map(
        (credited) => (bill?.fee ?? 0) - Math.max(0, credited - refunded) - paid,
      );
      paid += amount;
      const isGivenBack = moves.some((move) => move.kind === 'refunded' && isSame(move.amount, amount));
      if (possible.some((owed) => isSame(owed, amount)) || isGivenBack) continue;
      findings.push({ kind: 'payment', row, figure: 'amount', stored: amount, recomputed: possible.at(-1)! });
    }
    const kept = paid - refunded;
    const fee = bill?.fee ?? 0;
    if (kept > fee && !isSame(kept, fee))
      findings.push({ kind: 'payment', row, figure: 'kept', stored: kept, recomputed: fee });
    return findings;
  });
}

function sumOf(amounts: readonly number[]): number {
  return amounts.reduce((sum, one) => sum + one, 0);
}

function plusDays(at: string, days: number): string {
  return new Date(Date.parse(at) + days * 86_400_000).toISOString();
}

const FEE_PERCENT = 30;
const DUE_DAYS = 5;
const MONDAY = 1;
