// Whose money goes into a strategy that has room for some of it. Promises that what is in it never passes its capacity by new
// money, that nobody is overtaken, and the same answer to the same facts.
import { add, type Micro } from '#units/money.ts';

export type Waiting = {
  /** The order of signing. */
  readonly place: number;
  readonly amount: Micro;
};

export type Room = {
  /** What it takes in all; null where nothing limits it. */
  readonly capacity: Micro | null;
  /** What is in it, or has been let in. */
  readonly inUse: Micro;
};

export type Admitted<One> = { readonly one: One; readonly inUseBefore: Micro };

/** In order of place, each whole. Who asks for more than there is room for in all is passed over, and keeps the place. */
export function admit<One extends Waiting>(waiting: readonly One[], room: Room): readonly Admitted<One>[] {
  const { capacity } = room;
  const admitted: Admitted<One>[] = [];
  let { inUse } = room;
  for (const one of waiting.toSorted((left, right) => left.place - right.place)) {
    if (capacity !== null && isTooMuch(one, capacity)) continue;
    const after = add(inUse, one.amount);
    if (capacity !== null && after > capacity) break;
    admitted.push({ one, inUseBefore: inUse });
    inUse = after;
  }
  return admitted;
}

export function isTooMuch({ amount }: Pick<Waiting, 'amount'>, capacity: Micro): boolean {
  return amount > capacity;
}
