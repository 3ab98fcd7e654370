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
    added: '0',
    deployed_at: new Date('2026-03-02T15:00:00Z'),
    as_of: new Date(asOf),
    equity: '1000000000',
    benchmark_name: 'Fund',
    benchmark_actions: actions,
    marks: closes.map(([date, benchmark]) => ({ date, equity: 1_000_000_000, added: 0, benchmark })),
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

it('adds to the benchmark what was added to the deployment, so that a flow is no gain of either', () => {
  const before = row(
    [
      ['2026-03-03', 100],
      ['2026-03-04', 110],
      ['2026-03-05', 110],
    ],
    [],
    '2026-03-05T21:00:00Z',
  );
  const [first, second, third] = before.marks;
  const marks = [
    first!,
    { ...second!, equity: 1_600_000_000, added: 500_000_000 },
    { ...third!, equity: 1_600_000_000, added: 500_000_000 },
  ];
  const { data, benchmark } = equitySeries({ ...before, equity: '1600000000', added: '500000000', marks });
  expect(data).toEqual([1_000, 1_600, 1_600]);
  expect(benchmark.map((value) => Math.round(value! * 1e6) / 1e6)).toEqual([1_000, 1_600, 1_600]);
});
