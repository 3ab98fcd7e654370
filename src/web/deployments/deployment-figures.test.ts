import { expect, it } from 'vitest';
import type { Deployment } from '#contract/deployments.ts';
import { changeToday, investedBy } from './deployment-figures.ts';

it('steps up on the day of each deployment, to the cent', () => {
  const deployments = [
    { deployed_at: '2026-01-05T22:00:00.000Z', investment_amount: 10_000.1, flows: [] },
    { deployed_at: '2026-01-07T01:00:00.000Z', investment_amount: 5_000.2, flows: [] },
  ];
  expect(investedBy(['2026-01-05', '2026-01-06', '2026-01-07', '2026-01-08'], deployments)).toEqual([
    10_000.1, 10_000.1, 15_000.3, 15_000.3,
  ]);
});

it('steps with what was added and withdrawn later, on the day of each', () => {
  const flows = [
    { at: '2026-01-07T15:00:00.000Z', amount: 2_000 },
    { at: '2026-01-08T15:00:00.000Z', amount: -500.5 },
  ];
  const deployments = [{ deployed_at: '2026-01-05T22:00:00.000Z', investment_amount: 11_499.5, flows }];
  expect(investedBy(['2026-01-04', '2026-01-05', '2026-01-07', '2026-01-08'], deployments)).toEqual([
    0, 10_000, 12_000, 11_499.5,
  ]);
});

it('counts today from the last close before it, and money that came in since is no gain', () => {
  const deployments = [
    { deployed_at: '2026-01-05T22:00:00.000Z', investment_amount: 10_000, flows: [], equity: 10_150 },
    { deployed_at: '2026-01-08T15:00:00.000Z', investment_amount: 5_000, flows: [], equity: 5_010 },
  ] as unknown as Deployment[];
  const series = { labels: ['2026-01-06', '2026-01-07', '2026-01-08'], data: [10_000, 10_100, 15_140] };
  expect(changeToday(series, deployments, '2026-01-08T20:00:00.000Z')).toBe(60);
  expect(changeToday(series, deployments, '2026-01-06T20:00:00.000Z')).toBe(null);
  expect(changeToday(null, deployments, '2026-01-08T20:00:00.000Z')).toBe(null);
});
