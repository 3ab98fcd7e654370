// Evaluates each strategy version once per close, for all its deployments. An existing target stays unchanged, so a
// repeated evaluation is harmless.
import { awaitedBars, missedCloses } from '#engine/market-data/missing-bars.ts';
import { previousTradingDay } from '#engine/market/calendar.ts';
import { symbolsRead } from '#engine/strategy/feature-column.ts';
import { asTraded, rollsAfter } from '#engine/strategy/as-traded.ts';
import { evaluate } from '#engine/strategy/evaluate.ts';
import { insertTarget } from '#records/strategies/targets.ts';
import type { StrategyVersionId, TargetId } from '#units/identifiers.ts';
import { type Instant, utcDate } from '#units/instant.ts';
import type { BarHistory } from '../market-data/bar-history.ts';
import type { ScoreBook } from './score-book.ts';
import type { TradedVersion } from './traded-version.ts';
import { noteProblem, type TradingContext } from '../trading-context.ts';

/** The inputs of an evaluation besides the versions. */
export type EvaluationSources = { readonly history: BarHistory; readonly scoreBook: ScoreBook };

export async function evaluateStrategies(
  context: TradingContext,
  { history, scoreBook }: EvaluationSources,
  lastEvaluations: Map<StrategyVersionId, Instant>,
): Promise<void> {
  for (const version of context.versions.values()) {
    try {
      const closes = version.definition.universe.map((symbol) => history.series(symbol).closedAt);
      for (const close of missedCloses(closes, lastEvaluations.get(version.id))) {
        const missing = awaitedBars(symbolsRead(version.definition), close, context);
        if (missing.length > 0) {
          noteProblem(
            context,
            `evaluation of ${version.strategyName}`,
            new Error(`waits for bars of ${missing.join(', ')}`),
            failing(version.id, 'bars'),
          );
          break;
        }
        await evaluateAt(context, version, { history, scoreBook }, close);
        lastEvaluations.set(version.id, close);
      }
    } catch (error) {
      noteProblem(context, `evaluation of ${version.strategyName}`, error, failing(version.id, 'evaluation'));
    }
  }
}

const failing = (subject: StrategyVersionId, task: string) =>
  ({ kind: 'strategy_failing', subject, task }) as const;

async function evaluateAt(
  context: TradingContext,
  version: TradedVersion,
  { history, scoreBook }: EvaluationSources,
  close: Instant,
): Promise<void> {
  const series = new Map(symbolsRead(version.definition).map((symbol) => [symbol, history.series(symbol)]));
  const scores = await scoreBook.scores(version, series);
  const target = evaluate(version.definition, series, close, scores);
  const date = utcDate((close - 1) as Instant);
  const days = { date, before: previousTradingDay(version.calendar, date) };
  const written = await context.database.transaction().execute(async (trx) => {
    await context.lease.fenceMarket(trx);
    return insertTarget(trx, {
      id: context.newId() as TargetId,
      versionId: version.id,
      asOf: close,
      weights: asTraded(target.weights, date, context.instruments),
      rebalance: target.rebalance || rollsAfter(target.weights, days, context.instruments),
      receipt: { ...target.receipt, engine: context.engineHash ?? null },
      hash: target.hash,
    });
  });
  context.targetCache.forgetLatest(version.id);
  if (written === 'written') context.report.targetsWritten += 1;
}
