import { expect, test } from 'vitest';
import { PRACTICE_DAYS, practiceFirstNote } from './own-strategy.ts';

const withstood = { verdict: 'withstood', isAccepted: false } as const;
const beaten = { verdict: 'do_not_deploy', isAccepted: false } as const;

test.each([
  [null, 0, 'attack them, and practise them for 5 trading days.'],
  [null, PRACTICE_DAYS, 'before money follows them, attack them.'],
  [withstood, 1, 'practise them for 5 trading days, of which 1 is done.'],
  [withstood, 3, 'practise them for 5 trading days, of which 3 are done.'],
  [beaten, PRACTICE_DAYS, 'accept by your name what the attack found.'],
  [{ verdict: 'not_judged', isAccepted: false } as const, PRACTICE_DAYS, 'accept by your name'],
])('of %o and %i days it says what is missing', (attack, practisedDays, says) => {
  expect(practiceFirstNote({ attack, practisedDays })).toContain(says);
});

test.each([withstood, { ...beaten, isAccepted: true }])('money may follow %o after practice', (attack) => {
  expect(practiceFirstNote({ attack, practisedDays: PRACTICE_DAYS })).toBeNull();
});
