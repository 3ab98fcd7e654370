import { expect, it } from 'vitest';
import type { EquityRow } from '#records/deployments/deployment-views.ts';
import type { DeploymentId } from '#units/identifiers.ts';
import { portfolioSeries } from './portfolio-series.ts';

const dollars = (amount: number) => amount * 1_000_000;

function row(
  deployedAt: string,
  investment: number,
  marks: readonly (readonly [string, number])[],
): EquityRow {
  const last = marks.at(-1);
  return {
    id: deployedAt as DeploymentId,
    investment_micro: String(dollars(investment)),
    added: '0',
    deployed_at: new Date(deployedAt),
    as_of: new Date(last ? `${last[0]}T21:00:00Z` : deployedAt),
    equity: String(dollars(last?.[1] ?? investment)),
    benchmark_name: null,
    benchmark_actions: [],
    marks: marks.map(([date, equity]) => ({ date, equity: dollars(equity), added: 0, benchmark: null })),
  };
}

it('counts a deployment with the cash put into it from its day on, though its first mark comes later', () => {
  const early = row('2026-01-05T10:00:00Z', 10_000, [
    ['2026-01-05', 10_000],
    ['2026-01-06', 10_100],
    ['2026-01-07', 10_200],
  ]);
  const waiting = row('2026-01-05T10:00:00Z', 20_000, [['2026-01-07', 20_300]]);
  expect(portfolioSeries([early, waiting])).toMatchObject({
    labels: ['2026-01-05', '2026-01-06', '2026-01-07'],
    data: [30_000, 30_100, 30_500],
  });
});

it('begins to count one that came later on its own day', () => {
  const early = row('2026-01-05T10:00:00Z', 10_000, [
    ['2026-01-05', 10_000],
    ['2026-01-06', 10_100],
  ]);
  const late = row('2026-01-06T10:00:00Z', 5_000, []);
  expect(portfolioSeries([early, late])).toMatchObject({
    labels: ['2026-01-05', '2026-01-06'],
    data: [10_000, 15_100],
  });
});
