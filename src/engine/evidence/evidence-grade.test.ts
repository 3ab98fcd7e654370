import { describe, expect, it } from 'vitest';
import { mean } from '../performance/returns.ts';
import { sharpePerPeriod } from '../performance/sharpe-ratio.ts';
import { countSupportedDrafts, type DraftSearch } from '#tests/support/engine/search-by-drafts.ts';
import {
  countSupported,
  randomStream,
  type Search,
  WEEKS_A_YEAR,
  YEARS,
} from '#tests/support/engine/search-for-luck.ts';
import { type EvidenceInput, gradeEvidence } from './evidence-grade.ts';
import { trialsOf } from './trials.ts';

const WEEKS = WEEKS_A_YEAR;
const TEN_YEARS = YEARS * WEEKS;
const DEVIATION = 0.02;
/** Enough to see a grade that forgets; `npm run noise` measures the shares closely. */
const RUNS = 12;
const SEED = 7919;

const share = (search: Search) => countSupported(search, { runs: RUNS, seed: SEED }) / RUNS;

describe('the best of 200 tries over ten years', () => {
  it('is called supported in under 5% of searches through pure noise', () => {
    expect(share({ annualSharpe: 0, marketShare: 0 })).toBeLessThan(0.05);
  });

  it('is called supported in under 5% of searches through noise that moves together', () => {
    expect(share({ annualSharpe: 0, marketShare: 0.5 })).toBeLessThan(0.05);
  });

  it('is called supported in over 80% of searches when one variant has a true annual Sharpe ratio of 2', () => {
    expect(share({ annualSharpe: 2, marketShare: 0 })).toBeGreaterThan(0.8);
  });

  it('would be called supported in most searches through noise by a ledger that forgot the other tries', () => {
    expect(share({ annualSharpe: 0, marketShare: 0, isLedgerKept: false })).toBeGreaterThan(0.8);
  });
});

describe('the best of thirty drafts of one person', () => {
  const supported = (search: DraftSearch) => countSupportedDrafts(search, { runs: RUNS, seed: SEED }) / RUNS;

  it.each(['numbers', 'kinds'] as const)('is no skill on noise where they differ in %s', (drafts) => {
    expect(supported({ drafts, drift: 0 })).toBeLessThan(0.05);
  });

  it.each(['numbers', 'kinds'] as const)(
    'is found where there is a trend and they differ in %s',
    (drafts) => {
      expect(supported({ drafts, drift: 0.3 })).toBeGreaterThan(0.8);
    },
  );

  it('would be called supported on noise by drafts that forget each other', () => {
    expect(supported({ drafts: 'kinds', drift: 0, isForgetful: true })).toBeGreaterThan(0.05);
  });
});

describe('the grade', () => {
  const { normal: draw } = randomStream(11);
  const skilled = Float64Array.from({ length: TEN_YEARS }, () => DEVIATION * (0.3 + draw()));
  const noise = Float64Array.from({ length: TEN_YEARS }, () => DEVIATION * (0.02 + draw()));
  const input: EvidenceInput = {
    inSample: skilled,
    outOfSample: new Float64Array(),
    periodsPerYear: WEEKS,
    ledger: { count: 1, sharpes: Float64Array.of(sharpePerPeriod(skilled)) },
    variants: [],
  };

  it('falls when more was tried, for the same returns', () => {
    expect(gradeEvidence(input).grade).toBe('supported');
    const modest = skilled.map((value) => value - DEVIATION * 0.15);
    const many = { ...input, inSample: modest, ledger: { count: 5000, sharpes: new Float64Array() } };
    expect(gradeEvidence({ ...input, inSample: modest }).grade).toBe('supported');
    expect(gradeEvidence(many).grade).toBe('possible');
    expect(gradeEvidence(many).reasons[0]).toMatchObject({ code: 'may_be_luck', tries: 5000 });
  });

  it('is not supported before the neighbours were tried, and says that it waits for them', () => {
    const found = gradeEvidence({ ...input, awaitsNeighbours: true });
    expect(found.grade).toBe('possible');
    expect(found.reasons).toEqual([{ code: 'neighbours_not_tried' }]);
  });

  it('is not bought by copying one variant: a spread of zero counts as that of noise', () => {
    const copies = { count: 1000, sharpes: new Float64Array(1000).fill(0.1) };
    expect(trialsOf(copies, TEN_YEARS)).toEqual({ count: 1000, sharpeVariance: 1 / (TEN_YEARS - 1) });
  });

  it('calls noise unsupported, and a loss since the commit a contradiction', () => {
    const lucky = noise.map((value) => value - mean(noise) + DEVIATION * 0.02);
    expect(gradeEvidence({ ...input, inSample: lucky }).grade).toBe('unsupported');
    const outOfSample = skilled.subarray(0, 104).map((value) => -value);
    const found = gradeEvidence({ ...input, outOfSample });
    expect(found.grade).toBe('contradicted');
    expect(found.outOfSamplePeriods).toBe(104);
  });

  it('asks for skill beyond the benchmark at equal exposure: who only holds it shows none, at any exposure', () => {
    const benchmark = skilled;
    for (const exposure of [1, 0.5, 2]) {
      const held = benchmark.map((value) => exposure * value);
      const found = gradeEvidence({ ...input, inSample: held, benchmark });
      expect(found.probabilisticSharpe).toBeGreaterThan(0.95);
      expect(found.grade).toBe('unsupported');
      expect(found.reasons).toEqual([{ code: 'no_skill_beyond_benchmark', probability: 0.5 }]);
    }
    const timed = gradeEvidence({ ...input, inSample: skilled, benchmark: noise });
    expect(timed.grade).toBe('supported');
  });

  it('judges by the lower one of both probabilities', () => {
    const benchmark = skilled.map((value) => value - DEVIATION * 0.3);
    const inSample = skilled.map((value, i) => 0.3 * value + 0.7 * noise[i]!);
    const found = gradeEvidence({ ...input, inSample, benchmark });
    const alone = gradeEvidence({ ...input, inSample });
    expect(found.beyondBenchmark).not.toBe(found.probabilisticSharpe);
    expect(found.deflatedSharpe).toBeLessThanOrEqual(alone.deflatedSharpe!);
  });

  it('says nothing of a benchmark without prices', () => {
    const benchmark = new Float64Array(TEN_YEARS).fill(Number.NaN);
    expect(gradeEvidence({ ...input, benchmark }).beyondBenchmark).toBeNull();
  });

  it('calls a loss a loss, and rules that are mostly overfitted no skill', () => {
    expect(gradeEvidence({ ...input, inSample: skilled.map((value) => -value) })).toMatchObject({
      grade: 'loss',
      reasons: [{ code: 'no_gain' }],
    });
    for (const lossProbability of [0, 0.5])
      expect(gradeEvidence({ ...input, overfitting: { probability: 0.96, lossProbability } })).toMatchObject({
        grade: 'unsupported',
        reasons: [{ code: 'overfitted', probability: 0.96 }],
      });
  });

  it('takes which of equally good neighbours is best for no overfitting, as long as the chosen one rarely loses', () => {
    const gradeOf = (lossProbability: number) =>
      gradeEvidence({ ...input, overfitting: { probability: 0.6, lossProbability } }).grade;
    expect([gradeOf(0), gradeOf(0.05), gradeOf(0.06)]).toEqual(['supported', 'supported', 'unsupported']);
  });

  it('says that a short or flat record says nothing', () => {
    expect(gradeEvidence({ ...input, inSample: skilled.subarray(0, 20) }).grade).toBe('too_short');
    expect(gradeEvidence({ ...input, inSample: new Float64Array(100) }).grade).toBe('too_short');
  });

  it('gives its figures, all of them finite numbers', () => {
    const { grade: _, reasons, ...figures } = gradeEvidence({ ...input, variants: [skilled, noise] });
    expect(reasons).toHaveLength(1);
    expect(figures.overfittingProbability).toBe(0);
    for (const value of Object.values(figures)) expect(value === null || Number.isFinite(value)).toBe(true);
  });
});
