// The log library writes the stack of an error under one key alone: under any other key an error is `{}`.
import path from 'node:path';
import { expect, test } from 'vitest';
import { readHouse } from '../scripts/house/read-house.ts';

const ROOT = path.resolve(import.meta.dirname, '..');

test('every logged error is under the key that keeps its stack', () => {
  const found = readHouse(ROOT)
    .filter(({ file }) => file.startsWith('src/'))
    .flatMap(({ file, text }) => lostStacks(text).map((line) => `${file}: ${line}`));
  expect(found).toEqual([]);
});

test('a lost stack is noticed', () => {
  const text = [
    "logger.error({ error }, 'a');",
    "logger.warn({ where, error: reason }, 'b');",
    "log.error({ err: error }, 'c');",
    "logger.error({ err: error, order }, 'd');",
  ].join('\n');
  expect(lostStacks(text)).toEqual([
    "logger.error({ error }, 'a');",
    "logger.warn({ where, error: reason }, 'b');",
  ]);
});

function lostStacks(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => /\b(?:logger|log)\.(?:warn|error|info)\(\{[^}]*\berror\b/.test(line))
    .filter((line) => !/\berr: error\b/.test(line));
}
