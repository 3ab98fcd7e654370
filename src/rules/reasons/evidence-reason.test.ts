import { expect, test } from 'vitest';
import { evidenceReason } from './evidence-reason.ts';

test('writes a probability to the nearest tenth, and one below the threshold never as if it had reached it', () => {
  const textOf = (probability: number) => evidenceReason({ code: 'overfitted', probability });
  expect(textOf(0.77669)).toContain('In 77.7% of the splits');
  expect(textOf(0.94962)).toContain('In 94.9% of the splits');
  expect(textOf(0.95)).toContain('In 95% of the splits');
});

test('names the tries that are counted, and the threshold only where it was missed', () => {
  const counted = { tries: 5000, probability: 0.42 };
  expect(evidenceReason({ code: 'may_be_luck', ...counted })).toBe(
    'Counting all tries (5000), the probability that this is more than luck is 42%, below 95%.',
  );
  expect(evidenceReason({ code: 'not_luck', ...counted, probability: 0.9999 })).toBe(
    'Counting all tries (5000), the probability that this is more than luck is over 99.9%.',
  );
});
