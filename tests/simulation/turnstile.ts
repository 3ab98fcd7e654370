// Lets what goes outside (a statement, a call to the broker) through one at a time, in the order in which it was
// asked for. Between two of them the program runs until it has nothing left to do, so that a world which is started
// twice from one seed does the same things in the same order.
import { setImmediate as idle } from 'node:timers/promises';

export type Turnstile = {
  pass<Value>(work: () => Promise<Value>): Promise<Value>;
};

export function createTurnstile(): Turnstile {
  let tail: Promise<unknown> = Promise.resolve();
  return {
    pass(work) {
      const turn = tail.then(idle).then(() => {
        const result = work();
        return { result, done: settled(result) };
      });
      tail = turn.then(({ done }) => done);
      return turn.then(({ result }) => result);
    },
  };
}

/** A statement that waits for a lock which only a later one lets go must not hold that one up. */
function settled(work: Promise<unknown>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, LOCK_WAIT_MS);
  const end = () => {
    clearTimeout(timer);
    resolve();
  };
  work.then(end, end);
  return promise;
}

const LOCK_WAIT_MS = 400;
