// Options in words: covered calls 5% above the price, puts 10% below it, puts that are sold.
import type { OptionStructure } from '../builder-input.ts';
import { fill, isPercent, type PhraseReader } from './phrase.ts';
import type { Token } from './token.ts';

/** "covered calls 5% above the price", "puts 10% below the market", "calls 3% out of the money". */
export const options: PhraseReader = (tokens, at) => {
  const token = tokens[at];
  const share = isPercent(token) ? optionNoun(tokens, at + 1) : null;
  if (share !== null)
    return fill(share.next, {
      slot: 'options',
      value: { structure: share.structure, strikePercent: strike(share.structure, token!.number!) },
    });
  const noun = optionNoun(tokens, at);
  if (noun === null) return null;
  return fill(noun.next, { slot: 'options', value: { structure: noun.structure } });
};

/**
 * Puts that are sold are secured by cash; puts that are bought protect what is held; calls that are bought are neither. By themselves
 * they are bets that are not here: "NVDA calls" rise with it, "SPY puts" with its fall.
 */
function soldOrBought(tokens: readonly Token[], at: number): OptionStructure | null {
  const token = tokens[at]!;
  const structure = token.value as OptionStructure;
  if (/covered|write|writ|secured|protective|insurance|hedging|sell/i.test(token.text)) return structure;
  const clause = tokens.slice(0, at).toReversed();
  const ends = clause.findIndex(({ category }) => category === 'comma' || category === 'end');
  const before = ends < 0 ? clause : clause.slice(0, ends);
  const action = before.find(({ category }) => category === 'action');
  const isSold = action?.value === 'sell' || action?.value === 'short';
  if (structure === 'protective_put') {
    if (isSold) return 'cash_secured_put';
    const isHeld = tokens.some(({ value }) => value === 'protect' || value === 'hold');
    return isHeld || action?.value === 'cover' ? structure : null;
  }
  return isSold || action?.value === 'hold' || action?.value === 'cover' ? structure : null;
}

function optionNoun(
  tokens: readonly Token[],
  at: number,
): { readonly structure: OptionStructure; readonly next: number } | null {
  const from = tokens[at]?.value === 'otm' ? at + 1 : at;
  const token = tokens[from];
  const structure = token?.category === 'option' ? soldOrBought(tokens, from) : null;
  return structure === null ? null : { structure, next: from + 1 };
}

/** A strike by itself, where options were named. */
export const strikes: PhraseReader = (tokens, at, { isOptions }) => {
  const token = tokens[at];
  if (!isOptions || !isPercent(token)) return null;
  const side = tokens[at + 1];
  if (side?.value === 'otm')
    return fill(at + 2, {
      slot: 'options',
      value: { structure: 'covered_call', strikePercent: token.number! },
    });
  const spot = side?.category === 'period' ? tokens[at + 2] : undefined;
  if (spot?.category === 'price')
    return fill(at + 3, {
      slot: 'options',
      value: { structure: 'covered_call', strikePercent: token.number! },
    });
  if (side?.category !== 'compare') return null;
  let next = at + 2;
  const noun = tokens[next];
  if (noun?.category === 'price' || (noun?.category === 'instrument' && /market/i.test(noun.text))) next++;
  const value = side.value === 'above' ? 100 + token.number! : 100 - token.number!;
  return fill(next, {
    slot: 'options',
    value: { structure: side.value === 'above' ? 'covered_call' : 'protective_put', strikePercent: value },
  });
};

export function strike(structure: OptionStructure, percentOut: number): number {
  return structure === 'covered_call' ? 100 + percentOut : 100 - percentOut;
}
