// The out-of-sample value of the published files: how the scores related to what followed, year by year, and the
// strategy's result with them, net of the published costs. Every score is from a model trained before the day it
// scores.
import { backtest } from '#engine/backtest/backtest.ts';
import { signalSeries } from '#engine/market/signal-bars.ts';
import type { Instrument } from '#engine/market/instrument.ts';
import type { ScoreColumns } from '#engine/model/score-columns.ts';
import { scoredFrom } from '#engine/model/score-columns.ts';
import { summarize } from '#engine/backtest/summarize.ts';
import type { StrategyDefinition } from '#engine/strategy/definition.ts';
import { parseDefinition } from '#engine/strategy/parsing/parse-definition.ts';
import { type SeriesBySymbol, seriesOf } from '#engine/strategy/feature-column.ts';
import { publishedCosts } from '#results/publish-result.ts';
import type { Symbol } from '#units/identifiers.ts';
import { instant, instantOfDate } from '#units/instant.ts';
import type { Recipe } from './recipe.ts';
import { outcomesOf } from './training-set.ts';
import { labelPlan } from './train-model.ts';

export type Judged = {
  readonly definition: StrategyDefinition;
  readonly instruments: ReadonlyMap<Symbol, Instrument>;
  readonly series: SeriesBySymbol;
  readonly scores: ScoreColumns;
};

export type Figures = {
  readonly from: string;
  readonly to: string;
  readonly annualReturnPercent: number | null;
  readonly volatilityPercent: number | null;
  readonly sharpeRatio: number | null;
  readonly maxDrawdownPercent: number | null;
  readonly trades: number;
};

export function strategyFigures(judged: Judged): Figures {
  return figuresOf(judged.definition, judged);
}

/** The same instruments over the same days in equal parts, renewed monthly: what no model would have earned. */
export function holdingFigures(judged: Judged): Figures {
  const { definition } = judged;
  const { model: _, exits: __, ...rest } = definition;
  const parsed = parseDefinition({
    ...rest,
    direction: 'long',
    schedule: { every: 'month' },
    features: { day: { indicator: 'roc', length: 1 } },
    rule: { type: 'ranking', by: 'day', top: definition.universe.length },
    weighting: { type: 'equal', over: 'held' },
  });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
  return figuresOf(parsed.definition, judged);
}

function figuresOf(
  definition: StrategyDefinition,
  { instruments, series, scores, ...judged }: Judged,
): Figures {
  const from = instant(scoredFrom(judged.definition));
  const settings = { ...publishedCosts({ instruments }, from), from };
  const result = backtest({ definition, instruments, series, settings, scores });
  const { figures, labels } = summarize({ definition, instruments }, result, null);
  return {
    from: labels[0] ?? '',
    to: labels.at(-1) ?? '',
    annualReturnPercent: rounded(figures.annual_return),
    volatilityPercent: rounded(figures.volatility),
    sharpeRatio: rounded(figures.sharpe_ratio),
    maxDrawdownPercent: rounded(figures.max_drawdown),
    trades: figures.total_trades,
  };
}

export type YearlyFit = {
  readonly year: string;
  readonly correlation: number | null;
  readonly scores: number;
};

/** The correlation of scores with the outcomes that they were to predict, by window; null where nothing came yet. */
export function yearlyFit(recipe: Recipe, { definition, series, scores }: Judged): YearlyFit[] {
  const outcomes = outcomesOf(labelPlan(recipe), signalSeries(series), Number.POSITIVE_INFINITY);
  const windows = definition.model?.windows ?? [];
  return windows.map(({ from }, w) => {
    const begins = instantOfDate(from);
    const next = windows[w + 1];
    const ends = next === undefined ? Number.POSITIVE_INFINITY : instantOfDate(next.from);
    const pairs: Pair[] = [];
    definition.universe.forEach((symbol, s) => {
      const column = scores.get(symbol)!;
      const { closedAt } = seriesOf(series, symbol);
      for (let bar = 0; bar < column.length; bar++) {
        const isScored = closedAt[bar]! > begins && closedAt[bar]! <= ends && !Number.isNaN(column[bar]!);
        if (isScored && !Number.isNaN(outcomes[s]![bar]!)) {
          pairs.push({ at: closedAt[bar]!, score: column[bar]!, outcome: outcomes[s]![bar]! });
        }
      }
    });
    const compared = recipe.scaling === 'cross_section' ? centred(pairs) : pairs;
    return { year: from.slice(0, 4), correlation: rounded(correlation(compared)), scores: pairs.length };
  });
}

type Pair = { readonly at: number; readonly score: number; readonly outcome: number };

/** A ranking claims nothing about the day as a whole: both sides are taken from their mean over the universe. */
function centred(pairs: readonly Pair[]): Pair[] {
  const days = Map.groupBy(pairs, ({ at }) => at);
  return [...days.values()].flatMap((day) => {
    const score = mean(day.map((pair) => pair.score));
    const outcome = mean(day.map((pair) => pair.outcome));
    return day.map((pair) => ({ at: pair.at, score: pair.score - score, outcome: pair.outcome - outcome }));
  });
}

function correlation(pairs: readonly Pair[]): number | null {
  const score = mean(pairs.map((pair) => pair.score));
  const outcome = mean(pairs.map((pair) => pair.outcome));
  let together = 0;
  let ofScores = 0;
  let ofOutcomes = 0;
  for (const pair of pairs) {
    together += (pair.score - score) * (pair.outcome - outcome);
    ofScores += (pair.score - score) * (pair.score - score);
    ofOutcomes += (pair.outcome - outcome) * (pair.outcome - outcome);
  }
  return ofScores > 0 && ofOutcomes > 0 ? together / Math.sqrt(ofScores * ofOutcomes) : null;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function rounded(value: number | null): number | null {
  return value === null ? null : Math.round(value * 1_000) / 1_000;
}
