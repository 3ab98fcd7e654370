import { expect, test } from 'vitest';
import { judgeSearch, searchSentence } from './judge-search.ts';

const wishes = { maxDrawdown: 15, targetReturn: 20 };
const of = (annualReturn: number, maxDrawdown: number, sharpe = 1) => ({ annualReturn, maxDrawdown, sharpe });

test('of rules that meet both wishes the one with the highest Sharpe ratio is chosen', () => {
  const judged = judgeSearch([of(25, 10, 0.9), of(20, 15, 1.1), of(60, 30, 2), null], wishes);
  expect(judged).toEqual({ met: [true, true, false, false], chosen: 1 });
  expect(searchSentence(judged, wishes)).toMatch(/^4 sets .* 2 of them did in the past\./);
});

test('where none does, the nearest is chosen and it is said plainly', () => {
  const judged = judgeSearch([of(4, 30, 2), of(18, 16, 0.4), of(-3, 5, -1)], wishes);
  expect(judged).toEqual({ met: [false, false, false], chosen: 1 });
  expect(searchSentence(judged, wishes)).toContain('None met both. Below is the one that came nearest.');
});

test('what cannot be measured is not chosen', () => {
  const judged = judgeSearch([null, null], wishes);
  expect(judged.chosen).toBe(-1);
  expect(searchSentence(judged, wishes)).toContain('too few prices');
});
