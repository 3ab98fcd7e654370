import { describe, expect, it } from 'vitest';
import { sharpePerPeriod } from '../performance/sharpe-ratio.ts';
import { type EvidenceInput, gradeEvidence } from './evidence-grade.ts';
import { trialsOf } from './trials.ts';

const WEEKS = 52;
const TEN_YEARS = 10 * WEEKS;
const DEVIATION = 0.02;

/** A stream of random numbers from a seed (mulberry32), as normal draws by the polar method. */
function normalStream(seed: number): () => number {
  let state = seed >>> 0;
  const uniform = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let word = Math.imul(state ^ (state >>> 15), state | 1);
    word ^= word + Math.imul(word ^ (word >>> 7), word | 61);
    return ((word ^ (word >>> 14)) >>> 0) / 4294967296;
  };
  return () => {
    for (;;) {
      const x = 2 * uniform() - 1;
      const y = 2 * uniform() - 1;
      const square = x * x + y * y;
      if (square > 0 && square < 1) return x * Math.sqrt((-2 * Math.log(square)) / square);
    }
  };
}

type Search = { readonly seed: number; readonly annualSharpe: number; readonly marketShare: number };

/** Two hundred variants, of which the first has an edge; `marketShare` of their variance is common to all. */
function search({ seed, annualSharpe, marketShare }: Search): Float64Array[] {
  const draw = normalStream(seed);
  const market = Float64Array.from({ length: TEN_YEARS }, draw);
  const own = Math.sqrt(1 - marketShare);
  const common = Math.sqrt(marketShare);
  return Array.from({ length: 200 }, (_, variant) => {
    const edge = variant === 0 ? annualSharpe / Math.sqrt(WEEKS) : 0;
    return market.map((shock) => DEVIATION * (edge + common * shock + own * draw()));
  });
}

function gradeBest(variants: readonly Float64Array[]) {
  const sharpes = Float64Array.from(variants, sharpePerPeriod);
  const best = sharpes.indexOf(Math.max(...sharpes));
  return gradeEvidence({
    inSample: variants[best]!,
    outOfSample: new Float64Array(),
    periodsPerYear: WEEKS,
    ledger: { count: variants.length, sharpes },
    variants,
  }).grade;
}

function shareSupported(runs: number, of: Omit<Search, 'seed'>): number {
  let supported = 0;
  for (let run = 1; run <= runs; run++) {
    if (gradeBest(search({ ...of, seed: 7919 * run })) === 'supported') supported++;
  }
  return supported / runs;
}

describe('the best of 200 tries over ten years', () => {
  it('is called supported in under 5% of searches through pure noise', () => {
    expect(shareSupported(150, { annualSharpe: 0, marketShare: 0 })).toBeLessThan(0.05);
  });

  it('is called supported in under 5% of searches through noise that moves together', () => {
    expect(shareSupported(150, { annualSharpe: 0, marketShare: 0.5 })).toBeLessThan(0.05);
  });

  it('is called supported in over 80% of searches when one variant has a true annual Sharpe ratio of 2', () => {
    expect(shareSupported(150, { annualSharpe: 2, marketShare: 0 })).toBeGreaterThan(0.8);
  });
});

describe('the grade', () => {
  const draw = normalStream(11);
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
    expect(gradeEvidence(many).reasons[0]).toContain('5000');
  });

  it('is not bought by copying one variant: a spread of zero counts as that of noise', () => {
    const copies = { count: 1000, sharpes: new Float64Array(1000).fill(0.1) };
    expect(trialsOf(copies, TEN_YEARS)).toEqual({ count: 1000, sharpeVariance: 1 / (TEN_YEARS - 1) });
  });

  it('calls noise unsupported, and a loss since the commit a contradiction', () => {
    expect(gradeEvidence({ ...input, inSample: noise }).grade).toBe('unsupported');
    const outOfSample = skilled.subarray(0, 104).map((value) => -value);
    const found = gradeEvidence({ ...input, outOfSample });
    expect(found.grade).toBe('contradicted');
    expect(found.outOfSamplePeriods).toBe(104);
  });

  it('says that a short or flat record says nothing', () => {
    expect(gradeEvidence({ ...input, inSample: skilled.subarray(0, 20) }).grade).toBe('too_short');
    expect(gradeEvidence({ ...input, inSample: new Float64Array(100) }).grade).toBe('too_short');
  });

  it('gives the figures beside it, and nothing that is not a number', () => {
    const { grade: _, reasons, ...figures } = gradeEvidence({ ...input, variants: [skilled, noise] });
    expect(reasons).toHaveLength(1);
    expect(figures.overfittingProbability).toBe(0);
    for (const value of Object.values(figures)) expect(value === null || Number.isFinite(value)).toBe(true);
  });
});
