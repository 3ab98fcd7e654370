// Why a strategy wants what it wants of one instrument, as codes with their values. `rules/reasons/target-reason.ts` has
// the sentences.
import type { Symbol } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';
import type { Comparison, Operand, SignalRule } from '../definition.ts';

/** One comparison of a condition, with the numbers that it saw; null where one is not defined yet. */
export type ConditionTest = {
  readonly op: Comparison;
  readonly left: Operand;
  readonly right: Operand;
  readonly leftValue: number | null;
  readonly rightValue: number | null;
  /** A cross looks at the bar before too. */
  readonly before?: { readonly left: number | null; readonly right: number | null };
  /** As the condition needs it: turned round under a `not`. Null where a number is missing. */
  readonly holds: boolean | null;
  readonly negated?: true;
};

export type SignalName = Exclude<keyof SignalRule, 'type'>;

/** `at` is the close that the values are of. */
export type TargetReason = { readonly at: Instant } & (
  | {
      readonly code: 'signal';
      readonly signal: SignalName;
      /** False where the condition is awaited. */
      readonly holds: boolean;
      readonly tests: readonly ConditionTest[];
    }
  /** An exit of the definition: percent for stop and target, bars for the longest time. */
  | {
      readonly code: 'exit';
      readonly exit: 'stop' | 'target' | 'max_bars';
      readonly limit: number;
      readonly value: number;
    }
  | {
      readonly code: 'ranked';
      readonly by: string;
      readonly value: number;
      /** From 1, the highest first. */
      readonly place: number;
      readonly of: number;
      readonly top: number;
      readonly bottom: number;
    }
  | {
      readonly code: 'not_eligible';
      readonly cause: 'undefined' | 'stale' | 'basket' | 'condition';
      readonly tests: readonly ConditionTest[];
    }
  | {
      readonly code: 'spread';
      readonly first: Symbol;
      readonly second: Symbol;
      /** In standard deviations; negative when the first is cheap against the second. */
      readonly value: number;
      readonly enterAt: number;
      readonly exitAt: number;
      readonly stopAt: number | null;
    }
  /** What the recorded answers propose, as a share before `gross`; null where there was no answer, and the fallback held. */
  | {
      readonly code: 'proposed';
      readonly model: string;
      readonly share: number | null;
      readonly withoutAnswer: 'hold' | 'flat';
    }
  | { readonly code: 'warming_up' }
  /** Whether the condition of the regime holds; null where it is not known. The rule stands aside unless it does. */
  | {
      readonly code: 'regime';
      readonly symbol: Symbol;
      readonly holds: boolean | null;
      readonly otherwise: 'cash' | 'rule';
      readonly tests: readonly ConditionTest[];
    }
  /** Its turnover and place among the others; both null where it has none. */
  | {
      readonly code: 'basket';
      readonly turnover: number | null;
      readonly place: number | null;
      readonly most: number;
    }
  /** Its share follows from a feature. */
  | {
      readonly code: 'conviction';
      readonly by: string;
      readonly value: number;
      readonly maxPercent: number | null;
    }
  /** Its weight was to move by less than the band: shares of 1. */
  | { readonly code: 'band'; readonly percent: number; readonly wanted: number; readonly held: number }
  /** Its share follows from how much it moves. */
  | { readonly code: 'volatility'; readonly length: number; readonly percent: number }
);
