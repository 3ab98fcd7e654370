// How far a backtested result can be believed: the badge next to its figures. Promises 'supported' only where luck
// among all tries is an unlikely explanation and no later result speaks against it; every grade has its reasons.
import { backtestOverfitting } from '../performance/overfitting/backtest-overfitting.ts';
import { deflatedSharpe, luckySharpe } from '../performance/overfitting/deflated-sharpe.ts';
import { minimumTrackRecord } from '../performance/overfitting/minimum-track-record.ts';
import { probabilisticSharpe } from '../performance/overfitting/probabilistic-sharpe.ts';
import { type SharpeStatistics, sharpeStatistics } from '../performance/overfitting/sharpe-statistics.ts';
import { beyondBenchmark } from '../performance/beyond-benchmark.ts';
import { present, sampleDeviation } from '../performance/returns.ts';
import { type TrialLedger, trialsOf } from './trials.ts';

/**
 * supported: luck among all tries is unlikely. possible: good on its own, but with this many tries luck may explain it.
 * unsupported: not good enough even alone, no better than its benchmark at equal exposure, or overfitted. loss: it earned nothing before its
 * commit. contradicted: the results after the commit of the version speak against it. too_short: not enough returns to judge.
 */
export type EvidenceGrade = 'supported' | 'possible' | 'unsupported' | 'loss' | 'contradicted' | 'too_short';

export type EvidenceInput = {
  /** Returns per period up to the commit of the version. */
  readonly inSample: Float64Array;
  /** Returns since. */
  readonly outOfSample: Float64Array;
  /** The benchmark's returns over the in-sample periods, NaN where it has none; absent where there is no benchmark. */
  readonly benchmark?: Float64Array;
  readonly periodsPerYear: number;
  readonly ledger: TrialLedger;
  /** In-sample returns of the variants tried, over the same periods; empty where they were not kept. */
  readonly variants: readonly Float64Array[];
  /** Where it was measured earlier, on the same in-sample returns. */
  readonly overfitting?: Overfitting | null;
  /** The neighbours of the rules are still to be tried: what they show could only take away. */
  readonly awaitsNeighbours?: boolean;
};

export type Overfitting = {
  /** That the best variant of one half of the days is none of the better ones on the other half. */
  readonly probability: number;
  /** That it earns nothing there. */
  readonly lossProbability: number;
};

/** Each probability is that of the grade's own figures. */
export type EvidenceReason =
  | { readonly code: 'too_few_returns'; readonly least: number }
  | { readonly code: 'no_skill_since_commit'; readonly probability: number }
  | { readonly code: 'no_skill_alone'; readonly probability: number }
  | { readonly code: 'no_skill_beyond_benchmark'; readonly probability: number }
  | { readonly code: 'no_gain' }
  | { readonly code: 'may_be_luck' | 'not_luck'; readonly tries: number; readonly probability: number }
  | { readonly code: 'overfitted'; readonly probability: number }
  | { readonly code: 'neighbours_not_tried' };

export type Evidence = {
  readonly grade: EvidenceGrade;
  readonly reasons: readonly EvidenceReason[];
  /** Probability that the true Sharpe ratio is above zero. */
  readonly probabilisticSharpe: number | null;
  /** The same of what was earned beyond the benchmark at equal exposure; null without one. */
  readonly beyondBenchmark: number | null;
  /** That the lower one of the two is above what luck gives the best of all tries. */
  readonly deflatedSharpe: number | null;
  /** Annual Sharpe ratio that the best of as many skill-less tries is expected to show. */
  readonly luckySharpe: number | null;
  /** Years until a Sharpe ratio like this one is above zero with 95 percent; null when it never is. */
  readonly minimumTrackRecordYears: number | null;
  /** Null with fewer than two variants. */
  readonly overfittingProbability: number | null;
  /** That the best variant of one half of the days earns nothing on the other; null likewise. */
  readonly lossProbability: number | null;
  readonly tries: number;
  readonly outOfSamplePeriods: number;
  /** Probability that the true Sharpe ratio out of sample is above zero; null while it is too short. */
  readonly outOfSampleProbability: number | null;
};

export function gradeEvidence(input: EvidenceInput): Evidence {
  const statistics = sharpeStatistics(input.inSample);
  const trials = trialsOf(input.ledger, Math.max(2, statistics.periods));
  const outOfSample = present(input.outOfSample);
  const overfitting = input.overfitting ?? overfittingOf(input.variants);
  const isLongEnough = isJudged(statistics);
  const beyond = isLongEnough ? beyondOf(input) : null;
  const target = { benchmark: 0, probability: CONFIDENCE };
  const perYear = Math.sqrt(input.periodsPerYear);
  const figures = {
    probabilisticSharpe: isLongEnough ? probabilisticSharpe(statistics) : null,
    beyondBenchmark: beyond && probabilisticSharpe(beyond),
    deflatedSharpe: isLongEnough
      ? Math.min(...[statistics, ...(beyond ? [beyond] : [])].map((one) => deflatedSharpe(one, trials)))
      : null,
    luckySharpe: isLongEnough ? luckySharpe(trials) * perYear : null,
    minimumTrackRecordYears: isLongEnough
      ? orNull(minimumTrackRecord(statistics, target) / input.periodsPerYear)
      : null,
    overfittingProbability: overfitting?.probability ?? null,
    lossProbability: overfitting?.lossProbability ?? null,
    tries: input.ledger.count,
    outOfSamplePeriods: outOfSample.length,
    outOfSampleProbability:
      outOfSample.length >= LEAST_PERIODS ? orNull(probabilisticSharpe(sharpeStatistics(outOfSample))) : null,
  };
  if (isLongEnough && statistics.sharpe <= 0)
    return { grade: 'loss', reasons: [{ code: 'no_gain' }], ...figures };
  return { ...judge(figures, input.awaitsNeighbours ?? false), ...figures };
}

/** Null without a benchmark, or where it has prices of too few periods. What only holds it leaves rounding, and no skill. */
function beyondOf({ inSample, benchmark }: EvidenceInput): SharpeStatistics | null {
  if (benchmark === undefined) return null;
  const left = beyondBenchmark(inSample, benchmark);
  if (left === null) return null;
  if (sampleDeviation(left) < ROUNDING * sampleDeviation(inSample))
    return { ...sharpeStatistics(inSample), sharpe: 0 };
  const statistics = sharpeStatistics(left);
  return isJudged(statistics) ? statistics : null;
}

function isJudged({ periods, sharpe }: SharpeStatistics): boolean {
  return periods >= LEAST_PERIODS && Number.isFinite(sharpe);
}

/** Of a deviation: what is left below it is the rounding of the arithmetic. */
const ROUNDING = 1e-9;

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
  const beyond = figures.beyondBenchmark;
  if (beyond !== null && beyond < CONFIDENCE)
    return { grade: 'unsupported', reasons: [{ code: 'no_skill_beyond_benchmark', probability: beyond }] };
  if (overfit !== null && isOverfitted(overfit, figures.lossProbability))
    return { grade: 'unsupported', reasons: [{ code: 'overfitted', probability: overfit }] };
  const doubts: EvidenceReason[] = [];
  if (deflated < CONFIDENCE) doubts.push({ code: 'may_be_luck', tries, probability: deflated });
  if (awaitsNeighbours) doubts.push({ code: 'neighbours_not_tried' });
  if (doubts.length > 0) return { grade: 'possible', reasons: doubts };
  return { grade: 'supported', reasons: [{ code: 'not_luck', tries, probability: deflated }] };
}

/**
 * Among variants that all work equally well, which of them is best is chance, and the probability is a half by itself. So it
 * decides only where the chosen one also loses on the other half more often than luck would let skill lose; near certainty it
 * always does.
 */
function isOverfitted(probability: number, lossProbability: number | null): boolean {
  if (probability > CONFIDENCE) return true;
  return probability > OVERFITTING_LIMIT && (lossProbability === null || lossProbability > 1 - CONFIDENCE);
}

/** Null with fewer than two variants, or when they are too short for it. */
export function overfittingOf(variants: readonly Float64Array[]): Overfitting | null {
  const [first] = variants;
  if (first === undefined || variants.length < 2 || first.length < 2 * BLOCKS_LEAST) return null;
  const found = backtestOverfitting(variants, blocksFor(first.length, variants.length));
  return { probability: found.probability, lossProbability: found.lossProbability };
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
