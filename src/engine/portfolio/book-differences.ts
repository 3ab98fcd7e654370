// The figures of a deployment that are kept beside its executions, compared with what the executions make of them.
import type { Symbol } from '#units/identifiers.ts';
import type { Portfolio } from './portfolio.ts';

export const BOOK_FIGURES = ['cash', 'realized', 'quantity', 'cost'] as const;

/** Money in micro-dollars, `cost` in micro-units of the quote currency, `quantity` in units' smallest step; null is none. */
export type BookDifference = {
  readonly figure: (typeof BOOK_FIGURES)[number];
  /** Of `quantity` and `cost`. */
  readonly symbol: Symbol | null;
  readonly stored: number | null;
  readonly replayed: number | null;
};

/** Empty when both are the same to the last unit. */
export function bookDifferences(stored: Portfolio, replayed: Portfolio): BookDifference[] {
  const of = (symbol: Symbol) => {
    const [one, other] = [stored.positions.get(symbol), replayed.positions.get(symbol)];
    return [
      { figure: 'quantity', symbol, stored: one?.quantity ?? null, replayed: other?.quantity ?? null },
      { figure: 'cost', symbol, stored: one?.cost ?? null, replayed: other?.cost ?? null },
    ] as const;
  };
  const symbols = new Set([...stored.positions.keys(), ...replayed.positions.keys()]);
  const all: readonly BookDifference[] = [
    { figure: 'cash', symbol: null, stored: stored.cash, replayed: replayed.cash },
    { figure: 'realized', symbol: null, stored: stored.realized, replayed: replayed.realized },
    ...[...symbols].toSorted().flatMap(of),
  ];
  return all.filter((one) => one.stored !== one.replayed);
}
