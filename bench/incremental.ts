// One more closed bar for a strategy that is followed from close to close, beside evaluating its whole history again.
import type { BarSeries } from '#engine/market/bar-series.ts';
import type { BarPrices } from '#engine/strategy/incremental/growing-bars.ts';
import { LiveStrategy } from '#engine/strategy/incremental/live-strategy.ts';
import type { StrategyDefinition } from '#engine/strategy/definition.ts';
import { evaluate } from '#engine/strategy/evaluate.ts';
import { SAMPLE_DEFINITIONS, SAMPLE_SYMBOLS } from '#tests/support/engine/sample-definitions.ts';
import type { Symbol } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';
import { type Walk, walk } from './engine-workloads.ts';
import { median } from './measure.ts';

const BARS = 6_000;
const WARM_UP = 4_000;
const WHOLE_RUNS = 30;

const terms: Omit<Walk, 'symbol' | 'seed'> = {
  bars: BARS,
  volatility: 0.012,
  drift: 0.0002,
  barMs: 86_400_000,
};
const all = SAMPLE_SYMBOLS.map((symbol, i) => walk({ ...terms, symbol, seed: 50 + i }));
const series = new Map(all.map((bars) => [bars.symbol, bars]));
console.log(
  `Strategies on ${all.length} instruments of ${BARS.toLocaleString('en')} days; median of a close`,
);
for (const [name, definition] of Object.entries(SAMPLE_DEFINITIONS)) {
  const live = LiveStrategy.of(definition);
  if (live === null)
    console.log(`  ${name}: not followed, evaluated anew (${wholeMs(definition).toFixed(2)} ms)`);
  else report(name, definition, live);
}

function report(name: string, definition: StrategyDefinition, live: LiveStrategy): void {
  const times: number[] = [];
  const { closedAt } = all[0]!;
  for (let i = 0; i < BARS; i++) {
    const bars = closeOf(i);
    const from = process.hrtime.bigint();
    const target = live.close(closedAt[i]! as Instant, bars);
    const micros = Number(process.hrtime.bigint() - from) / 1_000;
    if (i >= WARM_UP) times.push(micros);
    if (i === BARS - 1) compare(target, evaluate(definition, series, closedAt[i]! as Instant), name);
  }
  const slow = [...times].sort((one, other) => one - other)[Math.floor(times.length * 0.99)]!;
  const whole = wholeMs(definition);
  console.log(
    `  ${name}: ${median(times).toFixed(1)} µs (99 of 100 within ${slow.toFixed(1)} µs); the whole history ${(whole * 1_000).toFixed(0)} µs`,
  );
}

function compare(target: object, whole: ReturnType<typeof evaluate>, name: string): void {
  const { asOf, weights, rebalance } = whole;
  if (JSON.stringify(target) !== JSON.stringify({ asOf, weights, rebalance }))
    throw new Error(`${name}: another target than that of the whole history`);
}

function wholeMs(definition: StrategyDefinition): number {
  const at = all[0]!.closedAt[BARS - 1]! as Instant;
  const times: number[] = [];
  for (let i = 0; i < WHOLE_RUNS; i++) {
    const from = performance.now();
    evaluate(definition, series, at);
    times.push(performance.now() - from);
  }
  return median(times);
}

function closeOf(i: number): ReadonlyMap<Symbol, BarPrices> {
  return new Map(all.map((bars) => [bars.symbol, barOf(bars, i)]));
}

function barOf({ closedAt, open, high, low, close, volume }: BarSeries, i: number): BarPrices {
  return {
    closedAt: closedAt[i]! as Instant,
    open: open[i]!,
    high: high[i]!,
    low: low[i]!,
    close: close[i]!,
    volume: volume[i]!,
  };
}
