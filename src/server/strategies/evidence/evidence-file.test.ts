import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { createGunzip } from 'node:zlib';
import { expect, test } from 'vitest';
import { openEvidenceFile } from './evidence-file.ts';

const read = async (name: string, parts: () => AsyncIterable<string>) =>
  text((await openEvidenceFile({ name, parts })).pipe(createGunzip()));

test('what everybody asks for at once is written once, and read whole by each', async () => {
  let written = 0;
  const textOf = async function* () {
    written += 1;
    yield 'one ';
    yield 'file';
  };
  const id = randomUUID();
  const answers = await Promise.all(Array.from({ length: 12 }, () => read(id, textOf)));
  expect(new Set(answers)).toEqual(new Set(['one file']));
  expect(await read(id, textOf)).toBe('one file');
  expect(written).toBe(1);
});

test('one file is written at a time, and one that failed is written anew and holds up nobody', async () => {
  let atWork = 0;
  let most = 0;
  const working = async function* (isBroken: boolean) {
    most = Math.max(most, (atWork += 1));
    await new Promise(setImmediate);
    atWork -= 1;
    if (isBroken) throw new Error('gone');
    yield 'whole';
  };
  const id = randomUUID();
  const outcomes = await Promise.allSettled([
    read(id, () => working(true)),
    read(randomUUID(), () => working(false)),
    read(randomUUID(), () => working(false)),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
  expect(most).toBe(1);
  expect(await read(id, () => working(false))).toBe('whole');
});
