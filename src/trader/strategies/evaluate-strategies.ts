// Evaluates each strategy version once per close, for all its deployments. An existing target stays unchanged, so a
// repeated evaluation is harmless.
import { awaitedBars, awaitedParts, missedCloses } from '#engine/market-data/missing-bars.ts';
import { previousTradingDay } from '#engine/market/calendar.ts';
import { symbolsRead } from '#engine/strategy/feature-column.ts';
import { asTraded, rollsAfter } from '#engine/strategy/as-traded.ts';
import type { StrategyDefinition } from '#engine/strategy/definition.ts';
import { closedBy, evaluate } from '#engine/strategy/evaluate.ts';
import { stableId } from '#records/postgres/stable-id.ts';
import { insertTarget } from '#records/strategies/targets.ts';
import type { StrategyVersionId, Symbol, TargetId } from '#units/identifiers.ts';
import { type Instant, utcDate } from '#units/instant.ts';
import type { BarHistory } from '../market-data/bar-history.ts';
import { type Ingested, noteTarget } from '../chain.ts';
import type { IntradayBooks } from '../market-data/ingest-intraday.ts';
import type { DecisionBook } from './decision-book.ts';
import type { ScoreBook } from './score-book.ts';
import type { TradedVersion } from './traded-version.ts';
import { noteProblem, type TradingContext } from '../trading-context.ts';

/** The inputs of an evaluation besides the versions. */
export type EvaluationSources = {
  readonly history: BarHistory;
  readonly intraday: IntradayBooks;
  readonly scoreBook: ScoreBook;
  readonly decisionBook: DecisionBook;
  /** The last reading that brought bars. */
  readonly ingested: Ingested | null;
  /** How long a tick waits for a model that decides. */
  readonly patienceMs: number;
};

export async function evaluateStrategies(
  context: TradingContext,
  sources: EvaluationSources,
  lastEvaluations: Map<StrategyVersionId, Instant>,
): Promise<void> {
  for (const version of context.versions.values()) {
    const history = historyOf(version, sources);
    if (history === null) continue;
    try {
      const closes = version.definition.universe.map((symbol) => history.series(symbol).closedAt);
      // After days away there are thousands of minutes: the rest waits for the next tick, because orders do not.
      const missed = missedCloses(closes, lastEvaluations.get(version.id));
      if (missed.length > CLOSES_MAX) context.targetCache.catchingUp.add(version.id);
      else context.targetCache.catchingUp.delete(version.id);
      for (const close of missed.slice(0, CLOSES_MAX)) {
        const missing = missingAt(close, version, context, sources);
        if (missing.length > 0) {
          noteProblem(
            context,
            `evaluation of ${version.strategyName}`,
            new Error(`waits for bars of ${missing.join(', ')}`),
            failing(version.id, 'bars'),
          );
          break;
        }
        // What is traded was recorded before: until then the target before it holds.
        if (!(await isDecided(context, version, { ...sources, history }, close))) break;
        await evaluateAt(context, version, { ...sources, history }, close);
        lastEvaluations.set(version.id, close);
      }
    } catch (error) {
      noteProblem(context, `evaluation of ${version.strategyName}`, error, failing(version.id, 'evaluation'));
    }
  }
}

function isDecided(
  context: TradingContext,
  version: TradedVersion,
  { history, decisionBook, patienceMs }: Pick<EvaluationSources, 'history' | 'decisionBook' | 'patienceMs'>,
  close: Instant,
): Promise<boolean> {
  const { definition } = version;
  if (definition.rule.type !== 'decider') return Promise.resolve(true);
  const series = seriesUntil(definition, history, close);
  return decisionBook.isDecided(context, version, { series, close, patienceMs });
}

/** Null while its bars have never been read. */
function historyOf(
  { definition: { interval } }: TradedVersion,
  { history, intraday }: EvaluationSources,
): BarHistory | null {
  return interval === undefined ? history : (intraday.get(interval)?.history ?? null);
}

function missingAt(
  close: Instant,
  { definition }: TradedVersion,
  context: TradingContext,
  { intraday }: EvaluationSources,
): readonly Symbol[] {
  const { interval } = definition;
  if (interval === undefined) return awaitedBars(symbolsRead(definition), close, context);
  const through = intraday.get(interval)?.through ?? new Map();
  return awaitedParts(symbolsRead(definition), close, { ...context, interval, through });
}

/** Closed by then: a later bar is no part of a question. */
function seriesUntil(definition: StrategyDefinition, history: BarHistory, close: Instant) {
  return new Map(
    symbolsRead(definition).map((symbol) => [symbol, closedBy(history.series(symbol), close)] as const),
  );
}

const CLOSES_MAX = 100;

const failing = (subject: StrategyVersionId, task: string) =>
  ({ kind: 'strategy_failing', subject, task }) as const;

async function evaluateAt(
  context: TradingContext,
  version: TradedVersion,
  { history, scoreBook, ingested }: Pick<EvaluationSources, 'history' | 'scoreBook' | 'ingested'>,
  close: Instant,
): Promise<void> {
  const began = context.realNow();
  // The same close gives the same target, and so the same client order ids: also after a restore of the database.
  const id = stableId(`target:${version.id}:${close}`) as TargetId;
  const series = new Map(symbolsRead(version.definition).map((symbol) => [symbol, history.series(symbol)]));
  const scores = await scoreBook.scores(version, series, context);
  const target = evaluate(version.definition, series, close, scores);
  const date = utcDate((close - 1) as Instant);
  const days = { date, before: previousTradingDay(version.calendar, date) };
  const written = await context.database.transaction().execute(async (trx) => {
    await context.lease.fenceMarket(trx);
    return insertTarget(trx, {
      id,
      versionId: version.id,
      asOf: close,
      weights: asTraded(target.weights, date, context.instruments),
      rebalance: target.rebalance || rollsAfter(target.weights, days, context.instruments),
      receipt: { ...target.receipt, engine: context.engineHash ?? null },
      hash: target.hash,
    });
  });
  context.targetCache.forgetLatest(version.id);
  if (written === 'repeated') return;
  context.report.targetsWritten += 1;
  noteTarget(context, { id, versionId: version.id, asOf: close }, { ingested, began });
}
