import { expect, it } from 'vitest';
import { investedBy } from './deployment-figures.ts';

it('steps up on the day of each deployment, to the cent', () => {
  const deployments = [
    { deployed_at: '2026-01-05T22:00:00.000Z', investment_amount: 10_000.1 },
    { deployed_at: '2026-01-07T01:00:00.000Z', investment_amount: 5_000.2 },
  ];
  expect(investedBy(['2026-01-05', '2026-01-06', '2026-01-07', '2026-01-08'], deployments)).toEqual([
    10_000.1, 10_000.1, 15_000.3, 15_000.3,
  ]);
});
