import { describe, expect, test } from 'vitest';
import { parseDefinition } from '#engine/strategy/parsing/parse-definition.ts';
import type { StrategyDefinition } from '#engine/strategy/definition.ts';
import { SAMPLE_DEFINITIONS } from '#tests/support/engine/sample-definitions.ts';
import { describeDefinition } from './describe-definition.ts';
import { isComplete, LEVEL, nextFigure, type RuleForm, ruleForm, ruleParts } from './rule-form.ts';

const { trend } = SAMPLE_DEFINITIONS;

function saved(definition: StrategyDefinition, form: RuleForm): StrategyDefinition {
  const parsed = parseDefinition(
    JSON.parse(JSON.stringify({ ...definition, ...ruleParts(definition, form) })),
  );
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
  return parsed.definition;
}

const COMBINED = { op: 'ratio', left: 'close', right: 'open' } as const;
const FIGURE = { indicator: 'roc', length: '20', combined: COMBINED } as const;

describe('the form of the rules', () => {
  test('changes nothing as long as nothing is changed', () => {
    for (const definition of Object.values(SAMPLE_DEFINITIONS))
      expect(ruleParts(definition, ruleForm(definition))).toEqual({});
  });

  test('writes conditions with figures of its own, a return in percent, and shows them again', () => {
    const form = ruleForm(trend!);
    const name = nextFigure(trend!, form);
    const filled: RuleForm = {
      ...form,
      figures: { [name]: FIGURE, unused: { ...FIGURE, length: '99' } },
      conditions: {
        ...form.conditions,
        enterLong: {
          join: 'any',
          rows: [
            { left: name, op: 'above', right: LEVEL, level: '2.5' },
            { left: 'close', op: 'crosses_above', right: 'fast', level: '' },
          ],
        },
      },
      universe: 'aaa, DDD',
      schedule: 'week',
      stopPercent: '7',
    };
    const made = saved(trend!, filled);
    expect(made).toMatchObject({
      universe: ['AAA', 'DDD'],
      schedule: { every: 'week' },
      exits: { stopPercent: 7 },
      features: { [name]: { indicator: 'roc', length: 20 } },
      rule: {
        enterLong: {
          op: 'any',
          of: [
            { op: 'above', left: name, right: 0.025 },
            { op: 'crosses_above', left: 'close', right: 'fast' },
          ],
        },
      },
    });
    expect(made.features).not.toHaveProperty('unused');
    const shown = ruleForm(made);
    expect(shown.conditions.enterLong).toEqual(filled.conditions.enterLong);
    expect(describeDefinition(made).find(({ title }) => title === 'Buys when')?.text).toBe(
      'The change over 20 days is above 2.5% or the close crosses above the 5-day average',
    );
    expect(isComplete(filled)).toBe(true);
    const row = { left: name, op: 'above', right: LEVEL, level: '' } as const;
    expect(isComplete({ ...filled, conditions: { enterLong: { join: 'all', rows: [row] } } })).toBe(false);
  });

  test('ranks by arithmetic between two figures, one of them its own', () => {
    const ranking = Object.values(SAMPLE_DEFINITIONS).find(({ rule }) => rule.type === 'ranking')!;
    const made = saved(ranking, {
      ...ruleForm(ranking),
      figures: {
        change: FIGURE,
        calm: { ...FIGURE, indicator: 'volatility' },
        score: { ...FIGURE, indicator: 'combine', combined: { op: 'ratio', left: 'change', right: 'calm' } },
      },
      by: 'score',
    });
    expect(made.rule).toMatchObject({ type: 'ranking', by: 'score' });
    expect(Object.keys(made.features)).toEqual(expect.arrayContaining(['change', 'calm', 'score']));
  });

  test('leaves conditions that rows cannot show as they were written', () => {
    const nested = {
      op: 'all',
      of: [
        { op: 'not', of: { op: 'above', left: 'close', right: 'fast' } },
        { op: 'above', left: 'close', right: 'slow' },
      ],
    } as const;
    const { rule } = trend!;
    if (rule.type !== 'signals') throw new Error('signals are needed');
    const definition = { ...trend!, rule: { ...rule, enterLong: nested } };
    const form = ruleForm(definition);
    expect(form.conditions.enterLong).toBeNull();
    const made = saved(definition, {
      ...form,
      conditions: {
        ...form.conditions,
        exitLong: { join: 'all', rows: [{ left: 'close', op: 'below', right: 'slow', level: '' }] },
      },
    });
    expect(made.rule).toMatchObject({
      enterLong: nested,
      exitLong: { op: 'below', left: 'close', right: 'slow' },
    });
  });

  test('drops the short sides with the direction', () => {
    const both = Object.values(SAMPLE_DEFINITIONS).find(
      ({ rule, direction }) => rule.type === 'signals' && direction === 'long_short',
    )!;
    const made = saved(both, { ...ruleForm(both), direction: 'long' });
    expect(made.direction).toBe('long');
    expect(made.rule).not.toHaveProperty('enterShort');
  });
});
