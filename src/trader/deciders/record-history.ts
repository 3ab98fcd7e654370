// Asks a model about closes of the past, before its strategy is published: the record that the first backtest replays. Every close is
// asked once, so that a seed that was cut short goes on where it was.
import { deciderOf } from '#engine/decider/decider-rule.ts';
import { decisionCloses, QUESTION_FORMS, questionsOf } from '#engine/decider/decision-questions.ts';
import { prepare } from '#engine/strategy/prepare.ts';
import { SharedColumns } from '#engine/strategy/shared-columns.ts';
import type { StrategyDefinition } from '#engine/strategy/definition.ts';
import type { SeriesBySymbol } from '#engine/strategy/feature-column.ts';
import { listModelDecisions } from '#records/deciders/model-decisions.ts';
import type { StrategyVersionId } from '#units/identifiers.ts';
import { type Instant, instant } from '#units/instant.ts';
import { type DecidingTools, makeDecision } from './decide.ts';

/** Also in the forms that probe the record. Throws where an answer of somebody else is still awaited. */
export async function recordHistory(
  tools: DecidingTools,
  {
    versionId,
    definition,
  }: { readonly versionId: StrategyVersionId; readonly definition: StrategyDefinition },
  {
    series,
    from,
    through,
  }: { readonly series: SeriesBySymbol; readonly from: Instant; readonly through: Instant },
): Promise<void> {
  const rule = deciderOf(definition);
  if (rule === null) return;
  const closes = decisionCloses(definition, series, from - 1).filter((at) => at <= through);
  const prepared = prepare(definition, new SharedColumns(series));
  for (const form of QUESTION_FORMS) {
    const questionAt = questionsOf({ prepared, rule }, form);
    const known = new Set(
      (await listModelDecisions(tools.database, versionId, { form })).map(({ asOf }) => asOf),
    );
    const missing = closes.filter((at) => !known.has(at));
    for (let first = 0; first < missing.length; first += AT_ONCE) {
      const made = await Promise.all(
        missing.slice(first, first + AT_ONCE).map((at) => {
          const question = questionAt(instant(at));
          if (question === null) throw new Error('nothing is asked at this close');
          return makeDecision(tools, { versionId, form, rule, direction: definition.direction, question });
        }),
      );
      if (made.includes('open'))
        throw new Error('the model is being asked by another process: start again in a minute');
    }
  }
}

const AT_ONCE = 4;
