// The tripwire: whether live daily returns are still no worse than the published ones, judged at each close from the rows
// of the days alone. Judging a day again changes nothing. Once red it stays red until its owner acknowledges it; then
// the evidence begins anew.
import type { IsoDate } from '#units/instant.ts';
import type { TripwireState } from '../risk/tripwire.ts';
import { afterDay, type EvidenceAgainst, worthOf } from './evidence-against.ts';
import type { PublishedReturns } from './published-returns.ts';

export type Judgement = {
  readonly state: TripwireState;
  readonly evidence: EvidenceAgainst;
  /** The last day that was judged or passed over, with what it closed at; null before the first. */
  readonly last: ClosedDay | null;
};

/** One day of a deployment, as its row of that day says. */
export type ClosedDay = {
  readonly date: IsoDate;
  readonly equity: number;
  /** When it was valued, as a text. */
  readonly at: string;
  /** Whether it followed its strategy in full at that close: the day after it counts, whatever happens on it. */
  readonly follows: boolean;
};

/** The evidence is worth as much as this by luck in at most one of so many deployments. */
export const AMBER_AT = 5;
export const RED_AT = 20;
/** Amber ends where no evidence is left, not where a little less is: it does not come and go from day to day. */
const GREEN_BELOW = 1;

/**
 * Days in order; one that is not after the last changes nothing. `flowFactor` is what money that was added or withdrawn since the
 * day before has multiplied the value by: 1 without any. It is no return.
 */
export function judgeDay(
  before: Judgement,
  day: ClosedDay & { readonly flowFactor?: number },
  published: PublishedReturns,
): Judgement {
  const { last, state } = before;
  if (last !== null && day.date <= last.date) return before;
  const seen: ClosedDay = { date: day.date, equity: day.equity, at: day.at, follows: day.follows };
  if (state === 'red' || last === null || !last.follows || !(last.equity > 0))
    return { ...before, last: seen };
  const dailyReturn = day.equity / (last.equity * (day.flowFactor ?? 1)) - 1;
  const evidence = afterDay(before.evidence, dailyReturn, published);
  return { state: stateOf(state, worthOf(evidence)), evidence, last: seen };
}

function stateOf(before: TripwireState, worth: number): TripwireState {
  if (worth >= RED_AT) return 'red';
  if (worth >= AMBER_AT) return 'amber';
  return before === 'amber' && worth >= GREEN_BELOW ? 'amber' : 'green';
}
