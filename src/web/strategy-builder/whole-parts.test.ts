import { describe, expect, test } from 'vitest';
import { parseDefinition } from '#engine/strategy/parsing/parse-definition.ts';
import { SAMPLE_DEFINITIONS } from '#tests/support/engine/sample-definitions.ts';
import { isOfForm, wholeForm, wholeParts } from './whole-parts.ts';

const { trend, regime } = SAMPLE_DEFINITIONS;
const parsed = (parts: object, base = trend!) => {
  const value = Object.fromEntries(Object.entries({ ...base, ...parts }).filter(([, part]) => part !== null));
  return parseDefinition(JSON.parse(JSON.stringify(value)));
};

describe('the form of what acts on the whole rule', () => {
  test('changes nothing as long as nothing is changed', () => {
    for (const definition of Object.values(SAMPLE_DEFINITIONS))
      expect(wholeParts(definition, wholeForm(definition))).toEqual({});
  });

  test('makes parts that the parser accepts, and shows them again as they were filled in', () => {
    const filled = {
      ...wholeForm(trend!),
      regimeSymbol: 'DDD',
      regimeDays: '30',
      basketMost: '2',
      bandPercent: '2.5',
      convictionBy: 'fast',
      convictionMost: '40',
      combined: { arithmetic: { op: 'ratio', left: 'close', right: 'open' } } as const,
      periods: { fast: 'week', slow: 'day' } as const,
    };
    const made = parsed(wholeParts(trend!, filled));
    if (!made.ok) throw new Error(JSON.stringify(made.errors));
    expect(made.definition).toMatchObject({
      regime: { symbol: 'DDD', otherwise: { type: 'cash' } },
      basket: { most: 2 },
      band: { percent: 2.5 },
      weighting: { type: 'conviction', by: 'fast', maxPercent: 40 },
      features: { fast: { every: 'week' }, regime_mean: { length: 30 } },
    });
    expect(wholeForm(made.definition)).toEqual(filled);
    const back = parsed(wholeParts(made.definition, wholeForm(trend!)), made.definition);
    if (!back.ok) throw new Error(JSON.stringify(back.errors));
    expect(back.definition).toEqual({ ...trend, weighting: { type: 'equal', over: 'held' } });
  });

  test('sizes by arithmetic between two figures, which goes when nothing is sized by it', () => {
    const filled = {
      ...wholeForm(trend!),
      convictionBy: 'arithmetic',
      combined: { arithmetic: { op: 'spread', left: 'fast', right: 'slow' } } as const,
    };
    const made = parsed(wholeParts(trend!, filled));
    if (!made.ok) throw new Error(JSON.stringify(made.errors));
    expect(made.definition).toMatchObject({
      features: { arithmetic: { indicator: 'combine', op: 'spread', left: 'fast', right: 'slow' } },
      weighting: { type: 'conviction', by: 'arithmetic' },
    });
    expect(wholeForm(made.definition)).toEqual(filled);
    const changed = parsed(
      wholeParts(made.definition, {
        ...filled,
        combined: { arithmetic: { op: 'ratio', left: 'close', right: 'slow' } },
      }),
      made.definition,
    );
    if (!changed.ok) throw new Error(JSON.stringify(changed.errors));
    expect(changed.definition.features['arithmetic']).toMatchObject({ op: 'ratio', left: 'close' });
    const back = wholeParts(made.definition, { ...filled, convictionBy: '' });
    expect(back['features']).toEqual(trend!.features);
    const mixed = {
      ...filled,
      combined: { arithmetic: { op: 'difference', left: 'close', right: 'volume' } },
    } as const;
    const refused = parsed(wholeParts(trend!, mixed));
    expect(refused.ok).toBe(false);
    expect(JSON.stringify(refused)).toContain('different units');
  });

  test('leaves a regime that was written otherwise as it is', () => {
    expect(isOfForm(regime!)).toBe(false);
    expect(wholeParts(regime!, { ...wholeForm(regime!), regimeSymbol: '' })).toEqual({});
  });
});
