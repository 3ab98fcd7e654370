// Evidence that live daily returns are worse than the published ones, which may be looked at every day: a bet against
// them. Its stake is worth 1 on the first day; while the returns are no worse, each day is fair or unfavourable to it, so
// the chance that it is ever worth 20 is at most 1 in 20 (Ville, 1939). Betting on a bounded mean: Waudby-Smith and
// Ramdas, "Estimating means of bounded random variables by betting" (2024). Stakes placed later find what begins later:
// Shin, Ramdas and Rinaldo, "E-detectors" (2023), mixed over the day of the beginning.
import { exp } from '../math/exp.ts';
import type { PublishedReturns } from './published-returns.ts';

export type EvidenceAgainst = {
  /** What is placed, by the boldness of the bet. */
  readonly placed: readonly number[];
  /** What is not placed yet. */
  readonly reserve: number;
  /** Days that counted. */
  readonly days: number;
};

export const NO_EVIDENCE: EvidenceAgainst = { placed: [1 / 6, 1 / 6, 1 / 6], reserve: 0.5, days: 0 };

/** What the stake of 1 is worth now. */
export function worthOf({ placed, reserve }: EvidenceAgainst): number {
  return placed.reduce((sum, one) => sum + one, reserve);
}

/** One more day. The bet was placed before it, so nothing of it can depend on its return. */
export function afterDay(
  before: EvidenceAgainst,
  dailyReturn: number,
  published: PublishedReturns,
): EvidenceAgainst {
  const { low, high, mean, deviation, varianceRatio } = published;
  const shortfall = (mean - Math.min(high, Math.max(low, dailyReturn))) / deviation;
  const placed = before.placed.map((stake, i) => stake * factorOf(BETS[i]!, shortfall, varianceRatio));
  const days = before.days + 1;
  if (days % PLACED_EVERY !== 0) return { placed, reserve: before.reserve, days };
  const added = before.reserve / PARTS;
  return {
    placed: placed.map((stake) => stake + added / BETS.length),
    reserve: before.reserve - added,
    days,
  };
}

/**
 * 1 + bet × shortfall has a mean of at most 1 while returns are no worse on average, however their spread changes. Days
 * that hang together make runs of losses likelier than that; the second factor takes off what that is worth.
 */
function factorOf(bet: number, shortfall: number, varianceRatio: number): number {
  const swing = bet * shortfall;
  return (1 + swing) * exp(-((varianceRatio - 1) * swing * swing) / 2);
}

/** Shares of the stake for each standard deviation: for records that decay a little, much, and at once. */
const BETS = [0.05, 0.1, 0.2] as const;
/** Days: each month a part of the rest is placed. */
const PLACED_EVERY = 21;
const PARTS = 24;
