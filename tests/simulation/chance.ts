// The only source of randomness in a simulated world: the same seed always gives the same draws in the same order.
import { draws } from '#sandbox/market/price-models/random.ts';

export type Chance = {
  /** Uniform in (0, 1). */
  next(): number;
  /** A whole number from 0 to `count` − 1. */
  below(count: number): number;
  happens(probability: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
  /** A UUID of this chance's own. */
  uuid(): string;
};

/** `stream` keeps apart what must not shift when something else draws once more. */
export function chanceOf(seed: number, stream: number): Chance {
  const { uniform } = draws(seed, stream, 0);
  let drawn = 0;
  const next = () => uniform(drawn++);
  const below = (count: number) => Math.floor(next() * count);
  const hex = (digits: number) => Array.from({ length: digits }, () => below(16).toString(16)).join('');
  return {
    next,
    below,
    happens: (probability) => next() < probability,
    pick: (items) => items[below(items.length)]!,
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`,
  };
}
