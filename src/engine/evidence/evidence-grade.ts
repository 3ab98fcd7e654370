// How far a backtested result can be believed: the badge next to its figures. Promises 'supported' only where luck
// among all tries is an unlikely explanation and no later result speaks against it; every grade has its reasons.
import { backtestOverfitting } from '../performance/overfitting/backtest-overfitting.ts';
import { deflatedSharpe, luckySharpe } from '../performance/overfitting/deflated-sharpe.ts';
import { minimumTrackRecord } from '../performance/overfitting/minimum-track-record.ts';
import { probabilisticSharpe } from '../performance/overfitting/probabilistic-sharpe.ts';
import { sharpeStatistics } from '../performance/overfitting/sharpe-statistics.ts';
import { present } from '../performance/returns.ts';
import { type TrialLedger, trialsOf } from './trials.ts';

/**
 * supported: luck among all tries is unlikely. possible: good on its own, but with this many tries luck may explain it.
 * unsupported: not good enough even alone. contradicted: the results after the commit of the version speak against it.
 * too_short: not enough returns to judge.
 */
export type EvidenceGrade = 'supported' | 'possible' | 'unsupported' | 'contradicted' | 'too_short';

export type EvidenceInput = {
  /** Returns per period up to the commit of the version. */
  readonly inSample: Float64Array;
  /** Returns since. */
  readonly outOfSample: Float64Array;
  readonly periodsPerYear: number;
  readonly ledger: TrialLedger;
  /** In-sample returns of the variants tried, over the same periods; empty where they were not kept. */
  readonly variants: readonly Float64Array[];
  /** The probability of overfitting where it was measured earlier, on the same in-sample returns. */
  readonly overfittingProbability?: number | null;
  /** The neighbours of the rules are still to be tried: what they show could only take away. */
  readonly awaitsNeighbours?: boolean;
};

/** Each probability is that of the grade's own figures. */
export type EvidenceReason =
  | { readonly code: 'too_few_returns'; readonly least: number }
  | { readonly code: 'no_skill_since_commit'; readonly probability: number }
  | { readonly code: 'no_skill_alone'; readonly probability: number }
  | { readonly code: 'may_be_luck' | 'not_luck'; readonly tries: number; readonly probability: number }
  | { readonly code: 'overfitted'; readonly probability: number }
  | { readonly code: 'neighbours_not_tried' };

export type Evidence = {
  readonly grade: EvidenceGrade;
  readonly reasons: readonly EvidenceReason[];
  /** Probability that the true Sharpe ratio is above zero, and above what luck gives the best of all tries. */
  readonly probabilisticSharpe: number | null;
  readonly deflatedSharpe: number | null;
  /** Annual Sharpe ratio that the best of as many skill-less tries is expected to show. */
  readonly luckySharpe: number | null;
  /** Years until a Sharpe ratio like this one is above zero with 95 percent; null when it never is. */
  readonly minimumTrackRecordYears: number | null;
  /** Null with fewer than two variants. */
  readonly overfittingProbability: number | null;
  readonly tries: number;
  readonly outOfSamplePeriods: number;
  /** Probability that the true Sharpe ratio out of sample is above zero; null while it is too short. */
  readonly outOfSampleProbability: number | null;
};

export function gradeEvidence(input: EvidenceInput): Evidence {
  const statistics = sharpeStatistics(input.inSample);
  const trials = trialsOf(input.ledger, Math.max(2, statistics.periods));
  const outOfSample = present(input.outOfSample);
  const isLongEnough = statistics.periods >= LEAST_PERIODS && Number.isFinite(statistics.sharpe);
  const target = { benchmark: 0, probability: CONFIDENCE };
  const perYear = Math.sqrt(input.periodsPerYear);
  const figures = {
    probabilisticSharpe: isLongEnough ? probabilisticSharpe(statistics) : null,
    deflatedSharpe: isLongEnough ? deflatedSharpe(statistics, trials) : null,
    luckySharpe: isLongEnough ? luckySharpe(trials) * perYear : null,
    minimumTrackRecordYears: isLongEnough
      ? orNull(minimumTrackRecord(statistics, target) / input.periodsPerYear)
      : null,
    overfittingProbability: input.overfittingProbability ?? overfittingOf(input.variants),
    tries: input.ledger.count,
    outOfSamplePeriods: outOfSample.length,
    outOfSampleProbability:
      outOfSample.length >= LEAST_PERIODS ? orNull(probabilisticSharpe(sharpeStatistics(outOfSample))) : null,
  };
  return { ...judge(figures, input.awaitsNeighbours ?? false), ...figures };
}

/** Thresholds are our own choice; 95 percent is the one that the papers use. */
export const CONFIDENCE = 0.95;
const CONTRADICTION = 1 - CONFIDENCE;
const OVERFITTING_LIMIT = 0.5;

/** Below this the moments are guesses for any period. */
const LEAST_PERIODS = 30;

type Figures = Omit<Evidence, 'grade' | 'reasons'>;

function judge(figures: Figures, awaitsNeighbours: boolean): Pick<Evidence, 'grade' | 'reasons'> {
  const { probabilisticSharpe: alone, deflatedSharpe: deflated, overfittingProbability: overfit } = figures;
  const { tries } = figures;
  if (alone === null || deflated === null)
    return { grade: 'too_short', reasons: [{ code: 'too_few_returns', least: LEAST_PERIODS }] };
  const after = figures.outOfSampleProbability;
  if (after !== null && after < CONTRADICTION)
    return { grade: 'contradicted', reasons: [{ code: 'no_skill_since_commit', probability: after }] };
  if (alone < CONFIDENCE)
    return { grade: 'unsupported', reasons: [{ code: 'no_skill_alone', probability: alone }] };
  const doubts: EvidenceReason[] = [];
  if (deflated < CONFIDENCE) doubts.push({ code: 'may_be_luck', tries, probability: deflated });
  if (overfit !== null && overfit > OVERFITTING_LIMIT)
    doubts.push({ code: 'overfitted', probability: overfit });
  if (awaitsNeighbours) doubts.push({ code: 'neighbours_not_tried' });
  if (doubts.length > 0) return { grade: 'possible', reasons: doubts };
  return { grade: 'supported', reasons: [{ code: 'not_luck', tries, probability: deflated }] };
}

/** Null with fewer than two variants, or when they are too short for it. */
export function overfittingOf(variants: readonly Float64Array[]): number | null {
  const [first] = variants;
  if (first === undefined || variants.length < 2 || first.length < 2 * BLOCKS_LEAST) return null;
  return backtestOverfitting(variants, blocksFor(first.length, variants.length)).probability;
}

/**
 * The paper's 16 blocks, whose 12,870 splits leave no coarse steps, where each block has enough returns for a Sharpe
 * ratio; fewer where the record is short, or where the splits of this many variants would take seconds.
 */
function blocksFor(periods: number, variants: number): number {
  for (const [blocks, splits] of SPLITS) {
    if (periods >= PERIODS_A_BLOCK * blocks && variants * splits <= COMPARISONS_MAX) return blocks;
  }
  return BLOCKS_LEAST;
}

/** Blocks, and in how many ways half of them can be chosen. */
const SPLITS = [
  [16, 12_870],
  [14, 3_432],
  [12, 924],
  [10, 252],
] as const;
const BLOCKS_LEAST = 8;
const PERIODS_A_BLOCK = 10;
const COMPARISONS_MAX = 500_000;

function orNull(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
