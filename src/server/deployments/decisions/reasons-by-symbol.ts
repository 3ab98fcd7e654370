// The recorded reasons of a strategy's evaluation as sentences, by the instrument that they are about.
import { signalSymbol } from '#engine/market/derivatives/signal-symbol.ts';
import type { StrategyDefinition } from '#engine/strategy/definition.ts';
import { parseDefinition } from '#engine/strategy/parsing/parse-definition.ts';
import type { EvaluationReceipt, InstrumentReceipt } from '#engine/strategy/evaluate.ts';
import { targetReason } from '#rules/reasons/target-reason.ts';
import type { Symbol } from '#units/identifiers.ts';
import { type Instant, parseInstant } from '#units/instant.ts';

export type RecordedEvaluation = {
  readonly definition: unknown;
  readonly asOf: Date;
  readonly receipt: Pick<EvaluationReceipt, 'instruments'>;
};

const parsed = new WeakMap<object, StrategyDefinition>();

/** With what its text leaves to defaults. */
export function storedDefinition(definition: unknown): StrategyDefinition {
  const known = parsed.get(definition as object);
  if (known !== undefined) return known;
  const read = parseDefinition(definition);
  if (!read.ok) throw new Error(`a stored definition does not parse: ${JSON.stringify(read.errors[0])}`);
  parsed.set(definition as object, read.definition);
  return read.definition;
}

export type ReasonText = { readonly code: string; readonly text: string };

/** Of the symbol itself or, for a contract, of what it is on; undefined for what the strategy does not read. */
export function evaluationOf({ receipt }: RecordedEvaluation, symbol: Symbol): InstrumentReceipt | undefined {
  const read = signalSymbol(symbol);
  return receipt.instruments.find((one) => one.symbol === symbol || one.symbol === read);
}

export function reasonTexts(evaluation: RecordedEvaluation, symbol: Symbol): readonly ReasonText[] {
  const asOf: Instant = parseInstant(evaluation.asOf);
  const definition = storedDefinition(evaluation.definition);
  const reasons = evaluationOf(evaluation, symbol)?.reasons ?? [];
  return reasons.map((reason) => ({ code: reason.code, text: targetReason(reason, definition, asOf) }));
}
