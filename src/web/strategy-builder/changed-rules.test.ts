import { expect, test } from 'vitest';
import { SAMPLE_DEFINITIONS } from '#tests/support/engine/sample-definitions.ts';
import { changedRules } from './changed-rules.ts';

const rules = Object.values(SAMPLE_DEFINITIONS)[0]!;

test('rules that are the same differ in nothing', () => {
  expect(changedRules(rules, structuredClone(rules))).toEqual([]);
});

test('a part that changed, one that is new and one that is gone are named in words', () => {
  const next = { ...rules, schedule: { every: 'month' } as const, exits: { stopPercent: 8 } };
  const there = changedRules(rules, next);
  expect(there.map(({ title, before, after }) => [title, before === null, after === null])).toEqual([
    [expect.any(String), false, false],
    [expect.any(String), true, false],
  ]);
  expect(there[0]).toMatchObject({ after: expect.stringContaining('Every month') });
  const back = changedRules(next, rules);
  expect(back.at(-1)).toMatchObject({ part: there[1]!.part, before: there[1]!.after, after: null });
});
