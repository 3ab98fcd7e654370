// Whether a record that somebody claims agrees with ours, over the days that both have. Promises that of claims which differ by less than the
// margin at most one in twenty is ever called contradicted, and of those which differ by more at most one in twenty is ever called confirmed,
// however often and whenever one looks, as the number of days grows.
//
// The differences of the daily returns have a mean, with an interval around it that holds on all days at once: an asymptotic confidence
// sequence, half as wide as s * sqrt(2 (n r + 1) / (n² r) * log(sqrt(n r + 1) / 0.05)) of n differences with the deviation s (Waudby-Smith,
// Arbour, Sinha, Kennedy and Ramdas, Time-uniform central limit theory and asymptotic confidence sequences, Annals of Statistics, 2024, theorem 2.2).
// Confirmed: the interval is within the margin (two one-sided tests, Schuirmann, 1987). Contradicted: all of it is beyond the margin.
import { log } from '../../math/log.ts';

/** Parallel: ISO dates, oldest first, and what money was worth on each. */
export type GrowthLine = { readonly labels: readonly string[]; readonly data: readonly number[] };

export type ClaimAgreement = {
  readonly outcome: 'confirmed' | 'contradicted' | 'too_early';
  /** Of them the returns were compared. */
  readonly days: number;
  /** The first and last day that both have; null where there are not two. */
  readonly from: string | null;
  readonly to: string | null;
  /** Over these days, fractions. */
  readonly claimed: number;
  readonly own: number;
  /** Claimed less own a year, and the interval around it; null with fewer than two differences. Fractions. */
  readonly difference: { readonly mean: number; readonly low: number; readonly high: number } | null;
};

/** A claim may differ by so much a year. */
export const CLAIM_MARGIN = 0.03;
/** Fewer days say nothing: the interval is right only for many. About three months. */
export const CLAIM_DAYS_MIN = 60;
const ALPHA = 0.05;
/** Any number above zero holds; this one makes the interval narrow after about a year. */
const NARROW_AT = 0.035;
const DAYS_PER_YEAR = 365.25;
const DAY_MS = 86_400_000;

/** `ours` counts from `since` on: what came before was known when the rules were chosen. */
export function claimAgreement(claimed: GrowthLine, ours: GrowthLine, since: string): ClaimAgreement {
  const both = commonDays(claimed, ours, since);
  const [first, last] = [both[0], both.at(-1)];
  if (first === undefined || last === undefined || both.length < 2)
    return { outcome: 'too_early', days: 0, from: null, to: null, claimed: 0, own: 0, difference: null };
  const differences = both.slice(1).map((day, i) => day.claimed / both[i]!.claimed - day.own / both[i]!.own);
  const known = {
    days: differences.length,
    from: first.label,
    to: last.label,
    claimed: last.claimed / first.claimed - 1,
    own: last.own / first.own - 1,
  };
  if (differences.length < 2) return { outcome: 'too_early', ...known, difference: null };
  const { mean, half } = intervalOf(differences);
  const years = (Date.parse(last.label) - Date.parse(first.label)) / DAY_MS / DAYS_PER_YEAR;
  const perYear = differences.length / years;
  const difference = {
    mean: mean * perYear,
    low: (mean - half) * perYear,
    high: (mean + half) * perYear,
  };
  return { outcome: outcomeOf(difference, differences.length), ...known, difference };
}

function outcomeOf(
  { low, high }: NonNullable<ClaimAgreement['difference']>,
  days: number,
): ClaimAgreement['outcome'] {
  if (days < CLAIM_DAYS_MIN) return 'too_early';
  if (low > CLAIM_MARGIN || high < -CLAIM_MARGIN) return 'contradicted';
  return low >= -CLAIM_MARGIN && high <= CLAIM_MARGIN ? 'confirmed' : 'too_early';
}

function intervalOf(values: readonly number[]): { readonly mean: number; readonly half: number } {
  const n = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / n;
  const squares = values.reduce((sum, value) => sum + (value - mean) * (value - mean), 0);
  const grown = n * NARROW_AT + 1;
  const width = Math.sqrt(((2 * grown) / (n * n * NARROW_AT)) * log(Math.sqrt(grown) / ALPHA));
  return { mean, half: Math.sqrt(squares / (n - 1)) * width };
}

type CommonDay = { readonly label: string; readonly claimed: number; readonly own: number };

function commonDays(claimed: GrowthLine, ours: GrowthLine, since: string): readonly CommonDay[] {
  const worth = new Map(claimed.labels.map((label, i) => [label, claimed.data[i]!]));
  const both: CommonDay[] = [];
  for (const [i, label] of ours.labels.entries()) {
    const then = worth.get(label);
    const own = ours.data[i]!;
    // Nothing is left to compare once everything is lost.
    if (label < since || then === undefined || !(then > 0) || !(own > 0)) continue;
    both.push({ label, claimed: then, own });
  }
  return both;
}
