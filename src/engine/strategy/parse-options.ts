// The part of a definition that puts options beside shares.
import type { Symbol } from '#units/identifiers.ts';
import { OPTION_STRUCTURES, type OptionOverlay } from './option-overlay.ts';
import { parseSymbol } from './parse-symbol.ts';
import type { Reader } from './reader.ts';

export function parseOptions(
  reader: Reader,
  value: unknown,
  { universe, direction }: { readonly universe: readonly Symbol[]; readonly direction: string },
): OptionOverlay | undefined {
  const given = reader.fields(value, 'options', ['structure', 'underlying', 'strikePercent']);
  if (given === null) return undefined;
  const structure = reader.oneOf(given['structure'], 'options.structure', OPTION_STRUCTURES);
  const underlying = parseSymbol(reader, given['underlying'], 'options.underlying');
  if (!universe.includes(underlying)) reader.fail('options.underlying', 'must be of the universe');
  if (structure !== 'protective_put' && direction !== 'long_short')
    reader.fail('direction', "must be 'long_short': this structure sells options");
  const strikePercent = reader.number(given['strikePercent'], 'options.strikePercent', { min: 70, max: 130 });
  return { structure, underlying, strikePercent };
}
