import { expect, test } from 'vitest';
import { decider } from '#contract/strategies/decider.ts';
import { deciderOf } from '#engine/decider/decider-rule.ts';
import type { ModelRecord } from '#records/deciders/model-record.ts';
import { deciderLines } from '#rules/strategies/decider-words.ts';
import { deciderOfTest } from '#tests/support/engine/decider.ts';
import { parseInstant } from '#units/instant.ts';
import { toMicro } from '#units/money.ts';
import { showDecider } from './show-decider.ts';

const RULE = deciderOf(deciderOfTest({ withoutAnswer: 'flat' }))!;
const RECORD: ModelRecord = {
  decisions: 3,
  answered: 2,
  cost: toMicro(1.25),
  agreement: 0.8,
  isStandIn: true,
  probes: [
    {
      form: 'plain',
      decisions: 3,
      knownAnnualReturn: 0.5,
      annualReturn: 0.125,
      sharpe: 1,
      alike: 1,
      agreement: 0.8,
    },
    {
      form: 'masked',
      decisions: 0,
      knownAnnualReturn: null,
      annualReturn: null,
      sharpe: null,
      alike: null,
      agreement: null,
    },
  ],
  newest: [
    {
      asOf: parseInstant('2026-01-05T21:00:00Z'),
      askedAt: '2026-01-05T21:00:01.000Z',
      promptHash: 'ab',
      weights: null,
      cost: toMicro(0.5),
      agreement: null,
      failures: ['too_slow', 'lost'],
    },
  ],
};

test('the record of a model is told in percent and dollars, its failures in sentences', () => {
  const shown = showDecider(RULE, RECORD);
  expect(decider.parse(shown)).toEqual(shown);
  expect(shown).toMatchObject({
    model: 'stand-in',
    is_stand_in: true,
    knowledge_until: '2010-01-01',
    without_answer: 'flat',
    lines: deciderLines(RULE),
    decisions: 3,
    answered: 2,
    cost: 1.25,
  });
  expect(shown.probes.map((probe) => [probe.form, probe.known_annual_return, probe.annual_return])).toEqual([
    ['plain', 50, 12.5],
    ['masked', null, null],
  ]);
  const [newest] = shown.newest;
  expect(newest).toMatchObject({ as_of: '2026-01-05T21:00:00.000Z', weights: null, cost: 0.5 });
  expect(new Set(newest!.failures).size).toBe(2);
  for (const failure of newest!.failures) expect(failure).not.toMatch(/_|^(?:lost|too_slow)$/);
});
