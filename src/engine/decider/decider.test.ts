import { describe, expect, test } from 'vitest';
import {
  equityInstrument,
  instrumentMap,
  randomSeries,
  seriesMap,
} from '#tests/support/engine/random-market.ts';
import { columnsOf, deciderOfTest, holdBest, recordOf } from '#tests/support/engine/decider.ts';
import { SAMPLE_SYMBOLS } from '#tests/support/engine/sample-definitions.ts';
import { type Instant, instant, type IsoDate, utcDate } from '#units/instant.ts';
import { type Micro, toMicro } from '#units/money.ts';
import { type EvidenceRunInput, runEvidence } from '../evidence/evidence-run.ts';
import { TRADING_COSTS } from '../market/costs.ts';
import { compileDefinition } from '../strategy/compile-definition.ts';
import { evaluate } from '../strategy/evaluate.ts';
import type { StrategyDefinition } from '../strategy/definition.ts';
import { parseDefinition } from '../strategy/parsing/parse-definition.ts';
import type { DeciderRule } from './decider-rule.ts';
import { decisionCloses, decisionQuestion } from './decision-questions.ts';
import { tokenCosts } from './recorded-answers.ts';

const BARS = 300;
const all = SAMPLE_SYMBOLS.map((symbol, i) => randomSeries({ symbol, seed: 70 + i, bars: BARS }));
const series = seriesMap(...all);
const closes = all[0]!.closedAt;
const instruments = instrumentMap(...SAMPLE_SYMBOLS.map((symbol) => equityInstrument(symbol)));
const definition = deciderOfTest();
const ruleOf = ({ rule }: StrategyDefinition) => rule as DeciderRule;

function inputOf(
  given: StrategyDefinition,
  record: Parameters<typeof columnsOf>[2],
  more: object = {},
): EvidenceRunInput {
  return {
    definition: given,
    instruments,
    series,
    scores: columnsOf(given, series, record),
    settings: {
      initialCash: toMicro(100_000),
      costs: TRADING_COSTS,
      limits: { stopLossPercentage: 0, maxAllocationPercent: 0, freezeOnDrawdownPercent: 0 },
      collar: 0.03,
      noTradeBand: 0.005,
      performanceFeePercent: 30,
      committedAt: instant(closes[250]!),
      tokenCosts: tokenCosts(record),
      ...more,
    },
  };
}

describe('the question', () => {
  const asOf = decisionCloses(definition, series)[5]!;
  const ask = (form: 'plain' | 'masked' | 'perturbed') =>
    decisionQuestion({ definition, rule: ruleOf(definition) }, series, asOf, form)!;

  test('is made of what had closed by then: later bars change nothing of it', () => {
    const until = closes.indexOf(asOf) + 1;
    const past = seriesMap(
      ...SAMPLE_SYMBOLS.map((symbol, i) => randomSeries({ symbol, seed: 70 + i, bars: until })),
    );
    expect(decisionQuestion({ definition, rule: ruleOf(definition) }, past, asOf)).toEqual(ask('plain'));
  });

  test('masked, it has neither names nor dates nor prices, and says the same', () => {
    const { text, schema, instruments: named } = ask('masked');
    expect(text).not.toMatch(/AAA|BBB|CCC|DDD|20\d\d|close/);
    expect(JSON.stringify(schema)).not.toMatch(/AAA/);
    expect(named[0]).toEqual({ symbol: 'AAA', name: 'instrument 1' });
    const [plain, masked] = [ask('plain').text, text].map(
      (one) =>
        JSON.parse(one) as { instruments: { features: { month: number; mean: number }; close?: number }[] },
    );
    const { close, features } = plain!.instruments[0]!;
    expect(masked!.instruments[0]!.features.month).toBe(features.month);
    expect(masked!.instruments[0]!.features.mean).toBeCloseTo((features.mean / close!) * 100, 2);
  });

  test('perturbed, every number is up to one percent off, the same each time', () => {
    const [plain, other] = [ask('plain').text, ask('perturbed').text].map(
      (one) => JSON.parse(one) as { instruments: { features: { month: number }; close: number }[] },
    );
    plain!.instruments.forEach(({ features, close }, i) => {
      const off = other!.instruments[i]!;
      expect(Math.abs(off.close / close - 1)).toBeLessThanOrEqual(0.010_1);
      expect(Math.abs(off.features.month / features.month - 1)).toBeLessThanOrEqual(0.010_1);
    });
    expect(ask('perturbed').hash).not.toBe(ask('plain').hash);
    expect(ask('perturbed')).toEqual(ask('perturbed'));
  });
});

describe('recorded answers', () => {
  const record = recordOf(definition, series, holdBest);

  test('become the target at their close, and in a backtest what trading sees', () => {
    const scores = columnsOf(definition, series, record);
    const { table } = compileDefinition(definition, series, scores);
    expect(table.count).toBe(record.length);
    for (const { asOf, weights } of record.slice(-5)) {
      const target = evaluate(definition, series, asOf, scores);
      expect(target.rebalance).toBe(true);
      expect(Object.fromEntries(target.weights.map(({ symbol, weight }) => [symbol, weight]))).toEqual(
        Object.fromEntries(Object.entries(weights!).filter(([, share]) => share !== 0)),
      );
      expect(target.receipt.instruments.map(({ reasons }) => reasons[0]!.code)).toEqual(
        SAMPLE_SYMBOLS.map(() => 'proposed'),
      );
    }
  });

  test('are sealed: another answer is other data, and what is not given is an error', () => {
    const given = runEvidence(inputOf(definition, record), 'engine')!;
    const other = record.with(20, { ...record[20]!, weights: { AAA: 1 } });
    const changed = runEvidence(inputOf(definition, other), 'engine')!;
    expect(changed.hashes.data).not.toBe(given.hashes.data);
    expect(changed.hashes.definition).toBe(given.hashes.definition);
    expect(runEvidence(inputOf(definition, record), 'engine')!.hashes).toEqual(given.hashes);
    expect(() => compileDefinition(definition, series)).toThrow('not given');
  });

  test('what they cost is taken off from then on, and is sealed with the costs', () => {
    const free = runEvidence(inputOf(definition, record), 'engine')!;
    const paid = record.map((one) => ({ ...one, cost: toMicro(1) }));
    const charged = runEvidence(inputOf(definition, paid), 'engine')!;
    const first = closes.indexOf(record[0]!.asOf);
    expect(charged.result.equity[first - 1]).toBe(free.result.equity[first - 1]);
    expect(charged.result.equity[first]).toBe(free.result.equity[first]! - toMicro(1));
    const total = toMicro(record.length);
    expect(charged.result.equity.at(-1)).toBe(free.result.equity.at(-1)! - total);
    expect(charged.result.finalEquity).toBe((free.result.finalEquity - total) as Micro);
    expect(charged.hashes.costs).not.toBe(free.hashes.costs);
    expect(charged.shown.figures.return_inception).toBeLessThan(free.shown.figures.return_inception);
  });
});

describe('without an answer', () => {
  const gap = 10;
  const withGap = (withoutAnswer: 'hold' | 'flat') => {
    const given = deciderOfTest({ withoutAnswer });
    const record = recordOf(given, series, holdBest);
    const missing = record[gap]!.asOf;
    const scores = columnsOf(
      given,
      series,
      record.filter(({ asOf }) => asOf !== missing),
    );
    return { target: evaluate(given, series, missing, scores), before: record[gap - 1]!, missing };
  };

  test('what is held stays and nothing is traded, where that was chosen', () => {
    const { target, before } = withGap('hold');
    expect(target.rebalance).toBe(false);
    const held = Object.entries(before.weights!).filter(([, share]) => share !== 0);
    expect(target.weights).toEqual(held.map(([symbol, weight]) => ({ symbol, weight })));
    expect(target.receipt.instruments[0]).toMatchObject({
      verdict: 'unanswered_hold',
      reasons: [{ code: 'proposed', share: null }],
    });
  });

  test('everything is sold, where that was chosen', () => {
    const { target } = withGap('flat');
    expect(target).toMatchObject({ rebalance: true, weights: [] });
    expect(target.receipt.instruments[0]).toMatchObject({ verdict: 'unanswered_flat' });
  });
});

describe('what the model may have known', () => {
  const dayOf = (bar: number) => utcDate(closes[bar]! as Instant);
  /** It knows the next week, up to the day of bar `last`, and guesses afterwards. */
  const omniscient = (last: number) => (question: Parameters<typeof holdBest>[0]) => {
    const bar = closes.indexOf(question.asOf);
    if (bar > last || bar + 8 >= BARS) return { weights: [{ instrument: 'AAA', percent: 100 }] };
    const best = SAMPLE_SYMBOLS.toSorted((one, other) => {
      const gain = (symbol: typeof one) => {
        const { open } = series.get(symbol)!;
        return open[bar + 8]! / open[bar + 1]!;
      };
      return gain(other) - gain(one);
    })[0]!;
    return { weights: [{ instrument: best, percent: 100 }] };
  };
  const run = (knowledgeUntil: IsoDate) => {
    const given = deciderOfTest({ knowledgeUntil });
    return runEvidence(inputOf(given, recordOf(given, series, omniscient(150))), 'engine')!;
  };

  test('is in no figure: planted knowledge of the future vanishes with the cut-off', () => {
    const hidden = run('2010-01-01' as IsoDate);
    const honest = run(dayOf(150));
    expect(hidden.shown.figures.annual_return).toBeGreaterThan(25);
    expect(honest.shown.figures.annual_return).toBeLessThan(hidden.shown.figures.annual_return / 4);
    expect(honest.returns.inSample).toHaveLength(100);
    expect(hidden.returns.inSample).toHaveLength(250);
    expect(honest.shown.samples.known!.gross.totalReturn).toBeGreaterThan(0.3);
    expect(honest.shown.samples.known).toMatchObject({ lastDate: dayOf(150), periods: 150 });
    expect(honest.shown.samples.inSample!.firstDate).toBe(dayOf(150));
  });

  test('is drawn all the same', () => {
    expect(run(dayOf(150)).shown.series.data).toEqual(run('2010-01-01' as IsoDate).shown.series.data);
  });

  test('with a cut-off today there is nothing to show yet', () => {
    const given = deciderOfTest({ knowledgeUntil: dayOf(BARS - 1) });
    expect(runEvidence(inputOf(given, recordOf(given, series, holdBest)), 'engine')).toBeNull();
  });
});

describe('a definition', () => {
  const errorsOf = (rule: object, more: object = {}) => {
    const { rule: own, ...rest } = JSON.parse(JSON.stringify(definition)) as { rule: object };
    const parsed = parseDefinition({ ...rest, ...more, rule: { ...own, ...rule } });
    return parsed.ok ? [] : parsed.errors.map(({ path }) => path);
  };

  test('names its fallback, its cut-off, its model and its budget; nothing is assumed of them', () => {
    expect(errorsOf({})).toEqual([]);
    expect(errorsOf({ closes: undefined, withoutAnswer: undefined })).toEqual(['rule.withoutAnswer']);
    expect(errorsOf({ knowledgeUntil: '2023-13-01' })).toContain('rule.knowledgeUntil');
    expect(errorsOf({ model: 'a model"\n' })).toContain('rule.model');
    expect(errorsOf({ dollarsPerMonth: undefined })).toContain('rule.dollarsPerMonth');
    expect(errorsOf({ tools: ['place_order'] })).toEqual(['rule.tools']);
  });

  test('has no other size beside what the model proposes', () => {
    expect(errorsOf({}, { weighting: { type: 'inverse_volatility', length: 20 } })).toEqual(['weighting']);
    expect(errorsOf({}, { exits: { stopPercent: 5 } })).toEqual(['exits']);
    expect(errorsOf({}, { interval: '1h', schedule: { every: 'bar' } })).toEqual(['interval']);
  });
});
