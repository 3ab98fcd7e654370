// Runs that must give the same bits on every machine: each sort of rule over seeded prices. They import only the engine,
// so that a browser can run them unchanged.
import { runEvidence } from '#engine/evidence/evidence-run.ts';
import { flatCosts } from '#engine/market/costs.ts';
import {
  cryptoInstrument,
  equityInstrument,
  forexInstrument,
  instrumentMap,
  randomSeries,
  seriesMap,
} from '../support/engine/random-market.ts';
import { definitionOf, SAMPLE_DEFINITIONS, SAMPLE_SYMBOLS } from '../support/engine/sample-definitions.ts';
import { instant } from '#units/instant.ts';
import { toMicro } from '#units/money.ts';

export type GoldenHashes = { readonly [name: string]: { readonly input: string; readonly result: string } };

export function goldenRuns(): GoldenHashes {
  return Object.fromEntries(
    Object.entries(DEFINITIONS).map(([name, definition]) => {
      const symbols = [...new Set([...definition.universe, definition.benchmark])];
      const series = symbols.map((symbol, i) =>
        randomSeries({
          symbol,
          seed: 100 + i,
          bars: 750,
          gapEvery: i % 2 === 1 ? 53 : 0,
          ...(symbol.length === 6 ? { start: 1.2, swing: 0.01 } : {}),
        }),
      );
      const run = runEvidence(
        {
          definition,
          instruments: instrumentMap(...symbols.map(instrumentOf)),
          series: seriesMap(...series),
          settings: {
            initialCash: toMicro(100_000),
            costs: flatCosts({ commissionRate: 0.001, slippageRate: 0.0005 }),
            limits: { stopLossPercentage: 10, maxAllocationPercent: 60, freezeOnDrawdownPercent: 40 },
            collar: 0.03,
            noTradeBand: 0.005,
            performanceFeePercent: 30,
            committedAt: instant(series[0]!.closedAt[500]!),
          },
        },
        'golden',
      );
      if (run === null) throw new Error(`${name} gave no result`);
      return [name, { input: run.hashes.input, result: run.hashes.result }];
    }),
  );
}

const CURRENCIES = ['EURUSD', 'GBPUSD'];
const COINS = ['BTCUSD', 'ETHUSD'];

const DEFINITIONS = {
  ...SAMPLE_DEFINITIONS,
  currencies: definitionOf({
    universe: CURRENCIES,
    benchmark: 'EURUSD',
    direction: 'long_short',
    features: {
      width: { indicator: 'bollinger', length: 20, deviations: 2, output: 'upper' },
      strength: { indicator: 'adx', length: 14, output: 'adx' },
      momentum: { indicator: 'macd', fast: 12, slow: 26, signal: 9, output: 'histogram' },
    },
    rule: {
      type: 'signals',
      enterLong: { op: 'above', left: 'momentum', right: 0 },
      exitLong: { op: 'above', left: 'close', right: 'width' },
      enterShort: {
        op: 'all',
        of: [
          { op: 'below', left: 'momentum', right: 0 },
          { op: 'above', left: 'strength', right: 20 },
        ],
      },
      exitShort: { op: 'above', left: 'momentum', right: 0 },
    },
  }),
  coins: definitionOf({
    universe: COINS,
    benchmark: 'BTCUSD',
    periodsPerYear: 365,
    features: {
      k: { indicator: 'stochastic', length: 14, smooth: 3, signal: 3, output: 'k' },
      range: { indicator: 'atr', length: 10 },
      noise: { indicator: 'volatility', length: 20 },
      others: { indicator: 'correlation', length: 30, with: 'ETHUSD' },
    },
    rule: {
      type: 'signals',
      enterLong: { op: 'below', left: 'k', right: 30 },
      exitLong: { op: 'above', left: 'k', right: 70 },
    },
    weighting: { type: 'volatility_target', length: 20, annualPercent: 30 },
  }),
};

function instrumentOf(symbol: string) {
  if (COINS.includes(symbol)) return cryptoInstrument(symbol);
  return SAMPLE_SYMBOLS.some((known) => known === symbol)
    ? equityInstrument(symbol)
    : forexInstrument(symbol);
}
