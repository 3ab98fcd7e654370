import { expect, test } from 'vitest';
import { DEPLOYMENT_STATUSES } from '#engine/lifecycle/status.ts';
import type { Symbol } from '#units/identifiers.ts';
import { decisionTitle, likelyText, noDecisionText, replayText } from './decision-text.ts';

test('a decision is titled by what it ordered', () => {
  expect(decisionTitle(['buy', 'sell', 'buy'])).toBe('Buy 2, sell 1');
  expect(decisionTitle(['sell'])).toBe('Sell 1');
  expect(decisionTitle([])).toBe('Nothing to trade');
});

test('what is likely is said as likely, and what cannot be known is said to be so', () => {
  expect(likelyText({ sides: ['buy', 'buy'] })).toBe('Likely: buy 2, if prices stay as they are now.');
  expect(likelyText({ sides: [] })).toBe('Likely: nothing to trade, if prices stay as they are now.');
  expect(likelyText({ unknown: 'model' })).toContain('scored on the closing prices');
});

test('each status in which no decision is followed has a sentence', () => {
  const told = DEPLOYMENT_STATUSES.map(noDecisionText);
  expect(told.every((text) => text.endsWith('.'))).toBe(true);
  expect(noDecisionText('paused')).toContain('resume');
});

test('a replay says what differs, and whether the engine is another one', () => {
  const same = { isSameEngine: true };
  expect(replayText([], same)).toMatch(/^Equal/);
  expect(replayText([], { isSameEngine: false })).toContain('another version of the engine');
  const differences = [
    { part: 'target', symbol: null },
    { part: 'orders', symbol: 'AAA' as Symbol },
  ] as const;
  expect(replayText(differences, same)).toBe(
    'Different: in this browser the strategy’s target, the orders (first AAA) came out otherwise. Please tell our support.',
  );
});
