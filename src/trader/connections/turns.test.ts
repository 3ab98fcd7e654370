import { expect, test } from 'vitest';
import type { BrokerConnectionId } from '#units/identifiers.ts';
import { createTurns } from './turns.ts';

const ones = (...ids: readonly string[]) => ids.map((id) => ({ id: id as BrokerConnectionId }));
const FOREVER = Number.POSITIVE_INFINITY;

/** Work that ends when it is told to. */
function heldWork() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    begun,
    work: ({ id }: { readonly id: BrokerConnectionId }) => {
      begun.push(id);
      return new Promise<void>((end) => ends.set(id, end));
    },
    async end(id: string) {
      ends.get(id)!();
      await new Promise((later) => setImmediate(later));
    },
  };
}

test('a few work at once over all callers, in the order in which they asked', async () => {
  const turns = createTurns(() => 2);
  const { begun, work, end } = heldWork();
  const first = turns.take(ones('a', 'b', 'c'), FOREVER, work);
  const second = turns.take(ones('d'), FOREVER, work);
  expect(begun).toEqual(['a', 'b']);
  expect(turns.areAwaited()).toBe(true);
  expect(ones('b', 'c').map(({ id }) => turns.awaits(id))).toEqual([false, true]);
  await end('b');
  expect(begun).toEqual(['a', 'b', 'c']);
  await end('a');
  expect(turns.areAwaited()).toBe(false);
  expect(begun).toEqual(['a', 'b', 'c', 'd']);
  await end('c');
  await first;
  await end('d');
  await second;
});

test('one that still waits gets no second turn, and whoever asked again waits for the first', async () => {
  const turns = createTurns(() => 1);
  const { begun, work, end } = heldWork();
  const first = turns.take(ones('a', 'b'), FOREVER, work);
  const again = turns.take(ones('b'), FOREVER, work);
  await end('a');
  await end('b');
  await Promise.all([first, again]);
  expect(begun).toEqual(['a', 'b']);
});

test('patience ends the waiting and not the work', async () => {
  const turns = createTurns(() => 1);
  const { begun, work, end } = heldWork();
  await turns.take(ones('a', 'b'), 1, work);
  expect(begun).toEqual(['a']);
  await end('a');
  expect(begun).toEqual(['a', 'b']);
  await end('b');
});

test('one that is dropped gets no turn, and nobody waits for it', async () => {
  const turns = createTurns(() => 1);
  const { begun, work, end } = heldWork();
  const all = turns.take(ones('a', 'b', 'c'), FOREVER, work);
  turns.drop((id) => id === 'b');
  await end('a');
  await end('c');
  await all;
  expect(begun).toEqual(['a', 'c']);
});

test('a failure reaches who waits for it, and the next one has its turn', async () => {
  const turns = createTurns(() => 1);
  const done: string[] = [];
  const fails = turns.take(ones('a', 'b'), FOREVER, async ({ id }) => {
    done.push(id);
    if (id === 'a') throw new Error('a failed');
  });
  await expect(fails).rejects.toThrow('a failed');
  await turns.take([], FOREVER, async () => undefined);
  expect(done).toEqual(['a', 'b']);
});

test('fewer work at once while that is asked for, and those at work end as they like', async () => {
  let atOnce = 3;
  const turns = createTurns(() => atOnce);
  const { begun, work, end } = heldWork();
  const all = turns.take(ones('a', 'b', 'c', 'd'), FOREVER, work);
  atOnce = 1;
  await end('a');
  await end('b');
  expect(begun).toEqual(['a', 'b', 'c']);
  await end('c');
  expect(begun).toEqual(['a', 'b', 'c', 'd']);
  await end('d');
  await all;
});
