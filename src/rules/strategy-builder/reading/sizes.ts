// How large positions are: fixed shares, equal ones, by volatility, and how much of the money in all.
import type { Rule, Weighting } from '#engine/strategy/definition.ts';
import { aimedVolatility } from '../strategy-size.ts';
import type { Said } from './said.ts';
import type { Universe } from './universe.ts';

/** Less than all where one position would be larger than its cap. */
export function grossOf(
  said: Said,
  rule: Rule,
  { count, isOptions }: { readonly count: number; readonly isOptions: boolean },
): number {
  const gross = said.get('gross') ?? (isOptions ? 0.95 : 1);
  const each = said.get('each');
  if (each !== undefined) {
    const held = rule.type === 'ranking' ? rule.top : count;
    if (each * held > 102)
      said.refuse(`${each}% for each of ${held} is more than the money: nothing is borrowed.`, [
        said.spanOf('each')!,
      ]);
    return each * held >= 98 ? 1 : Math.round(each * held * 100) / 10_000;
  }
  const cap = said.get('cap');
  if (cap === undefined) return gross;
  const isSteady = said.get('sizing') === undefined || said.get('sizing') === 'equal';
  const held =
    rule.type === 'ranking'
      ? rule.where === undefined
        ? rule.top
        : null
      : rule.type === 'signals'
        ? count
        : null;
  if (
    held === null ||
    !isSteady ||
    said.weights.length > 0 ||
    said.get('risk') !== undefined ||
    said.get('drawdown') !== undefined
  ) {
    said.ask({
      topic: 'words',
      spans: [said.spanOf('cap')!],
      sentence: 'A cap for each position is available where positions are of equal size.',
      choices: [{ label: 'Leave it out', says: '' }],
    });
    return gross;
  }
  return Math.min(gross, Math.round((cap / 100) * held * 10_000) / 10_000);
}

export function weightingOf(said: Said, { symbols }: Universe, rule: Rule): Weighting | null {
  const { type } = rule;
  const over = type === 'ranking' ? 'held' : 'universe';
  const sizing = said.get('sizing');
  if (said.ratio !== null && symbols.length === said.ratio.parts.length)
    return fixed(symbols.map((symbol, place) => [symbol, said.ratio!.parts[place]!]));
  if (said.ratio !== null) {
    said.ask({
      topic: 'words',
      spans: [said.ratio.span],
      sentence: 'Between which two instruments?',
      choices: [{ label: 'Leave it out', says: '' }],
    });
    return null;
  }
  if (said.weights.length > 0) return fixedOf(said, symbols);
  if (type === 'pairs') return { type: 'equal', over: 'universe' };
  if (sizing === 'conviction') return convictionOf(said, rule);
  if (sizing === 'inverse') return { type: 'inverse_volatility', length: 63 };
  const [risk, drawdown] = [said.get('risk'), said.get('drawdown')];
  const isLimited = (risk !== undefined || drawdown !== undefined) && said.get('options') === undefined;
  const aimed = isLimited
    ? aimedVolatility({ maxDrawdown: drawdown ?? 100, riskLevel: risk ?? 'high' })
    : null;
  const annualPercent = typeof sizing === 'number' ? sizing : sizing === undefined ? aimed : null;
  return annualPercent === null
    ? { type: 'equal', over }
    : { type: 'volatility_target', length: 63, annualPercent, over };
}

function convictionOf(said: Said, rule: Rule): Weighting | null {
  if (rule.type === 'ranking') return { type: 'conviction', by: rule.by };
  said.ask({
    topic: 'words',
    spans: [said.spanOf('sizing')!],
    sentence: 'What is strong is known where instruments are ranked, such as the top 5 by 6-month return.',
    choices: [
      { label: 'Equal positions', says: 'equal positions' },
      { label: 'Leave it out', says: '' },
    ],
  });
  return null;
}

function fixedOf(said: Said, symbols: readonly string[]): Weighting | null {
  const shares = said.weights.map(
    ({ symbols: named, percent }) => [named.find((one) => symbols.includes(one)) ?? '', percent] as const,
  );
  const sum = shares.reduce((total, [, percent]) => total + percent, 0);
  const spans = said.weights.flatMap((one) => one.spans);
  if (sum > 100.5) {
    said.refuse(`These add up to ${Math.round(sum)}%: nothing is borrowed.`, spans);
    return null;
  }
  if (shares.length < symbols.length) {
    said.ask({
      topic: 'words',
      spans,
      sentence: 'How much goes into each of the others?',
      choices: [{ label: 'Leave it out', says: '' }],
    });
    return null;
  }
  return fixed(shares);
}

function fixed(shares: readonly (readonly [string, number])[]): Weighting {
  return {
    type: 'fixed',
    weights: Object.fromEntries(
      shares.map(([symbol, percent]) => [symbol, Math.round(percent * 100) / 10_000]),
    ),
  };
}
