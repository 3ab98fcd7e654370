// The numbers in a description: how much, how long, how many, each only next to the word that says what it counts.
import { BUILDER_RANGES, LEAST_MINIMUM_INVESTMENT } from './builder-input.ts';

type NumberKind =
  | 'maxDrawdown'
  | 'targetReturn'
  | 'stopPercent'
  | 'minimumInvestment'
  | 'top'
  | 'length'
  | 'months';

type NumberFound = {
  readonly kind: NumberKind;
  readonly from: number;
  readonly to: number;
  /** Within the range of its control. */
  readonly value: number;
  readonly meaning: string;
};

type NumberWord = {
  readonly kind: NumberKind;
  readonly pattern: RegExp;
  readonly range: { readonly min: number; readonly max: number };
  readonly say: (value: string) => string;
};

const GAP = '[^.,;%$\\d]{0,30}?';
const PERCENT = '(\\d+(?:\\.\\d+)?)\\s*(?:%|percent)';
const words = (...patterns: readonly string[]) => new RegExp(patterns.join('|'), 'gi');

/** Those named first take their digits; a later word does not take them again. */
const NUMBERS: readonly NumberWord[] = [
  {
    kind: 'stopPercent',
    pattern: words(`\\bstop(?:[- ]loss)?\\b${GAP}${PERCENT}`, `${PERCENT}\\s*stop(?:[- ]loss)?\\b`),
    range: { min: 0.5, max: 50 },
    say: (value) => `Stop loss ${value}%`,
  },
  {
    kind: 'maxDrawdown',
    pattern: words(
      `\\b(?:drawdown|fall|lose|losing|loss)\\b${GAP}${PERCENT}`,
      `${PERCENT}\\s*(?:max(?:imum)?\\s+)?(?:drawdown|loss)\\b`,
    ),
    range: BUILDER_RANGES.maxDrawdown,
    say: (value) => `Max drawdown ${value}%`,
  },
  {
    kind: 'targetReturn',
    pattern: words(
      `\\b(?:returns?|target(?:ing|s)?|earn(?:ing|s)?|gains?|aim(?:ing|s)?|make|profit)\\b${GAP}${PERCENT}`,
      `${PERCENT}\\s*(?:an?nual(?:ly|ized)?|yearly|a year|per year|p\\.a\\.|returns?)`,
    ),
    range: BUILDER_RANGES.targetReturn,
    say: (value) => `Target return ${value}% a year`,
  },
  {
    kind: 'minimumInvestment',
    pattern: words(
      '\\b(?:minimum|min|at least|from|starting)\\b[^.;%\\d]{0,24}?\\$?\\s?(\\d[\\d,]*(?:\\.\\d+)?k?)\\b(?!\\s*(?:%|-?day|-?month))',
    ),
    range: { min: LEAST_MINIMUM_INVESTMENT, max: 1_000_000_000 },
    say: (value) => `Minimum investment $${value}`,
  },
  {
    kind: 'top',
    pattern: words('\\b(?:top|best|strongest)\\s+(\\d{1,2})\\b', '\\b(\\d{1,2})\\s+(?:best|strongest)\\b'),
    range: { min: 1, max: 20 },
    say: (value) => `Holds the top ${value}`,
  },
  {
    kind: 'months',
    pattern: words('\\b(\\d{1,2})[- ]?months?\\b'),
    range: { min: 1, max: 24 },
    say: (value) => `Looks back ${value} months`,
  },
  {
    kind: 'length',
    pattern: words('\\b(\\d{1,3})[- ]?(?:trading[- ])?(?:days?|bars?)\\b'),
    range: { min: 2, max: 400 },
    say: (value) => `Looks back ${value} days`,
  },
];

export function findNumbers(text: string): readonly NumberFound[] {
  const found: NumberFound[] = [];
  for (const word of NUMBERS) {
    for (const match of text.matchAll(word.pattern)) {
      const written = match.slice(1).find((group) => group !== undefined);
      const [from, to] = [match.index, match.index + match[0].length];
      if (written === undefined || found.some((one) => from < one.to && to > one.from)) continue;
      const value = numberOf(written);
      const kept = Math.min(word.range.max, Math.max(word.range.min, value));
      const meaning = word.say(grouped(kept));
      found.push({
        kind: word.kind,
        from,
        to,
        value: kept,
        meaning: kept === value ? meaning : `${meaning} (${grouped(value)} is outside the range)`,
      });
    }
  }
  return found;
}

function numberOf(written: string): number {
  const isThousands = /k$/i.test(written);
  const value = Number(written.replaceAll(',', '').replace(/k$/i, ''));
  return isThousands ? value * 1_000 : value;
}

function grouped(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ',');
}
