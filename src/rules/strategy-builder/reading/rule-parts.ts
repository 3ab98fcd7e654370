// Small parts of writing a rule: what is the same, what can never hold, and the ends to choose from.
import type { Condition, Feature } from '#engine/strategy/definition.ts';
import type { Test } from './terms.ts';
import type { Span } from './token.ts';

export type Group = { readonly tests: readonly Test[]; readonly any: boolean; readonly join: 'and' | 'or' };

/** The same said twice is said once. */
export function withoutTwins(groups: readonly Group[]): readonly Group[] {
  return groups.filter((group, place) => {
    const before = groups
      .slice(0, place)
      .filter(({ any }) => !any)
      .flatMap(({ tests }) => tests);
    return group.any || !group.tests.every((test) => before.some((one) => isSame(one, test)));
  });
}

export function joined(op: 'all' | 'any', of: readonly Condition[]): Condition {
  return of.length === 1 ? of[0]! : { op, of };
}

/** Above a number and below a smaller one at once. */
export function impossible(groups: readonly Group[]): readonly Span[] | null {
  const tests = groups.filter(({ any, join }) => !any && join === 'and').flatMap(({ tests: all }) => all);
  for (const low of tests.filter(({ op }) => op === 'below' || op === 'at_most' || op === 'crosses_below')) {
    const high = tests.find(
      ({ op, left, right }) =>
        (op === 'above' || op === 'at_least' || op === 'crosses_above') &&
        JSON.stringify(left) === JSON.stringify(low.left) &&
        (JSON.stringify(right) === JSON.stringify(low.right) ||
          (typeof right === 'number' && typeof low.right === 'number' && right >= low.right)),
    );
    if (high !== undefined) return [...low.spans, ...high.spans];
  }
  return null;
}

export function isSame(one: Test, other: Test): boolean {
  return (
    one.op === other.op && JSON.stringify([one.left, one.right]) === JSON.stringify([other.left, other.right])
  );
}

export const FEATURE_NAMES: Partial<Record<Feature['indicator'], string>> = {
  sma: 'average',
  ema: 'average',
  wma: 'average',
  roc: 'change',
  zscore: 'stretch',
  donchian: 'range',
  bollinger: 'band',
};

export function endChoices({ left }: Test, enter: 'enterLong' | 'enterShort') {
  const verb = enter === 'enterLong' ? 'Sell' : 'Cover';
  const bound = enter === 'enterLong' ? 'above' : 'below';
  const isRsi = typeof left === 'object' && left.indicator === 'rsi';
  return [
    ...(isRsi
      ? [{ label: `When RSI is ${bound} 50`, says: `${verb} when RSI(${left.length}) is ${bound} 50.` }]
      : []),
    { label: 'After 10 days', says: `${verb} after 10 days.` },
    {
      label: enter === 'enterLong' ? 'At a 20-day low' : 'At a 20-day high',
      says: `${verb} at a 20-day ${enter === 'enterLong' ? 'low' : 'high'}.`,
    },
    { label: 'At a gain of 10%, with a stop loss of 10%', says: 'Take profit 10%, stop loss 10%.' },
  ];
}
