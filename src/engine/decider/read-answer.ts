// What an answer proposes, as whole hundredths of a percent for each instrument. Whatever the model was talked into, nothing but
// weights of the instruments in question comes out of here, and none beyond the whole.
import type { Symbol } from '#units/identifiers.ts';
import type { DeciderRule } from './decider-rule.ts';

export type AnsweredQuestion = {
  readonly rule: Pick<DeciderRule, 'asks'>;
  readonly direction: 'long' | 'long_short';
  /** In the order of the universe, with the name that each had in the question. */
  readonly instruments: readonly { readonly symbol: Symbol; readonly name: string }[];
};

/** By the instruments in question, in their order: parts of 10,000. */
export type Proposed = readonly number[];

/** A text says why it is no answer. */
export function readAnswer(
  { rule, direction, instruments }: AnsweredQuestion,
  object: unknown,
): Proposed | string {
  const list = listOf(object, rule.asks === 'time_series' ? 'forecasts' : 'weights');
  if (list === null) return 'not in the form';
  const said = new Map<string, number>();
  for (const one of list) {
    const { instrument, percent } = (one ?? {}) as { instrument?: unknown; percent?: unknown };
    if (typeof instrument !== 'string' || !instruments.some(({ name }) => name === instrument))
      return 'an instrument that was not in question';
    if (said.has(instrument)) return 'an instrument twice';
    if (typeof percent !== 'number' || !Number.isFinite(percent)) return 'no number';
    said.set(instrument, percent);
  }
  if (rule.asks === 'time_series') return fromForecasts(said, instruments, direction);
  const parts: number[] = [];
  for (const { name } of instruments) {
    const percent = said.get(name) ?? 0;
    if (percent < (direction === 'long' ? 0 : -WHOLE_PERCENT) || percent > WHOLE_PERCENT)
      return 'a weight outside the range';
    parts.push(Math.round(percent * PARTS_OF_PERCENT));
  }
  return withinWhole(parts);
}

/** Equal parts of those that are expected to rise, and short of those expected to fall where that is allowed. */
function fromForecasts(
  said: ReadonlyMap<string, number>,
  instruments: AnsweredQuestion['instruments'],
  direction: AnsweredQuestion['direction'],
): Proposed | string {
  if (said.size < instruments.length) return 'an instrument without a forecast';
  const part = Math.floor(WHOLE / instruments.length);
  return instruments.map(({ name }) => {
    const percent = said.get(name)!;
    return percent > 0 ? part : percent < 0 && direction === 'long_short' ? -part : 0;
  });
}

/** More than the whole is made smaller in proportion: nothing is borrowed because a model adds up wrongly. */
function withinWhole(parts: readonly number[]): Proposed {
  const sum = parts.reduce((total, part) => total + Math.abs(part), 0);
  if (sum <= WHOLE) return parts;
  return parts.map((part) => Math.trunc((part * WHOLE) / sum));
}

/** The decision: the mean of what was proposed, in fractions. Null without any. */
export function decide(proposals: readonly Proposed[]): number[] | null {
  const [first] = proposals;
  if (first === undefined) return null;
  return first.map(
    (_, i) => proposals.reduce((sum, proposed) => sum + proposed[i]!, 0) / (proposals.length * WHOLE),
  );
}

/**
 * How much of the money two answers to one question put into the same places, on average over all pairs: 1 where all agree. Null
 * with fewer than two.
 */
export function agreement(proposals: readonly Proposed[]): number | null {
  if (proposals.length < 2) return null;
  let apart = 0;
  let pairs = 0;
  for (let i = 0; i < proposals.length; i++)
    for (let j = i + 1; j < proposals.length; j++) {
      apart += apartBy(proposals[i]!, proposals[j]!);
      pairs++;
    }
  return 1 - apart / pairs;
}

/** From 0 to 1: the part of the money that would have to move from one to the other. */
export function apartBy(one: readonly number[], other: readonly number[], whole = WHOLE): number {
  let moved = 0;
  let cash = 0;
  for (let i = 0; i < one.length; i++) {
    moved += Math.abs(one[i]! - other[i]!);
    cash += Math.abs(other[i]!) - Math.abs(one[i]!);
  }
  return Math.min(1, (moved + Math.abs(cash)) / (2 * whole));
}

function listOf(object: unknown, name: string): readonly unknown[] | null {
  if (typeof object !== 'object' || object === null || Object.keys(object).length !== 1) return null;
  const list = (object as { readonly [name: string]: unknown })[name];
  return Array.isArray(list) ? list : null;
}

const WHOLE = 10_000;
const WHOLE_PERCENT = 100;
const PARTS_OF_PERCENT = 100;
