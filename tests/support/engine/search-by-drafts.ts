// A person who writes thirty drafts for one instrument, backtests each and looks at the best: with the engine, the neighbours, the
// family of tries and the grade of the product, on prices with or without anything to find. Promises the same searches for the
// same seed.
import { backtest } from '#engine/backtest/backtest.ts';
import { SharedRuns } from '#engine/backtest/shared-runs.ts';
import type { BacktestInput } from '#engine/backtest/settings.ts';
import { type Evidence, gradeEvidence } from '#engine/evidence/evidence-grade.ts';
import { neighbours } from '#engine/evidence/neighbours.ts';
import { type CountedTry, familyOf, searchKind } from '#engine/evidence/trial-family.ts';
import { type WeeklyGrowth, weeklyGrowth } from '#engine/evidence/weekly-growth.ts';
import { flatCosts } from '#engine/market/costs.ts';
import type { BarSeries } from '#engine/market/bar-series.ts';
import { returnsOf } from '#engine/performance/returns.ts';
import { sharpePerPeriod } from '#engine/performance/sharpe-ratio.ts';
import type { StrategyDefinition } from '#engine/strategy/definition.ts';
import type { Symbol } from '#units/identifiers.ts';
import { DAY_MS, type Instant, instantOfDate } from '#units/instant.ts';
import { toMicro } from '#units/money.ts';
import { cryptoInstrument, instrumentMap } from './random-market.ts';
import { definitionOf } from './sample-definitions.ts';
import { randomStream } from './search-for-luck.ts';

export type DraftSearch = {
  /** numbers: one kind of rule, thirty times. kinds: six kinds, five times each. */
  readonly drafts: 'numbers' | 'kinds';
  /** What the price drifts a day, up or down for a hundred days on average, in standard deviations; 0 is pure noise. */
  readonly drift: number;
  /** Each draft counts its own backtest alone, and nobody looks at its neighbours. */
  readonly isForgetful?: boolean;
};

const DRAFTS = 30;
/** Ten years of a market that is open every day. */
export const DAYS = 3_650;
const DEVIATION = 0.01;
const REGIME_DAYS = 100;
const DAYS_A_YEAR = 365;

export const NOISE_SYMBOL = 'AAAUSD' as Symbol;

/** The grade of the best of thirty drafts. */
export function gradeBestDraft(search: DraftSearch, seed: number): Evidence {
  return findBestDraft(search, seed).evidence;
}

/** In how many of `runs` searches, each of its own seed, the best draft is called supported. */
export function countSupportedDrafts(
  search: DraftSearch,
  { runs, seed }: { runs: number; seed: number },
): number {
  let supported = 0;
  for (let run = 1; run <= runs; run++)
    if (gradeBestDraft(search, seed * run).grade === 'supported') supported++;
  return supported;
}

export type BestDraft = {
  readonly definition: StrategyDefinition;
  readonly input: Omit<BacktestInput, 'definition'>;
  readonly evidence: Evidence;
  /** In-sample, per day. */
  readonly variants: readonly Float64Array[];
};

export function findBestDraft(search: DraftSearch, seed: number): BestDraft {
  const series = noiseSeries(search.drift, seed, NOISE_SYMBOL);
  const input = inputOver([series]);
  const shared = new SharedRuns(input);
  const run = (definition: StrategyDefinition) => tryOut(definition, { input, shared });
  const drafts = draftsOf(search, seed).map((definition, place) => ({
    definition,
    place: String(place),
    ...run(definition),
  }));
  const best = drafts.reduce((one, other) => (other.sharpe > one.sharpe ? other : one));
  const around = neighbours(best.definition).map((definition) => ({
    definition,
    place: best.place,
    ...run(definition),
  }));
  const tried = search.isForgetful === true ? [best] : [...drafts, ...around];
  const family = familyOf(
    countedOf(best, input),
    tried.map((one) => countedOf(one, input)),
  );
  const variants = [best, ...around].map(({ returns }) => returns);
  const evidence = gradeEvidence({
    inSample: best.returns,
    outOfSample: new Float64Array(0),
    benchmark: returnsOf(series.close),
    periodsPerYear: DAYS_A_YEAR,
    ledger: family.ledger,
    variants: search.isForgetful === true ? [] : variants,
  });
  return { definition: best.definition, input, evidence, variants };
}

type Tried = {
  readonly definition: StrategyDefinition;
  readonly place: string;
  readonly sharpe: number;
  readonly weekly: WeeklyGrowth | null;
};

function countedOf({ definition, place, sharpe, weekly }: Tried, input: BestDraft['input']): CountedTry {
  return {
    ...searchKind(definition, input.instruments),
    strategyId: place,
    sharpe: Number.isFinite(sharpe) ? sharpe : null,
    weekly,
  };
}

function tryOut(
  definition: StrategyDefinition,
  { input, shared }: { readonly input: BestDraft['input']; readonly shared: SharedRuns },
) {
  const result = backtest({ ...input, definition }, { shared });
  const returns = returnsOf(result.equity);
  const sharpe = sharpePerPeriod(returns);
  return {
    returns,
    sharpe: Number.isFinite(sharpe) ? sharpe : Number.NEGATIVE_INFINITY,
    weekly: weeklyGrowth(result, Number.POSITIVE_INFINITY as Instant),
  };
}

/** Without costs, which would make noise look worse than it is, unless a rate is named. */
export function inputOver(list: readonly BarSeries[], rate = 0): BestDraft['input'] {
  return {
    instruments: instrumentMap(...list.map(({ symbol }) => cryptoInstrument(symbol))),
    series: new Map(list.map((one) => [one.symbol, one])),
    settings: {
      initialCash: toMicro(100_000),
      costs: flatCosts({ commissionRate: rate, slippageRate: rate }),
      limits: { stopLossPercentage: 0, maxAllocationPercent: 0, freezeOnDrawdownPercent: 0 },
      collar: 0.03,
      noTradeBand: 0,
    },
  };
}

/** A day opens where the one before closed. */
export function noiseSeries(drift: number, seed: number, symbol: Symbol, days = DAYS): BarSeries {
  const { normal, uniform } = randomStream(seed);
  const [open, close] = [new Float64Array(days), new Float64Array(days)];
  let [price, side] = [100, 1];
  for (let day = 0; day < days; day++) {
    if (uniform() < 1 / REGIME_DAYS) side = -side;
    open[day] = price;
    price *= 1 + DEVIATION * (drift * side + normal());
    close[day] = price;
  }
  const first = instantOfDate('2014-01-02');
  return {
    symbol,
    interval: '1d',
    length: days,
    closedAt: Float64Array.from({ length: days }, (_, day) => first + day * DAY_MS),
    open,
    high: open.map((value, day) => Math.max(value, close[day]!)),
    low: open.map((value, day) => Math.min(value, close[day]!)),
    close,
    volume: new Float64Array(days).fill(1_000),
  };
}

/** Long when a condition holds, and out of it when it does not. */
function draftsOf({ drafts }: DraftSearch, seed: number): readonly StrategyDefinition[] {
  const { uniform } = randomStream(seed + 1);
  const between = (low: number, high: number) => low + Math.floor(uniform() * (high - low + 1));
  return Array.from({ length: DRAFTS }, (_, place) => {
    const kind = drafts === 'numbers' ? 'trend' : KINDS[place % KINDS.length]!;
    const { features, when } = ruleOf(kind, between);
    return definitionOf({
      name: `Draft ${place}`,
      universe: [NOISE_SYMBOL],
      benchmark: NOISE_SYMBOL,
      features,
      rule: { type: 'signals', enterLong: when, exitLong: { op: 'not', of: when } },
      periodsPerYear: DAYS_A_YEAR,
    });
  });
}

const KINDS = ['trend', 'momentum', 'reversion', 'breakout', 'volatility', 'price'] as const;

function ruleOf(
  kind: (typeof KINDS)[number],
  between: (low: number, high: number) => number,
): { readonly features: object; readonly when: object } {
  const length = between(10, 60);
  const read = { a: { indicator: 'sma', length } };
  switch (kind) {
    case 'trend': {
      const features = { a: { indicator: 'sma', length: between(2, 12) }, b: { indicator: 'sma', length } };
      return { features, when: { op: 'above', left: 'a', right: 'b' } };
    }
    case 'momentum':
      return {
        features: { a: { indicator: 'roc', length } },
        when: { op: 'above', left: 'a', right: 0 },
      };
    case 'reversion':
      return {
        features: { a: { indicator: 'rsi', length: between(5, 30) } },
        when: { op: 'below', left: 'a', right: between(35, 60) },
      };
    case 'breakout':
      return {
        features: { a: { indicator: 'donchian', length, output: 'middle' } },
        when: { op: 'above', left: 'close', right: 'a' },
      };
    case 'volatility':
      return {
        features: { a: { indicator: 'volatility', length }, b: { indicator: 'volatility', length: 250 } },
        when: { op: 'below', left: 'a', right: 'b' },
      };
    case 'price':
      return { features: read, when: { op: 'above', left: 'close', right: between(80, 120) } };
  }
}
