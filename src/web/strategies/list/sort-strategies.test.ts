import { expect, it } from 'vitest';
import { SORTS, sortStrategies } from './sort-strategies.ts';

const strategy = (name: string, annual: number | null, fall: number, score: number, minimum: number) => ({
  name,
  risk_score: score,
  min_investment: minimum,
  backtest_results: { max_drawdown: -fall } as never,
  evidence: { after_fee: { annual_return: annual } } as never,
});
const LIST = [
  strategy('a', 4, 20, 3, 5000),
  strategy('b', null, 5, 5, 10_000),
  strategy('c', 9, 40, 3, 1000),
];
const sorted = (sort: string) =>
  sortStrategies(LIST, sort)
    .map(({ name }) => name)
    .join('');

it('orders the marketplace each way, what is not measured last, and equals as they were', () => {
  expect(SORTS.map(({ value }) => [value, sorted(value)])).toEqual([
    ['all', 'abc'],
    ['return', 'cab'],
    ['fall', 'bac'],
    ['risk', 'acb'],
    ['minimum', 'cab'],
  ]);
  expect(sorted('a link of somebody else')).toBe('abc');
});
