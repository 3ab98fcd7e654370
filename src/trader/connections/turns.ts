// Turns of connections at work: a few at once over all callers, in the order in which they asked. One that still waits for its turn gets no
// second one, however many ticks ask for it.
import type { BrokerConnectionId } from '#units/identifiers.ts';

export type Turns = {
  /** Works for all of them. Stops waiting, not working, when patience ends. */
  take<One extends { readonly id: BrokerConnectionId }>(
    ones: readonly One[],
    patienceMs: number,
    work: (one: One) => Promise<void>,
  ): Promise<void>;
  /** Whether any waits for its turn. */
  areAwaited(): boolean;
  awaits(id: BrokerConnectionId): boolean;
  /** Those that wait get no turn any more: another trader works for them. */
  drop(isMeant: (id: BrokerConnectionId) => boolean): void;
};

type Waiting = { readonly begin: () => void; readonly end: () => void; readonly done: Promise<void> };

/** `atOnce`: how many work at the same time, as it is now. */
export function createTurns(atOnce: () => number): Turns {
  const waiting = new Map<BrokerConnectionId, Waiting>();
  let running = 0;
  const beginNext = () => {
    for (const [id, { begin }] of waiting) {
      if (running >= atOnce()) return;
      waiting.delete(id);
      running += 1;
      begin();
    }
  };
  const queue = (id: BrokerConnectionId, work: () => Promise<void>): Promise<void> => {
    const known = waiting.get(id);
    if (known !== undefined) return known.done;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const begin = () =>
      void work()
        .then(resolve, reject)
        .finally(() => {
          running -= 1;
          beginNext();
        });
    waiting.set(id, { begin, end: resolve, done: promise });
    return promise;
  };
  return {
    async take(ones, patienceMs, work) {
      const all = Promise.all(ones.map((one) => queue(one.id, () => work(one))));
      beginNext();
      await orEnough(all, patienceMs);
    },
    areAwaited: () => waiting.size > 0,
    awaits: (id) => waiting.has(id),
    drop(isMeant) {
      for (const [id, { end }] of waiting) {
        if (!isMeant(id)) continue;
        waiting.delete(id);
        end();
      }
    },
  };
}

async function orEnough(all: Promise<unknown>, patienceMs: number): Promise<void> {
  if (patienceMs === Number.POSITIVE_INFINITY) {
    await all;
    return;
  }
  let timer: NodeJS.Timeout | undefined;
  const enough = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, patienceMs);
  });
  await Promise.race([all, enough]).finally(() => clearTimeout(timer));
}
