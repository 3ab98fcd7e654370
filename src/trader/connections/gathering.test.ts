import { describe, expect, test } from 'vitest';
import { createGathering } from './gathering.ts';

type Piece = { readonly name: string; readonly group: string; readonly account: string };

/** Each call of `serve` waits until it is let go. */
function gathering(
  serve: (pieces: readonly Piece[]) => ReadonlyMap<Piece, string>,
  most?: () => number,
  weight?: (piece: Piece) => number,
) {
  const calls: string[] = [];
  const gates: (() => void)[] = [];
  const gather = createGathering<Piece, string>({
    serve: async (pieces) => {
      calls.push(pieces.map(({ name }) => name).join(''));
      const gate = Promise.withResolvers<void>();
      gates.push(gate.resolve);
      await gate.promise;
      return serve(pieces);
    },
    together: ({ group }) => group,
    apart: ({ account }) => account,
    most,
    weight,
  });
  const ask = (name: string, { group = 'tick', account = name } = {}) => gather({ name, group, account });
  return { ask, calls, letGo: (n: number) => gates[n]!() };
}

const all = (pieces: readonly Piece[]) => new Map(pieces.map((piece) => [piece, piece.name]));
const settle = () => new Promise((resolve) => void setImmediate(resolve));

describe('pieces of work that are served together', () => {
  test('nobody waits for company, and what asks meanwhile goes together', async () => {
    const { ask, calls, letGo } = gathering(all);
    const asked = ['a', 'b', 'c', 'd', 'e'].map((name) => ask(name));
    expect(calls).toEqual(['a', 'b']);
    letGo(0);
    await settle();
    expect(calls).toEqual(['a', 'b', 'cde']);
    letGo(1);
    letGo(2);
    expect(await Promise.all(asked)).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  test('of one account, and of different ticks, they go one after the other', async () => {
    const { ask, calls, letGo } = gathering(all);
    const asked = [
      ask('a'),
      ask('b'),
      ask('c', { account: 'one' }),
      ask('d', { account: 'one' }),
      ask('e', { group: 'older' }),
      ask('f'),
    ];
    letGo(0);
    await settle();
    letGo(1);
    await settle();
    expect(calls).toEqual(['a', 'b', 'cf', 'd']);
    letGo(2);
    await settle();
    expect(calls.at(-1)).toBe('e');
    letGo(3);
    letGo(4);
    expect(await Promise.all(asked)).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  });

  test('where one fails, each is tried alone, and only that one fails', async () => {
    const { ask, calls, letGo } = gathering((pieces) => {
      if (pieces.some(({ name }) => name === 'd')) throw new Error('of d');
      return all(pieces);
    });
    const asked = ['a', 'b', 'c', 'd', 'e'].map((name) => ask(name));
    letGo(0);
    await settle();
    letGo(2);
    await settle();
    expect(calls).toEqual(['a', 'b', 'cde', 'c', 'd', 'e']);
    for (const n of [1, 3, 4, 5]) letGo(n);
    expect(await Promise.allSettled(asked)).toEqual([
      { status: 'fulfilled', value: 'a' },
      { status: 'fulfilled', value: 'b' },
      { status: 'fulfilled', value: 'c' },
      { status: 'rejected', reason: new Error('of d') },
      { status: 'fulfilled', value: 'e' },
    ]);
  });

  test('one that is left out is served alone, and holds up nobody', async () => {
    const { ask, calls, letGo } = gathering((pieces) =>
      all(pieces.length === 1 ? pieces : pieces.filter(({ name }) => name !== 'd')),
    );
    const asked = ['a', 'b', 'c', 'd'].map((name) => ask(name));
    letGo(0);
    letGo(1);
    await settle();
    letGo(2);
    expect(await asked[2]).toBe('c');
    expect(calls.at(-1)).toBe('d');
    const next = ask('e');
    expect(calls.at(-1)).toBe('e');
    letGo(3);
    letGo(4);
    expect(await Promise.all([...asked, next])).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  test('a heavy one leaves room for fewer, and one that is too heavy goes alone', async () => {
    const weights: Readonly<Record<string, number>> = { c: 3, d: 2, e: 9 };
    const { ask, calls, letGo } = gathering(
      all,
      () => 4,
      ({ name }) => weights[name] ?? 1,
    );
    const asked = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => ask(name));
    for (const n of [0, 1, 2, 3, 4]) {
      letGo(n);
      await settle();
    }
    expect(calls).toEqual(['a', 'b', 'cf', 'd', 'e']);
    expect(await Promise.all(asked)).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  });

  test('no more go together than may at that moment', async () => {
    let most = 2;
    const { ask, calls, letGo } = gathering(all, () => most);
    const asked = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => ask(name));
    letGo(0);
    await settle();
    expect(calls.at(-1)).toBe('cd');
    most = 1;
    letGo(1);
    await settle();
    expect(calls.at(-1)).toBe('e');
    letGo(2);
    letGo(3);
    await settle();
    letGo(4);
    expect(await Promise.all(asked)).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  });
});
