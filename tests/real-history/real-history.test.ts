// Uses the real prices of ../shared/data, next to the project folder; skipped if that folder is absent.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseDefinition } from '#engine/strategy/parsing/parse-definition.ts';
import { EQUITY_LISTINGS } from '#processes/demo-world/catalogue/equity-listings.ts';
import type { Symbol } from '#units/identifiers.ts';
import { instant } from '#units/instant.ts';
import { measureListing } from './measure-listing.ts';
import { realListings } from './real-listings.ts';
import { hasRealPrices, readRealPrices, REAL_PRICES, type RealShare } from './real-prices.ts';
import { heldFigures } from './total-return.ts';

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

  it('gives the benchmark held the return that its factor file states', () => {
    const { series } = shares.get('SPY' as Symbol)!;
    const [from, to] = [instant(series.closedAt[0]!), instant(series.closedAt.at(-1)!)];
    // The first row of the factor file: what a dollar of 1998 is of a dollar of the last row, dividends reinvested.
    const factor = Number(readFileSync(path.join(REAL_PRICES, 'factor_files/spy.csv'), 'utf8').split(',')[1]);
    const wealth = series.close.at(-1)! / (series.close[0]! * factor);
    const annual = (Math.pow(wealth, 252 / (series.length - 1)) - 1) * 100;
    const figures = heldFigures(series, { from, to });
    expect(figures.annual_return).toBeCloseTo(annual, 1);
    expect(figures.max_drawdown).toBeGreaterThan(50);
    expect(figures.max_drawdown).toBeLessThan(56);
  });

  it('changes nothing of a rule but what it trades, and how many of them', () => {
    const own = EQUITY_LISTINGS.map(({ definition }) => parseDefinition(definition));
    for (const [i, { definition }] of realListings(instruments).slice(0, own.length).entries()) {
      const parsed = own[i]!;
      if (!parsed.ok) throw new Error(definition.name);
      const { schedule, direction, features, exits, gross, rule } = parsed.definition;
      expect(definition).toMatchObject({ schedule, direction, features, exits, gross });
      expect(definition.rule.type).toBe(rule.type);
    }
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
