import { GRADE_SENTENCES } from './evidence/evidence-words.ts';
import { expect, test } from 'vitest';
import type { Evidence } from '#contract/strategies/evidence.ts';
import type { IsoDate } from '#units/instant.ts';
import { type CaseFigures, forAndAgainst } from './for-and-against.ts';

const FIGURES: CaseFigures = {
  total: 0.4,
  benchmarkTotal: 1.28,
  fall: -0.126,
  benchmarkFall: -0.441,
  benchmarkName: 'US Stocks',
  worstYear: {
    from: '2019-03-12' as IsoDate,
    to: '2020-03-12' as IsoDate,
    change: -0.081,
    dollars: -812.4,
  },
  years: 12.96,
};

const judged = (change: Partial<Evidence> & { yearly?: number | null }) => ({
  evidence: {
    grade: 'unsupported',
    after_fee: { fee_percent: 30, annual_return: change.yearly ?? null, return_inception: null },
    out_of_sample: { is_enough: false, months: 0, total_return: null },
    ...change,
  } as Evidence,
});

test('what it earned and the smaller fall speak for it; the worst year, the benchmark and luck against it', () => {
  const { pro, contra } = forAndAgainst(judged({ yearly: 1.94 }), FIGURES);
  expect(pro).toEqual([
    '+1.9% a year after the fee, over 13.0 years.',
    'Smaller falls: \u221212.6% at worst, where US Stocks fell 44.1%.',
  ]);
  expect(contra).toEqual([
    'Its worst twelve months cost $812 (to 12 Mar 2020).',
    'US Stocks earned more: +128% over the same days.',
    GRADE_SENTENCES.unsupported,
  ]);
});

test('a loss is said to be one, and luck is then no question', () => {
  const { pro, contra } = forAndAgainst(judged({ yearly: -1.2 }), { ...FIGURES, benchmarkTotal: 0.1 });
  expect(contra[0]).toBe('It lost money: \u22121.2% a year after the fee, over 13.0 years.');
  expect(contra).not.toContain(GRADE_SENTENCES.unsupported);
  expect(pro).toContain('Earned more than US Stocks, which made +10%.');
});

test('a fall almost as deep as the benchmark’s is no point for it', () => {
  const { pro, contra } = forAndAgainst(judged({}), { ...FIGURES, fall: -0.43 });
  expect(contra).toContain('Fell 43.0% from its peak at worst.');
  expect(pro.join()).not.toContain('Smaller falls');
});

test('the days since the rules were fixed count only when they are enough', () => {
  const since = { is_enough: true, months: 14, total_return: -3.2 } as Evidence['out_of_sample'];
  expect(forAndAgainst(judged({ out_of_sample: since }), FIGURES).contra).toContain(
    '\u22123.2% in the 14 months since its rules were fixed.',
  );
  const first = { ...since, months: 1 };
  expect(forAndAgainst(judged({ out_of_sample: first }), FIGURES).contra).toContain(
    '\u22123.2% in the month since its rules were fixed.',
  );
});

test('without a benchmark nothing is compared', () => {
  const { pro, contra } = forAndAgainst(judged({ yearly: 2 }), {
    ...FIGURES,
    benchmarkTotal: null,
    benchmarkFall: null,
  });
  expect([...pro, ...contra].join()).not.toContain('US Stocks');
  expect(contra).toContain('Fell 12.6% from its peak at worst.');
});
