// A rule whose decisions come from outside the engine: a language model that proposes weights, or a time-series model that
// forecasts returns. The engine asks nobody. It is given what was answered and recorded, close by close, and sizes, limits and stops
// stay its own. The answers of another model are none: a changed model is a changed definition, and so another version.
import type { IsoDate } from '#units/instant.ts';
import { addDays, type Instant, instantOfDate } from '#units/instant.ts';

export type DeciderRule = {
  readonly type: 'decider';
  readonly asks: 'language_model' | 'time_series';
  /** Its ID and version, as the service knows it. */
  readonly model: string;
  /** The last day that the model may have learned from. */
  readonly knowledgeUntil: IsoDate;
  /** What it is asked to do, in words; the data follows by itself. */
  readonly instructions: string;
  /** How many closes a time-series model is shown; absent of a language model, which is shown the newest one. */
  readonly closes?: number;
  /** Answers for each decision; the decision is their mean. */
  readonly samples: number;
  readonly outputTokensMax: number;
  /** Seconds from the first question of a decision on, after which it is made with the answers that have come. */
  readonly withinSeconds: number;
  /** Most that its answers may cost in a calendar month. */
  readonly dollarsPerMonth: number;
  /** What happens at a close without an answer: nothing, or everything is sold. */
  readonly withoutAnswer: 'hold' | 'flat';
};

type Decided = { readonly rule: { readonly type: string } };

/** Null where no model decides. */
export function deciderOf<Definition extends Decided>({ rule }: Definition): DeciderRule | null {
  return rule.type === 'decider' ? (rule as unknown as DeciderRule) : null;
}

/**
 * The end of the last day that the model may know: what its strategy earned by then is no evidence. Minus infinity where no model
 * decides.
 */
export function knownThrough(definition: Decided): number {
  const decider = deciderOf(definition);
  if (decider === null) return Number.NEGATIVE_INFINITY;
  return instantOfDate(addDays(decider.knowledgeUntil, 1)) satisfies Instant;
}
