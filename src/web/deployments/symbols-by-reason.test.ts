import { expect, test } from 'vitest';
import { symbolsByReason } from './symbols-by-reason.ts';

test('a reason appears once, at its first position, with all its symbols', () => {
  const item = (ticker: string, reason: string) => ({ ticker, code: 'within_band' as const, reason });
  expect(symbolsByReason([item('SPY', 'Close.'), item('GLD', 'Too dear.'), item('AGG', 'Close.')])).toEqual([
    { reason: 'Close.', symbols: ['SPY', 'AGG'] },
    { reason: 'Too dear.', symbols: ['GLD'] },
  ]);
  expect(symbolsByReason([])).toEqual([]);
});
