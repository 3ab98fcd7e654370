// The part of a definition that adds options to shares.
import type { Symbol } from '#units/identifiers.ts';
import { OPTION_SETTLEMENTS } from '../../market/option-contract.ts';
import { OPTION_STRUCTURES, type OptionOverlay } from '../option-overlay.ts';
import { parseSymbol } from './parse-symbol.ts';
import type { Reader } from './reader.ts';

export function parseOptions(
  reader: Reader,
  value: unknown,
  { universe, direction }: { readonly universe: readonly Symbol[]; readonly direction: string },
): OptionOverlay | undefined {
  const names = ['structure', 'underlying', 'underlyings', 'strikePercent', 'settlement'];
  const given = reader.fields(value, 'options', names);
  if (given === null) return undefined;
  const structure = reader.oneOf(given['structure'], 'options.structure', OPTION_STRUCTURES);
  const underlyings = parseUnderlyings(reader, given);
  for (const symbol of underlyings) {
    if (!universe.includes(symbol)) reader.fail('options.underlyings', `${symbol} is not of the universe`);
  }
  if (structure !== 'protective_put' && direction !== 'long_short')
    reader.fail('direction', "must be 'long_short': this structure sells options");
  const strikePercent = reader.number(given['strikePercent'], 'options.strikePercent', { min: 70, max: 130 });
  const settlement =
    given['settlement'] === undefined
      ? undefined
      : reader.oneOf(given['settlement'], 'options.settlement', OPTION_SETTLEMENTS);
  return { structure, underlyings, strikePercent, ...(settlement && { settlement }) };
}

/** One `underlying`, or a list of `underlyings`. */
function parseUnderlyings(reader: Reader, given: Fields): readonly Symbol[] {
  if (given['underlying'] !== undefined) {
    if (given['underlyings'] !== undefined) reader.fail('options', "give 'underlying' or 'underlyings'");
    return [parseSymbol(reader, given['underlying'], 'options.underlying')];
  }
  const listed = reader.list(given['underlyings'], 'options.underlyings', { min: 1, max: UNDERLYINGS_MAX });
  const symbols = listed.map((one, i) => parseSymbol(reader, one, `options.underlyings[${i}]`));
  if (new Set(symbols).size < symbols.length)
    reader.fail('options.underlyings', 'names a symbol more than once');
  return symbols;
}

type Fields = { readonly [name: string]: unknown };

const UNDERLYINGS_MAX = 20;
