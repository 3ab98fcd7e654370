// The state of a deployment before a day began: its last valuation until then, and which bookings that valuation had seen.
import { type IsoDate, instantOfDate, utcDate } from '#units/instant.ts';
import type { Micro } from '#units/money.ts';
import type { BookedTransaction, StatementBooks, Valuation } from './statement-books.ts';

export type CutOff = {
  /** The last booking that counts. */
  readonly place: number;
  readonly value: Micro;
  readonly cash: Micro;
  readonly held: Valuation['held'];
  /** The deployment had ended: its money is back in the account, outside of the statement. */
  readonly hasEnded: boolean;
};

export function cutOffBefore(day: IsoDate, books: StatementBooks): CutOff {
  const { now, endedAt, transactions, days } = books;
  const hasEnded = endedAt !== null && utcDate(endedAt) < day;
  const present = days.at(-1)?.date ?? utcDate(books.deployedAt);
  const newest = present > utcDate(now.at) ? present : utcDate(now.at);
  if (hasEnded || newest < day) return { ...cutAt(Infinity, now), hasEnded };
  const last = days.findLast(({ date }) => date < day);
  if (last !== undefined) return { ...cutAt(placeSeenBy(last, transactions), last), hasEnded };
  const later = transactions.findIndex(({ at }) => at >= instantOfDate(day));
  const begun = transactions.slice(0, later < 0 ? transactions.length : later);
  const cash = begun.reduce((sum, one) => sum + one.cash, 0) as Micro;
  return { place: begun.at(-1)?.place ?? -1, value: cash, cash, held: new Map(), hasEnded };
}

function cutAt(place: number, { cash, equity, held }: Valuation): Omit<CutOff, 'hasEnded'> {
  return { place, value: equity, cash, held };
}

/**
 * A booking can come later than the time that it is about, so the clock alone does not say what a valuation had seen; the
 * cash that it counted does. Of several such places the last one in time.
 */
export function placeSeenBy({ cash, at }: Valuation, transactions: readonly BookedTransaction[]): number {
  let sum = 0;
  let byCash = -1;
  let byBoth = -1;
  let byTime = -1;
  for (const one of transactions) {
    sum += one.cash;
    if (one.at <= at) byTime = one.place;
    if (sum !== cash) continue;
    if (byCash < 0) byCash = one.place;
    if (one.at <= at) byBoth = one.place;
  }
  if (byBoth >= 0) return byBoth;
  return byCash >= 0 ? byCash : byTime;
}
