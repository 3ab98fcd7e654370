// Runs that must give the same bits on every machine: each sort of rule over seeded prices. They import only the engine,
// so that a browser can run them unchanged.
import { canonicalJson } from '#engine/evidence/canonical-json.ts';
import { type EvidenceRunInput, runEvidence } from '#engine/evidence/evidence-run.ts';
import { sha256Hex } from '#engine/evidence/sha256.ts';
import { flatCosts } from '#engine/market/costs.ts';
import { Rehearser } from '#engine/rehearsal/rehearsal.ts';
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

export type GoldenHashes = {
  readonly [name: string]: { readonly input: string; readonly result: string; readonly rehearsal: string };
};

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
      const input = {
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
      };
      const run = runEvidence(input, 'golden');
      if (run === null) throw new Error(`${name} gave no result`);
      const { hashes } = run;
      return [name, { input: hashes.input, result: hashes.result, rehearsal: rehearsalHash(input) }];
    }),
  );
}

function rehearsalHash(input: EvidenceRunInput): string {
  const rehearsal = new Rehearser(input).rehearse({
    amount: toMicro(23_456.78),
    limits: { stopLossPercentage: 7, maxAllocationPercent: 25, freezeOnDrawdownPercent: 20 },
    takesFractions: true,
    feePercent: 30,
  });
  const plain = JSON.stringify(rehearsal, (_, value: unknown) =>
    value instanceof Float64Array ? Array.from(value) : value,
  );
  return sha256Hex(canonicalJson(JSON.parse(plain)));
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
