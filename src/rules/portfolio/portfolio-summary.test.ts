import { describe, expect, it } from 'vitest';
import { toMicro } from '#units/money.ts';
import { arrangeDeployed, type DeployedItem, deployedTiles } from './deployed-list.ts';
import { type DeploymentFigures, portfolioSummary, winRatePercent } from './portfolio-summary.ts';

const one: DeploymentFigures = {
  status: 'active',
  investment: toMicro(10_000),
  cash: toMicro(4_000.1),
  equity: toMicro(10_500),
  unrealized: toMicro(499.9),
  openPositions: 2,
  trades: 7,
};

describe('the portfolio summary', () => {
  it('adds equity and cash exactly; what is not cash is in positions', () => {
    const inCash = {
      ...one,
      status: 'paused',
      equity: one.cash,
      unrealized: toMicro(0),
      openPositions: 0,
    } as const;
    expect(portfolioSummary([one, inCash])).toEqual({
      currentValue: toMicro(14_500.1),
      investment: toMicro(20_000),
      change: toMicro(-5_499.9),
      changePercent: -27.4995,
      cash: toMicro(8_000.2),
      positionValue: toMicro(6_499.9),
      unrealized: toMicro(499.9),
      activeDeployments: 1,
      openPositions: 2,
      trades: 14,
    });
  });

  it('leaves out the money of what has ended, and keeps its trades', () => {
    expect(portfolioSummary([{ ...one, status: 'stopped', openPositions: 0 }])).toMatchObject({
      currentValue: 0,
      changePercent: null,
      trades: 7,
    });
  });
});

describe('the win rate', () => {
  it('counts only closed trades that made or lost something', () => {
    const deployments = [
      { won: 2, lost: 0 },
      { won: 0, lost: 1 },
    ];
    expect(winRatePercent(deployments)).toBeCloseTo(66.667, 3);
  });

  it('is absent when there are none', () => {
    expect(winRatePercent([{ won: 0, lost: 0 }])).toBeNull();
  });
});

describe('the deployed list', () => {
  const item = (change: Partial<DeployedItem>): DeployedItem => ({
    name: 'Trend',
    status: 'active',
    pnl: 1,
    pnlPercent: 1,
    value: 100,
    deployedAt: '2026-01-01T00:00:00Z',
    daysActive: 10,
    openPositions: 1,
    ...change,
  });
  const items = [
    item({ name: 'Alpha trend', pnlPercent: 3, value: 50 }),
    item({ name: 'Beta', status: 'frozen', pnl: -1, pnlPercent: -2, value: 300, daysActive: 21 }),
    item({ name: 'Gamma TREND', pnlPercent: 9, deployedAt: '2026-02-01T00:00:00Z', status: 'stopped' }),
  ];
  const names = (found: readonly DeployedItem[]) => found.map(({ name }) => name);

  it('searches the name in any case, filters and sorts', () => {
    const wanted = { search: 'trend', status: 'all', sort: 'performance' } as const;
    expect(names(arrangeDeployed(items, wanted))).toEqual(['Gamma TREND', 'Alpha trend']);
    expect(names(arrangeDeployed(items, { search: '', status: 'active', sort: 'date' }))).toEqual([
      'Alpha trend',
    ]);
    expect(names(arrangeDeployed(items, { search: '', status: 'all', sort: 'value' }))[0]).toBe('Beta');
  });

  it('counts the tiles over all of them, days over the running ones', () => {
    expect(deployedTiles(items)).toEqual({
      active: 1,
      openPositions: 3,
      profitable: 2,
      averageDaysActive: 16,
    });
    expect(deployedTiles([]).averageDaysActive).toBeNull();
  });
});
