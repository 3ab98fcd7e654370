// The scores of each traded version's model, or what a model that decides has answered, kept from one close to the next.
import { answerColumns } from '#engine/decider/recorded-answers.ts';
import { NO_SCORES, type ScoreColumns } from '#engine/model/score-columns.ts';
import type { SeriesBySymbol } from '#engine/strategy/feature-column.ts';
import type { ModelRunner } from '#ports/model-runner.ts';
import { listModelDecisions } from '#records/deciders/model-decisions.ts';
import type { Database } from '#records/postgres/database.ts';
import type { StrategyVersionId } from '#units/identifiers.ts';
import { scoreBars } from '#engine/model/score-bars.ts';
import type { TradedVersion } from './traded-version.ts';

export type ScoreBook = {
  /** One score for each bar of the series; throws when the model does not run. */
  scores(
    version: TradedVersion,
    series: SeriesBySymbol,
    records: { readonly database: Database },
  ): Promise<ScoreColumns>;
};

export function createScoreBook(models: ModelRunner): ScoreBook {
  const known = new Map<StrategyVersionId, ScoreColumns>();
  return {
    async scores({ id, definition }, series, { database }) {
      if (definition.rule.type === 'decider')
        return answerColumns(definition, series, await listModelDecisions(database, id));
      if (definition.model === undefined) return NO_SCORES;
      const scores = await scoreBars(models, definition, series, known.get(id));
      known.set(id, scores);
      return scores;
    },
  };
}
