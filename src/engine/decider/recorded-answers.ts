// The recorded decisions of a strategy version as columns over its bars: what the engine is given in place of a model. A decision
// that is not in the record, or found no answer, is NaN: a gap, which the rule's own fallback fills.
import type { Symbol } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';
import type { Micro } from '#units/money.ts';
import type { ScoreColumns } from '../model/score-columns.ts';
import type { StrategyDefinition } from '../strategy/definition.ts';
import { type SeriesBySymbol, seriesOf } from '../strategy/feature-column.ts';

export type RecordedDecisionOfModel = {
  readonly asOf: Instant;
  /** In fractions; null where there was no answer. Instruments that are not named were not in question. */
  readonly weights: { readonly [symbol: string]: number } | null;
  /** What all answers to it cost. */
  readonly cost: Micro;
};

export function answerColumns(
  { universe }: Pick<StrategyDefinition, 'universe'>,
  series: SeriesBySymbol,
  decisions: readonly RecordedDecisionOfModel[],
): ScoreColumns {
  return new Map(
    universe.map((symbol): [Symbol, Float64Array] => {
      const { closedAt, length } = seriesOf(series, symbol);
      const column = new Float64Array(length).fill(Number.NaN);
      const bars = new Map(Array.from(closedAt, (at, bar) => [at, bar]));
      for (const { asOf, weights } of decisions) {
        const bar = bars.get(asOf);
        if (bar !== undefined && weights !== null && symbol in weights) column[bar] = weights[symbol]!;
      }
      return [symbol, column];
    }),
  );
}

/** What asking cost and when, oldest first: the published result pays it. */
export type TokenCosts = readonly { readonly at: Instant; readonly cost: Micro }[];

export function tokenCosts(decisions: readonly RecordedDecisionOfModel[]): TokenCosts {
  return decisions.filter(({ cost }) => cost > 0).map(({ asOf, cost }) => ({ at: asOf, cost }));
}
