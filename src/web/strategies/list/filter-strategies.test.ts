import { describe, expect, it } from 'vitest';
import { filterStrategies } from './filter-strategies.ts';

const equity = {
  name: 'Steady Sectors',
  description: 'Rotates between sectors.',
  shortDescription: 'Sector rotation',
  asset_class: 'equity',
  risk_level: 'low',
  strategy_type: 'momentum',
} as const;
const coins = {
  ...equity,
  name: 'Coin Trend',
  asset_class: 'crypto',
  risk_level: 'high',
  strategy_type: 'trend_following',
} as const;
const all = { search: '', market: 'all', risk: 'all', type: 'all' };
const names = (filter: Partial<typeof all>) =>
  filterStrategies([equity, coins], { ...all, ...filter }).map((strategy) => strategy.name);

describe('the marketplace filter', () => {
  it('keeps everything when nothing is asked', () =>
    expect(names({})).toEqual(['Steady Sectors', 'Coin Trend']));
  it('finds text in names and descriptions, ignoring case', () => {
    expect(names({ search: 'COIN' })).toEqual(['Coin Trend']);
    expect(names({ search: ' rotates ' })).toEqual(['Steady Sectors', 'Coin Trend']);
  });
  it('reads stocks as equity', () => expect(names({ market: 'stocks' })).toEqual(['Steady Sectors']));
  it('wants every filter met', () => expect(names({ market: 'crypto', risk: 'low' })).toEqual([]));
  it('filters by type', () => expect(names({ type: 'trend_following' })).toEqual(['Coin Trend']));
});
