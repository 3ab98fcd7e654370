// Each strategy version is evaluated once per close, for everybody who deployed it. A target that is there already
// stays as it is, so a repeated evaluation is harmless.
import { previousSession, previousTradingDay } from '#engine/market/calendar.ts';
import { symbolsRead } from '#engine/strategy/feature-column.ts';
import { asTraded, rollsAfter } from '#engine/strategy/as-traded.ts';
import { evaluate } from '#engine/strategy/evaluate.ts';
import { insertTarget } from '#records/strategies/targets.ts';
import type { StrategyVersionId, Symbol, TargetId } from '#units/identifiers.ts';
import { DAY_MS, type Instant, utcDate } from '#units/instant.ts';
import type { BarHistory } from '../market-data/bar-history.ts';
import type { ScoreBook } from './score-book.ts';
import type { TradedVersion } from './traded-version.ts';
import { noteProblem, type TradingContext } from '../trading-context.ts';

/** What evaluating reads besides the versions. */
export type EvaluationSources = { readonly history: BarHistory; readonly scoreBook: ScoreBook };

export async function evaluateStrategies(
  context: TradingContext,
  { history, scoreBook }: EvaluationSources,
  lastEvaluations: Map<StrategyVersionId, Instant>,
): Promise<void> {
  for (const version of context.versions.values()) {
    try {
      for (const close of missedCloses(version, history, lastEvaluations.get(version.id))) {
        const missing = stillMissing(context, version, history, close);
        if (missing.length > 0) {
          noteProblem(
            context,
            `evaluation of ${version.strategyName}`,
            new Error(`waits for bars of ${missing.join(', ')}`),
          );
          break;
        }
        await evaluateAt(context, version, { history, scoreBook }, close);
        lastEvaluations.set(version.id, close);
      }
    } catch (error) {
      noteProblem(context, `evaluation of ${version.strategyName}`, error);
    }
  }
}

/** The closes of the universe since the last evaluation, oldest first; of a version never evaluated, the newest. */
function missedCloses(version: TradedVersion, history: BarHistory, last: Instant | undefined): Instant[] {
  const closes = new Set<number>();
  let newest = 0;
  for (const symbol of version.definition.universe) {
    const { closedAt } = history.series(symbol);
    newest = Math.max(newest, closedAt.at(-1) ?? 0);
    if (last === undefined) continue;
    for (let i = closedAt.length - 1; i >= 0 && closedAt[i]! > last; i--) closes.add(closedAt[i]!);
  }
  if (last === undefined) return newest === 0 ? [] : [newest as Instant];
  return [...closes].sort((left, right) => left - right) as Instant[];
}

/**
 * Instruments whose bar of this close has not come: deciding on half of the prices would be a guess. One that has been
 * silent for long is taken as it is, so that a delisted instrument does not hold a strategy up for good.
 */
function stillMissing(
  context: TradingContext,
  version: TradedVersion,
  history: BarHistory,
  close: Instant,
): Symbol[] {
  return symbolsRead(version.definition).filter((symbol) => {
    const instrument = context.instruments.get(symbol);
    const newest = history.newestBar(symbol);
    if (instrument === undefined || newest === null) return newest !== null;
    const expected = previousSession(instrument.calendar, close).closesAt;
    return newest.closedAt < expected && close - newest.closedAt < STALE_MS;
  });
}

const STALE_MS = 7 * DAY_MS;

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
      receipt: target.receipt,
      hash: target.hash,
    });
  });
  context.targetCache.forgetLatest(version.id);
  if (written === 'written') context.report.targetsWritten += 1;
}
