// The sentence that says, while the controls move, what would be built.
import { dollars } from '../dollars.ts';
import { toMicro } from '#units/money.ts';
import {
  ASSET_WORDS,
  type BuilderInput,
  type OptionStructure,
  type RuleKind,
  STYLE_WORDS,
  usualStructure,
  usualStyle,
} from './builder-input.ts';

export const STRUCTURE_WORDS: Readonly<Record<OptionStructure, string>> = {
  covered_call: 'covered calls',
  protective_put: 'protective puts',
  cash_secured_put: 'cash-secured puts',
};

/** Of the usual rules of the wishes, or of others that were found for them. */
export function previewSentence(
  input: BuilderInput,
  { style = usualStyle(input), structure = usualStructure(input) }: RuleKind = {},
): string {
  const { assetClass, riskLevel, maxDrawdown, targetReturn, minimumInvestment } = input;
  const how = assetClass === 'options' ? STRUCTURE_WORDS[structure] : STYLE_WORDS[style];
  return (
    `A ${riskLevel}-risk strategy on ${ASSET_WORDS[assetClass]} by ${how}, aiming at ${targetReturn}% a year ` +
    `with a maximum drawdown of ${maxDrawdown}%, from ${dollars(toMicro(minimumInvestment))}.`
  );
}
