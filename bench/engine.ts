// Bars per second of the backtest: one instrument of 1,000,000 bars, and 500 instruments of 2,520 days, each beside a
// hand-written loop in the same run. The results are checked against those that five other engines agree on.
import { backtest } from '#engine/backtest.ts';
import type { BarSeries } from '#engine/market/bar-series.ts';
import { flatCosts } from '#engine/market/costs.ts';
import type { Instrument } from '#engine/market/instrument.ts';
import { runByColumns } from '#engine/research/run-by-columns.ts';
import type { StrategyDefinition } from '#engine/strategy/definition.ts';
import { parseDefinition } from '#engine/strategy/parse-definition.ts';
import type { Symbol } from '#units/identifiers.ts';
import { toMicro } from '#units/money.ts';
import { type Quantity, toQuantity } from '#units/quantity.ts';
import { crossoverLoop, rankingLoop } from './engine-loops.ts';
import { MINUTES, UNIVERSE, walk } from './engine-workloads.ts';

type Outcome = {
  readonly fills: number;
  readonly trades: number;
  readonly finalEquity: number;
  readonly maxDrawdown: number;
};

const CROSSOVER = definitionOf({
  name: 'Crossover',
  universe: ['ONE'],
  benchmark: 'ONE',
  features: { fast: { indicator: 'sma', length: 10 }, slow: { indicator: 'sma', length: 20 } },
  rule: {
    type: 'signals',
    enterLong: { op: 'crosses_above', left: 'fast', right: 'slow' },
    exitLong: { op: 'crosses_below', left: 'fast', right: 'slow' },
  },
});

const RANKING = definitionOf({
  name: 'Ranking',
  universe: UNIVERSE.map(({ symbol }) => symbol),
  benchmark: 'S000',
  schedule: { every: 'bars', count: 21 },
  features: { momentum: { indicator: 'roc', length: 126 } },
  rule: { type: 'ranking', by: 'momentum', top: 50, bottom: 0 },
  gross: 0.95,
});

const ROUNDS = 7;
const BATCH = 10;

const minutes = walk(MINUTES);
compare('one instrument × 1,000,000 bars', 1_000_000, {
  loop: () => crossoverLoop(minutes),
  engine: () => crossover(minutes),
  expected: { fills: 55_121, trades: 27_560, finalEquity: 99_707_219.541506, maxDrawdown: 0.002927886 },
});

const universe = UNIVERSE.map(walk);
compare('500 instruments × 2,520 days', 500 * 2_520, {
  loop: () => rankingLoop(universe),
  engine: () => ranking(universe),
  expected: { fills: 7_824, trades: 2_124, finalEquity: 2_375_171.936628, maxDrawdown: 0.027717028 },
});

function compare(
  name: string,
  bars: number,
  { loop, engine, expected }: { loop: () => Outcome; engine: () => Outcome; expected: Outcome },
): void {
  const coldFrom = performance.now();
  const outcome = engine();
  const coldMs = performance.now() - coldFrom;
  check(name, outcome, expected);
  check(`${name}, by the loop`, loop(), expected);
  const engineTimes: Sample[] = [];
  const loopTimes: Sample[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    loopTimes.push(sample(loop));
    engineTimes.push(sample(engine));
  }
  const ours = middle(engineTimes);
  const theirs = middle(loopTimes);
  const off = Math.abs(outcome.finalEquity - expected.finalEquity);
  console.log(`${name}: ${(bars / ours.cpuMs / 1_000).toFixed(1)} million bars/s`);
  console.log(
    `  engine ${ours.cpuMs.toFixed(1)} ms of processor time (${ours.wallMs.toFixed(1)} ms by the clock)`,
  );
  console.log(
    `  hand-written loop ${theirs.cpuMs.toFixed(1)} ms (${theirs.wallMs.toFixed(1)} ms by the clock)`,
  );
  console.log(
    `  ratio ${(ours.cpuMs / theirs.cpuMs).toFixed(2)}; first call ${coldMs.toFixed(1)} ms by the clock`,
  );
  console.log(
    `  fills ${outcome.fills}, trades ${outcome.trades}, final equity ${outcome.finalEquity.toFixed(6)}`,
  );
  console.log(
    `  final equity off by ${off.toExponential(1)}, max drawdown ${outcome.maxDrawdown.toFixed(9)}`,
  );
}

type Sample = { readonly cpuMs: number; readonly wallMs: number };

/** The mean of a batch: the processor's own clock ticks too coarsely for one run. */
function sample(run: () => void): Sample {
  for (let i = 0; i < 2; i++) run();
  const cpu = process.threadCpuUsage();
  const from = performance.now();
  for (let i = 0; i < BATCH; i++) run();
  const wallMs = (performance.now() - from) / BATCH;
  const { user, system } = process.threadCpuUsage(cpu);
  return { cpuMs: (user + system) / 1_000 / BATCH, wallMs };
}

function middle(samples: readonly Sample[]): Sample {
  const median = (of: keyof Sample) =>
    samples.map((one) => one[of]).sort((left, right) => left - right)[Math.floor(samples.length / 2)] ??
    Number.NaN;
  return { cpuMs: median('cpuMs'), wallMs: median('wallMs') };
}

/** Money is rounded to whole micro-dollars at each fill, so equity may be off by half of one for each. */
function check(name: string, { fills, trades, finalEquity, maxDrawdown }: Outcome, expected: Outcome): void {
  const right =
    fills === expected.fills &&
    trades === expected.trades &&
    Math.abs(finalEquity - expected.finalEquity) < 1e-5 + expected.fills * 1e-6 &&
    Math.abs(maxDrawdown - expected.maxDrawdown) < 1e-9;
  if (right) return;
  throw new Error(`${name}: got ${JSON.stringify({ fills, trades, finalEquity, maxDrawdown })}`);
}

function crossover(bars: BarSeries): Outcome {
  const result = runByColumns({
    definition: CROSSOVER,
    series: new Map([[bars.symbol, bars]]),
    instrument: instrumentOf(bars.symbol, toQuantity(1)),
    execution: {
      initialCash: toMicro(1e8),
      commissionRate: 0.001,
      spreadRate: 0,
      fill: 'next_open',
      size: { type: 'fixed', quantity: toQuantity(100) },
      repeatedSignal: 'ignored',
    },
  });
  const { fills, trades, finalEquity, maxDrawdown } = result;
  return { fills: fills.count, trades: trades.count, finalEquity: finalEquity / 1e6, maxDrawdown };
}

function ranking(all: readonly BarSeries[]): Outcome {
  const instruments = new Map(all.map(({ symbol }) => [symbol, instrumentOf(symbol, 1 as Quantity)]));
  const result = backtest({
    definition: RANKING,
    instruments,
    series: new Map(all.map((bars) => [bars.symbol, bars])),
    settings: {
      initialCash: toMicro(1e6),
      costs: flatCosts({ commissionRate: 0.001, slippageRate: 0 }),
      limits: { stopLossPercent: 0, maxAllocationPercent: 0, freezeOnDrawdownPercent: 0 },
      collar: 0.05,
      noTradeBand: 0,
    },
  });
  const { fills, trades, equity, finalEquity } = result;
  let peak = 0;
  let maxDrawdown = 0;
  for (const value of equity) {
    if (value > peak) peak = value;
    else maxDrawdown = Math.max(maxDrawdown, 1 - value / peak);
  }
  return { fills: fills.length, trades: trades.length, finalEquity: finalEquity / 1e6, maxDrawdown };
}

function instrumentOf(symbol: Symbol, quantityStep: Quantity): Instrument {
  return {
    symbol,
    kind: 'equity',
    name: symbol,
    currency: 'USD',
    unitCurrency: null,
    multiplier: 1,
    quantityStep,
    priceDecimals: 6,
    calendar: 'us-equity',
    settlement: 'cash',
    expiry: null,
  };
}

function definitionOf(value: object): StrategyDefinition {
  const parsed = parseDefinition({ language: 'bellwether-strategy/1', ...value });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
  return parsed.definition;
}
