// Uses the real prices of ../shared/data, next to the project folder; skipped if that folder is absent.
import { describe, expect, it } from 'vitest';
import type { Symbol } from '#units/identifiers.ts';
import { measureListing } from './measure-listing.ts';
import { heldBenchmark, realListings } from './real-listings.ts';
import { hasRealPrices, readRealPrices, REAL_PRICES, type RealShare } from './real-prices.ts';

const hasPrices = hasRealPrices(REAL_PRICES);
if (!hasPrices) console.log(`skipped: there are no real prices in ${REAL_PRICES}`);

describe.skipIf(!hasPrices)('the catalogue on real prices', () => {
  const shares = hasPrices ? readRealPrices(REAL_PRICES) : new Map<Symbol, RealShare>();
  const instruments = [...shares.values()].map(({ instrument }) => instrument);

  it('leaves out the bars of the company that had the ticker before', () => {
    const first = (symbol: string) => shares.get(symbol as Symbol)?.firstDate;
    expect([first('SPY'), first('FB'), first('WM'), first('QQQ'), first('USO')]).toEqual([
      '1998-01-02',
      '2012-05-18',
      '2009-08-05',
      '2011-03-23',
      '2006-04-10',
    ]);
  });

  it('gives the benchmark held what an independent sum of prices and dividends gives', () => {
    const { series } = shares.get('SPY' as Symbol)!;
    let wealth = 1;
    const dividends = new Map(
      (series.actions ?? []).map(({ exDate, amount }): [string, number] => [exDate, amount]),
    );
    for (let i = 2; i < series.length; i++) {
      const date = new Date(series.closedAt[i]! - 1).toISOString().slice(0, 10);
      wealth *= (series.close[i]! + (dividends.get(date) ?? 0)) / series.close[i - 1]!;
    }
    const { figures } = measureListing({ name: 'SPY', definition: heldBenchmark(), missing: 'none' }, shares);
    const years = series.length / 252;
    const annual = (Math.pow(wealth, 1 / years) - 1) * 100;
    // Dividends wait here until the next month; the first month in cash and the costs differ.
    expect(figures.annual_return).toBeGreaterThan(annual - 0.7);
    expect(figures.annual_return).toBeLessThan(annual + 0.2);
    expect(figures.max_drawdown).toBeGreaterThan(45);
  });

  it('runs every equity strategy of the catalogue, each against the benchmark over its own days', () => {
    const listings = realListings(instruments);
    expect(listings.length).toBe(7 + 1 + 13);
    for (const listing of listings) {
      const one = measureListing(listing, shares);
      expect(one.figures.total_trades, one.name).toBeGreaterThan(0);
      for (const figure of ['annual_return', 'volatility', 'sharpe_ratio', 'max_drawdown'] as const) {
        expect(one.figures[figure], `${one.name} ${figure}`).not.toBeNull();
        expect(one.benchmark[figure], `${one.name} ${figure}`).not.toBeNull();
      }
    }
  });
});
