// What the grammar understood, phrase by phrase, also where that is no whole definition yet: what a proposal is held against.
import type { Role } from './comparisons.ts';
import type { Slots } from './phrase.ts';
import type { Said } from './said.ts';
import type { Test } from './terms.ts';
import type { Span } from './token.ts';

export type Heard = { readonly spans: readonly Span[] } & (
  | { readonly what: 'slot'; readonly slot: keyof Slots; readonly value: Slots[keyof Slots] }
  | { readonly what: 'instruments'; readonly symbols: readonly string[]; readonly isNot: boolean }
  | { readonly what: 'kind'; readonly kind: string; readonly isNot: boolean }
  | { readonly what: 'test'; readonly role: Role; readonly test: Test }
  | { readonly what: 'count' | 'lookback'; readonly value: number }
);

export function heardOf(said: Said): readonly Heard[] {
  const { rank } = said;
  return [
    ...said.slots().map(({ slot, value, span }) => ({ what: 'slot' as const, slot, value, spans: [span] })),
    ...said.instruments.map(({ symbols, isNot, span }) => ({
      what: 'instruments' as const,
      symbols,
      isNot,
      spans: [span],
    })),
    ...said.kinds.map(({ kind, isNot, span }) => ({ what: 'kind' as const, kind, isNot, spans: [span] })),
    ...said.tests.flatMap(({ role, tests }) =>
      tests.map((test) => ({ what: 'test' as const, role, test, spans: test.spans })),
    ),
    ...(rank?.count === undefined
      ? []
      : [{ what: 'count' as const, value: rank.count.value, spans: [rank.count.span] }]),
    ...(rank?.lookback === undefined
      ? []
      : [{ what: 'lookback' as const, value: rank.lookback.value, spans: [rank.lookback.span] }]),
  ];
}
