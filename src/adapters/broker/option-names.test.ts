import { expect, it } from 'vitest';
import type { Symbol } from '#units/identifiers.ts';
import { OUR_SYMBOLS } from './broker-tickers.ts';
import { optionName, optionSymbol } from './option-names.ts';

const tickers = OUR_SYMBOLS();

it('names a contract as the vendor does, and reads the name back', () => {
  for (const [symbol, name] of [
    ['AAPL.231103C170', 'AAPL231103C00170000'],
    ['SPY.260320P87', 'SPY260320P00087000'],
  ] as const) {
    expect(optionName(symbol as Symbol, tickers)).toBe(name);
    expect(optionSymbol(name, tickers)).toBe(symbol);
  }
});

it('follows the ticker that the underlying has today', () => {
  const renamed = {
    tickerOf: () => 'NEW',
    symbolOf: (ticker: string) => (ticker === 'NEW' ? ('OLD' as Symbol) : null),
  };
  expect(optionName('OLD.260320C10' as Symbol, renamed)).toBe('NEW260320C00010000');
  expect(optionSymbol('NEW260320C00010000', renamed)).toBe('OLD.260320C10');
  expect(optionSymbol('OLD260320C00010000', renamed)).toBeNull();
});

it('knows no share, no adjusted contract and none that settles in cash', () => {
  for (const name of ['AAPL', 'AAPL1231103C00170000', 'AAPL231103X00170000'])
    expect(optionSymbol(name, tickers)).toBeNull();
  expect(optionName('SPY.260320C500E' as Symbol, tickers)).toBeNull();
  expect(optionName('SPY' as Symbol, tickers)).toBeNull();
});
