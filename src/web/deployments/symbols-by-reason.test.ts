import { expect, test } from 'vitest';
import { symbolsByReason } from './symbols-by-reason.ts';

test('a reason stands once, where it was first given, with all that it holds for', () => {
  const item = (ticker: string, reason: string) => ({ ticker, code: 'within_band' as const, reason });
  expect(symbolsByReason([item('SPY', 'Close.'), item('GLD', 'Too dear.'), item('AGG', 'Close.')])).toEqual([
    { reason: 'Close.', symbols: ['SPY', 'AGG'] },
    { reason: 'Too dear.', symbols: ['GLD'] },
  ]);
  expect(symbolsByReason([])).toEqual([]);
});
