// What a model answered, read from a file: { asOf: '2026-03-02T21:00:00Z', weights: { SPY: 0.6 }, cost: 0.0021 } for each close. Weights are
// parts of the whole, 0 for what is not named, null where there was no answer; the cost is in dollars.
import { decisionCloses } from '#engine/decider/decision-questions.ts';
import type { RecordedDecisionOfModel } from '#engine/decider/recorded-answers.ts';
import type { StrategyDefinition } from '#engine/strategy/definition.ts';
import type { SeriesBySymbol } from '#engine/strategy/feature-column.ts';
import { type DefinitionError, join, Reader } from '#engine/strategy/parsing/reader.ts';
import { type Instant, isoText, parseInstant } from '#units/instant.ts';
import { toMicro } from '#units/money.ts';

type ParsedAnswers =
  | { readonly ok: true; readonly decisions: readonly RecordedDecisionOfModel[] }
  | { readonly ok: false; readonly errors: readonly DefinitionError[] };

/** Oldest first. An answer to a close at which the model is not asked would decide nothing, and is an error. */
export function parseRecordedAnswers(
  value: unknown,
  definition: StrategyDefinition,
  series: SeriesBySymbol,
): ParsedAnswers {
  const reader = new Reader();
  const { universe, direction } = definition;
  const asked = decisionCloses(definition, series);
  const closes = new Set(asked);
  const seen = new Set<Instant>();
  const decisions = reader.list(value, '', { min: 1, max: 1e6 }).map((one, place) => {
    const path = join('', place);
    const given = reader.fields(one, path, ['asOf', 'weights', 'cost']) ?? {};
    const asOf = readClose(reader, given['asOf'], join(path, 'asOf'));
    if (asOf !== null && !closes.has(asOf)) {
      const next = asked.find((close) => close > asOf);
      const hint = next === undefined ? '' : `; the next is ${isoText(next)}`;
      reader.fail(join(path, 'asOf'), `is no close at which the model is asked${hint}`);
    }
    if (asOf !== null && seen.has(asOf)) reader.fail(join(path, 'asOf'), 'is answered twice');
    if (asOf !== null) seen.add(asOf);
    const weights = readWeights(reader, given['weights'], {
      path: join(path, 'weights'),
      universe,
      direction,
    });
    const cost = reader.number(given['cost'] ?? 0, join(path, 'cost'), { min: 0, max: 1e6 });
    return { asOf: asOf ?? (0 as Instant), weights, cost: toMicro(cost) };
  });
  if (reader.errors.length > 0) return { ok: false, errors: reader.errors };
  return { ok: true, decisions: decisions.toSorted((a, b) => a.asOf - b.asOf) };
}

function readClose(reader: Reader, value: unknown, path: string): Instant | null {
  const text = reader.text(value, path, { min: 1, max: 40 });
  if (text === '') return null;
  if (!Number.isNaN(Date.parse(text))) return parseInstant(text);
  reader.fail(path, 'must be a moment such as 2026-03-02T21:00:00Z');
  return null;
}

function readWeights(
  reader: Reader,
  value: unknown,
  {
    path,
    universe,
    direction,
  }: Pick<StrategyDefinition, 'universe' | 'direction'> & { readonly path: string },
): { readonly [symbol: string]: number } | null {
  if (value === null) return null;
  const given = reader.fields(value, path, universe) ?? {};
  const min = direction === 'long' ? 0 : -1;
  const weights = universe.map(
    (symbol) => [symbol, reader.number(given[symbol] ?? 0, join(path, symbol), { min, max: 1 })] as const,
  );
  const whole = weights.reduce((sum, [, weight]) => sum + Math.abs(weight), 0);
  if (whole > 1 + 1e-9) reader.fail(path, `add up to ${whole.toFixed(4)}: nothing is borrowed`);
  return Object.fromEntries(weights);
}
