import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { batchedReader } from './batched-reader.ts';

const turn = () => sleep(5);

/** Statements that end when the test says so. */
function stage() {
  const begun: { readonly ids: readonly string[]; end: () => void; fail: () => void }[] = [];
  const read = batchedReader<string>(
    (ids) =>
      new Promise((resolve, reject) => {
        begun.push({
          ids,
          end: () => resolve(new Map(ids.filter((id) => id !== 'absent').map((id) => [id, `row of ${id}`]))),
          fail: () => reject(new Error('the database is gone')),
        });
      }),
  );
  return { begun, read };
}

const many = (count: number, name: string) => Array.from({ length: count }, (_, i) => `${name} ${i}`);

test('what is asked in one turn is one statement, and each gets its own answer', async () => {
  const { begun, read } = stage();
  const answers = Promise.all(['a', 'absent', 'b', 'a'].map(read));
  await turn();
  expect(begun.map(({ ids }) => ids)).toEqual([['a', 'absent', 'b']]);
  begun[0]!.end();
  expect(await answers).toEqual(['row of a', undefined, 'row of b', 'row of a']);
});

test('two statements run at once; what comes meanwhile is one more', async () => {
  const { begun, read } = stage();
  const answers: Promise<string | undefined>[] = [];
  for (let i = 0; i < 4; i++) {
    answers.push(read(`early ${i}`));
    await turn();
  }
  answers.push(...many(600, 'late').map(read));
  await turn();
  expect(begun.map(({ ids }) => ids.length)).toEqual([1, 1]);
  begun[0]!.end();
  await turn();
  expect(begun.map(({ ids }) => ids.length)).toEqual([1, 1, 500]);
  begun[1]!.end();
  await turn();
  expect(begun.map(({ ids }) => ids.length)).toEqual([1, 1, 500, 102]);
  for (const { end } of begun) end();
  expect(await Promise.all(answers)).toEqual([...many(4, 'row of early'), ...many(600, 'row of late')]);
});

test('a statement that fails fails for those who asked in it, and the next one is made', async () => {
  const { begun, read } = stage();
  const first = read('a');
  await turn();
  begun[0]!.fail();
  await expect(first).rejects.toThrow('the database is gone');
  const second = read('a');
  await turn();
  begun[1]!.end();
  expect(await second).toBe('row of a');
});
