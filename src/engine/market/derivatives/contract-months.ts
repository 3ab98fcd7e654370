// The delivery months of futures: quarterly contracts that end on the third Friday of March, June, September and
// December, and which of them is in front on a day. Pure calendar rules, so that history and trader roll alike.
import type { Symbol } from '#units/identifiers.ts';
import { addDays, type IsoDate } from '#units/instant.ts';
import { previousTradingDay } from '../calendar.ts';
import { nthWeekday } from '../calendar-new-york-time.ts';

export type ContractMonth = {
  readonly symbol: Symbol;
  /** Last trading day; the contract settles in cash at its close. */
  readonly expiry: IsoDate;
  /** From this trading day on the next contract is in front. */
  readonly rollsOn: IsoDate;
};

/** The contracts of a root that end on or after a day, nearest first. */
export function contractMonths(root: Symbol, from: IsoDate, count: number): ContractMonth[] {
  const months: ContractMonth[] = [];
  for (let quarter = 0; months.length < count; quarter++) {
    const one = contractMonth(root, Number(from.slice(0, 4)) + Math.floor(quarter / 4), quarter % 4);
    if (one.expiry >= from) months.push(one);
  }
  return months;
}

/** The contract traded on a day: the nearest that does not roll yet. */
export function frontContract(root: Symbol, date: IsoDate): Symbol {
  return contractMonths(root, date, 2).find(({ rollsOn }) => date < rollsOn)!.symbol;
}

/** Whether a symbol is a contract of one of these roots. */
export function isContractOf(symbol: Symbol, roots: readonly Symbol[]): boolean {
  return roots.some((root) => symbol.startsWith(`${root}.`));
}

function contractMonth(root: Symbol, year: number, quarter: number): ContractMonth {
  const friday = nthWeekday(year, 3 * (quarter + 1), FRIDAY, 3);
  const expiry = previousTradingDay('us-equity', addDays(friday, 1));
  return {
    symbol: `${root}.${year}${MONTH_LETTERS[quarter]}` as Symbol,
    expiry,
    rollsOn: addDays(friday, -ROLL_DAYS),
  };
}

const FRIDAY = 5;
/** The exchanges' codes of March, June, September and December. */
const MONTH_LETTERS = ['H', 'M', 'U', 'Z'] as const;
/** The Thursday of the week before expiry, when most holders of index futures roll. */
const ROLL_DAYS = 8;
