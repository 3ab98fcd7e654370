import type { BuilderInput, UsualStyle } from '#rules/strategy-builder/builder-input.ts';
import { previewSentence } from '#rules/strategy-builder/preview-sentence.ts';

const CLASS_NAMES = {
  equity: 'shares',
  forex: 'currencies',
  crypto: 'crypto',
  futures: 'futures',
  options: 'options',
} as const;

const STYLE_NAMES: Readonly<Record<UsualStyle, string>> = {
  trend_following: 'Trend',
  momentum: 'Momentum',
  mean_reversion: 'Mean reversion',
};

/** A first name that its writer can change. */
export function nameOf(input: BuilderInput, style: UsualStyle): string {
  const kind = input.assetClass === 'options' ? 'Income and cover' : STYLE_NAMES[style];
  return `${kind} in ${CLASS_NAMES[input.assetClass]}, ${input.riskLevel} risk`;
}

export function notesOf(input: BuilderInput, style: UsualStyle): string {
  const source =
    input.assetClass === 'options'
      ? 'R. Whaley, Return and Risk of CBOE Buy Write Monthly Index, Journal of Derivatives, 2002'
      : SOURCES[style];
  return `${previewSentence(input)} Built by template after ${source}.`;
}

const SOURCES: Readonly<Record<UsualStyle, string>> = {
  trend_following: 'W. Brock, J. Lakonishok and B. LeBaron, Journal of Finance, 1992',
  momentum: 'N. Jegadeesh and S. Titman, Journal of Finance, 1993',
  mean_reversion: 'J. Bollinger, Bollinger on Bollinger Bands, 2001',
};
