// Why a strategy wants what it wants of an instrument, as its owner reads it: one sentence for each reason code.
import type { ConditionTest, SignalName, TargetReason } from '#engine/strategy/reasons/target-reason.ts';
import type { Operand } from '#engine/strategy/definition.ts';
import { unitOf } from '#engine/strategy/parsing/units.ts';
import { longDate } from '../long-date.ts';
import { featureWords, type NamedColumns, operandWords } from '../strategies/feature-words.ts';
import { utcDate, type Instant } from '#units/instant.ts';

/** `asOf`: the close of the decision; a reason from an earlier one says of which day it is. */
export function targetReason(reason: TargetReason, columns: NamedColumns, asOf: Instant): string {
  const text = sentence(reason, columns);
  return reason.at === asOf
    ? text
    : `${text.replace(/\.$/, '')}, on ${longDate(utcDate((reason.at - 1) as Instant))}.`;
}

function sentence(reason: TargetReason, columns: NamedColumns): string {
  switch (reason.code) {
    case 'signal':
      return signalSentence(reason, columns);
    case 'exit':
      return exitSentence(reason);
    case 'ranked': {
      const { by, value, place, of, top, bottom } = reason;
      const measure = bare(operandWords(by, columns));
      const shorts = bottom > 0 ? ` and the lowest ${bottom} sold short` : '';
      return `Ranked ${place} of ${of} by ${measure} (${figure(value, by, columns)}): the highest ${top} are held${shorts}.`;
    }
    case 'not_eligible':
      if (reason.cause === 'undefined') return 'Not enough history to rank it.';
      if (reason.cause === 'basket') return 'Not ranked: it is not among the most traded.';
      if (reason.cause === 'stale') return 'Not ranked: it has had no price for ten days.';
      return `Not ranked: ${testsText(unmet(reason.tests), columns)}.`;
    case 'spread': {
      const { first, second, value, enterAt, exitAt, stopAt } = reason;
      const side = value < 0 ? 'cheap' : 'dear';
      const stop = stopAt === null ? '' : `, given up beyond ${stopAt}`;
      return `${first} is ${Math.abs(value).toFixed(2)} standard deviations ${side} against ${second}: entered beyond ${enterAt}, left within ${exitAt}${stop}.`;
    }
    case 'proposed':
      return proposedSentence(reason);
    case 'warming_up':
      return 'Not enough history yet.';
    case 'volatility':
      return `Sized by its volatility: ${reason.percent.toFixed(1)}% a year, measured over ${reason.length} days.`;
    case 'regime':
      return regimeSentence(reason, columns);
    case 'basket': {
      const { place, turnover, most } = reason;
      if (place === null || turnover === null) return 'Takes no part: nothing is known of its turnover.';
      return `Number ${place} by turnover (${figure(turnover, 0, columns)} a bar): the first ${most} take part.`;
    }
    case 'conviction': {
      const { by, value, maxPercent } = reason;
      const cap = maxPercent === null ? '' : `, at most ${maxPercent}% of the money`;
      return `Sized by its ${columnWords(by, columns)} (${figure(value, by, columns)})${cap}.`;
    }
    case 'band':
      return `Left as it is: ${share(reason.held)} of the money where ${share(reason.wanted)} is the target, less than ${reason.percent} points apart.`;
    default:
      return reason satisfies never;
  }
}

const share = (value: number) => `${(value * 100).toFixed(1)}%`;

function regimeSentence(
  { symbol, holds, otherwise, tests }: Extract<TargetReason, { code: 'regime' }>,
  columns: NamedColumns,
): string {
  if (holds === null) return `${symbol} cannot be judged yet, so nothing is held.`;
  const told = holds ? tests.filter((test) => test.holds === true) : unmet(tests);
  const then = holds
    ? 'so these rules count'
    : otherwise === 'cash'
      ? 'so nothing is held'
      : 'so the second set of rules counts';
  return `${symbol}: ${testsText(told, columns)}, ${then}.`;
}

type Signal = Extract<TargetReason, { code: 'signal' }>;

const MET: { readonly [Name in SignalName]: string } = {
  enterLong: 'Buys',
  exitLong: 'Sells',
  enterShort: 'Sells short',
  exitShort: 'Buys back',
};

const UNMET: { readonly [Name in SignalName]: string } = {
  enterLong: 'Not bought',
  exitLong: 'Kept',
  enterShort: 'Not sold short',
  exitShort: 'Kept short',
};

function signalSentence({ signal, holds, tests }: Signal, columns: NamedColumns): string {
  const met = tests.filter((test) => test.holds === true);
  const told = holds ? (met.length > 0 ? met : tests) : unmet(tests);
  return `${(holds ? MET : UNMET)[signal]}: ${testsText(told, columns)}.`;
}

function unmet(tests: readonly ConditionTest[]): readonly ConditionTest[] {
  const failing = tests.filter((test) => test.holds !== true);
  return failing.length > 0 ? failing : tests;
}

type Exit = Extract<TargetReason, { code: 'exit' }>;

function exitSentence({ exit, limit, value }: Exit): string {
  switch (exit) {
    case 'stop':
      return `Sells: lost ${value.toFixed(1)}% since its entry, past the strategy’s own stop of ${limit}%.`;
    case 'target':
      return `Sells: gained ${value.toFixed(1)}% since its entry, past the strategy’s target of ${limit}%.`;
    case 'max_bars':
      return `Sells: held for ${value} trading days, and ${limit} are the most.`;
  }
}

function proposedSentence({
  model,
  share,
  withoutAnswer,
}: Extract<TargetReason, { code: 'proposed' }>): string {
  if (share !== null) return `The model ${model} proposes ${(share * 100).toFixed(1)}% of the money.`;
  return withoutAnswer === 'flat'
    ? `The model ${model} gave no answer in time: sold, as the strategy says.`
    : `The model ${model} gave no answer in time: kept as it is, as the strategy says.`;
}

function testsText(tests: readonly ConditionTest[], columns: NamedColumns): string {
  return tests.map((test) => testText(test, columns)).join(' and ');
}

/** How the numbers stand, not how the rule is worded: above, below, crossed. */
function testText(test: ConditionTest, columns: NamedColumns): string {
  const { op, left, right, leftValue, rightValue } = test;
  const [one, other] = [valued(left, leftValue, columns), valued(right, rightValue, columns, left)];
  if (leftValue === null || rightValue === null) return `${one} cannot be compared with ${other} yet`;
  const holds = (test.holds === true) !== (test.negated === true);
  return `${one} ${holds ? HOLDS[op] : FAILS[op]} ${other}`;
}

const HOLDS: { readonly [Op in ConditionTest['op']]: string } = {
  above: 'is above',
  below: 'is below',
  at_least: 'is at least',
  at_most: 'is at most',
  crosses_above: 'crossed above',
  crosses_below: 'crossed below',
};

const FAILS: { readonly [Op in ConditionTest['op']]: string } = {
  above: 'is not above',
  below: 'is not below',
  at_least: 'is below',
  at_most: 'is above',
  crosses_above: 'did not cross above',
  crosses_below: 'did not cross below',
};

/** The operand with its number; a plain number is written in the unit of what it is compared with. */
function valued(operand: Operand, value: number | null, columns: NamedColumns, beside?: Operand): string {
  if (typeof operand === 'number') return figure(operand, beside ?? operand, columns);
  const words = operandWords(operand, columns);
  return value === null ? words : `${words} (${figure(value, operand, columns)})`;
}

/** Returns and volatilities in percent, all else with as many digits as tell it apart. */
export function figure(value: number, operand: Operand, { features, model }: NamedColumns): string {
  if (unitOf(operand, features) === 'fraction') return `${(value * 100).toFixed(1)}%`;
  if (operand === model?.output) return value.toFixed(4);
  const size = Math.abs(value);
  const decimals = size >= 1000 || Number.isInteger(value) ? 0 : size >= 10 ? 2 : size >= 1 ? 3 : 4;
  return value.toLocaleString('en-US', {
    maximumFractionDigits: decimals,
    minimumFractionDigits: size >= 10 && !Number.isInteger(value) ? decimals : 0,
  });
}

/** What a column measures, without an article. */
export function columnWords(name: string, columns: NamedColumns): string {
  const feature = columns.features[name];
  return feature ? featureWords(feature, columns.features) : bare(operandWords(name, columns));
}

function bare(words: string): string {
  return words.replace(/^the /, '');
}
