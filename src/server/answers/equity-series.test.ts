import { expect, it } from 'vitest';
import type { EquityRow } from '#records/deployments/deployment-views.ts';
import type { DeploymentId } from '#units/identifiers.ts';
import type { IsoDate } from '#units/instant.ts';
import { equitySeries } from './equity-series.ts';

const action = (kind: 'split' | 'dividend', exDate: string, amount: number) =>
  ({ kind, exDate: exDate as IsoDate, amount }) as const;

function row(
  closes: readonly (readonly [string, number | null])[],
  actions: EquityRow['benchmark_actions'],
  asOf: string,
): EquityRow {
  return {
    id: 'D' as DeploymentId,
    investment_micro: '1000000000',
    deployed_at: new Date('2026-03-02T15:00:00Z'),
    as_of: new Date(asOf),
    equity: '1000000000',
    benchmark_name: 'Fund',
    benchmark_actions: actions,
    marks: closes.map(([date, benchmark]) => ({ date, equity: 1_000_000_000, benchmark })),
  };
}

it('compares with the benchmark held with its dividends reinvested, across a split', () => {
  const closes = [
    ['2026-03-02', null],
    ['2026-03-03', 100],
    ['2026-03-04', 98],
    ['2026-03-05', 49],
  ] as const;
  const actions = [
    action('dividend', '2026-03-03', 7),
    action('dividend', '2026-03-04', 2),
    action('split', '2026-03-05', 2),
  ];
  const { benchmark } = equitySeries(row(closes, actions, '2026-03-05T21:00:00Z'));
  expect(benchmark.slice(0, 2)).toEqual([null, 1_000]);
  expect(benchmark[2]).toBeCloseTo(1_000, 9);
  expect(benchmark[3]).toBeCloseTo(1_000, 9);
});

it('does not add to the last close what takes effect after it, on a day without a price yet', () => {
  const actions = [action('split', '2026-03-04', 2)];
  const { labels, benchmark } = equitySeries(row([['2026-03-03', 100]], actions, '2026-03-04T08:00:00Z'));
  expect([labels, benchmark]).toEqual([
    ['2026-03-03', '2026-03-04'],
    [1_000, 1_000],
  ]);
});
