import {
  type BuilderInput,
  type RuleKind,
  usualStructure,
  usualStyle,
} from '#rules/strategy-builder/builder-input.ts';
import { chooseUniverse, type Tradable } from './choose-universe.ts';
import { nameOf, notesOf } from './name-strategy.ts';
import { type BuiltType, optionsTemplate, sellsShort, STYLE_TEMPLATES } from './templates.ts';

export type Compiled =
  /** As JSON: validated by the same parser as every definition. */
  | { readonly ok: true; readonly definition: Record<string, unknown>; readonly strategyType: BuiltType }
  | { readonly ok: false; readonly message: string };

/** Builds a definition from the request, with instruments that have prices; of the usual kind unless one is named. Pure. */
export function compileDefinition(
  input: BuilderInput,
  instruments: readonly Tradable[],
  { style = usualStyle(input), structure = usualStructure(input) }: RuleKind = {},
): Compiled {
  const universe = chooseUniverse(input, instruments);
  if (universe === null) {
    return { ok: false, message: 'We have no prices for these instruments. Choose another asset class.' };
  }
  const isOptions = input.assetClass === 'options';
  const { strategyType, every, ...template } = isOptions
    ? optionsTemplate(structure, universe)
    : STYLE_TEMPLATES[style](input, universe);
  return {
    ok: true,
    strategyType,
    definition: {
      language: 'bellwether-strategy/1',
      name: nameOf(input, style),
      notes: notesOf(input, style),
      universe: universe.symbols,
      benchmark: universe.benchmark,
      schedule: { every },
      direction: isOptions || sellsShort(input) ? 'long_short' : 'long',
      periodsPerYear: input.assetClass === 'crypto' ? 365 : 252,
      ...template,
    },
  };
}
