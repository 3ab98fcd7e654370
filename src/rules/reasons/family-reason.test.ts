import { expect, test } from 'vitest';
import { familyReasons } from './family-reason.ts';

const counted = {
  markets: ['equity'],
  ruleKinds: ['trend'],
  tries: 31,
  strategies: 7,
  variants: 0,
  byReturns: 0,
  furtherKinds: 0,
  all: 31,
  byProvider: false,
} as const;

test('says what a person tried, where, and over how many drafts', () => {
  expect(familyReasons(counted)).toEqual([
    'You tried 31 rules of this kind (trends) on stocks and funds, over 7 drafts.',
  ]);
  const first = { ...counted, tries: 1, strategies: 1, ruleKinds: ['trend', 'reversion'] } as const;
  expect(familyReasons(first)).toEqual([
    'You tried 1 rule of this kind (trends and reversion) on stocks and funds, over 1 draft.',
  ]);
});

test('says how neighbours, rules with the same returns and other kinds count', () => {
  expect(familyReasons({ ...counted, variants: 12, byReturns: 1, furtherKinds: 3 }).slice(1)).toEqual([
    '12 of them were neighbours of the rules, run to test them.',
    '1 of them is of another kind, but its returns were nearly the same.',
    'You also tried 3 other kinds of rules, each of which counts as one more try.',
  ]);
});

test('names the count over the whole catalogue of the provider', () => {
  const provider = { ...counted, strategies: 1, furtherKinds: 1, all: 840, byProvider: true };
  expect(familyReasons(provider)).toEqual([
    'The provider tried 31 rules of this kind (trends) on stocks and funds, over 1 strategy.',
    'The provider also tried one other kind of rule, which counts as one more try.',
    'Its whole catalogue took 840 rules.',
  ]);
});
