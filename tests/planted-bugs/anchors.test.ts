// A planted bug whose text has moved plants nothing: `npm run planted-bugs` would then prove nothing.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { BUGS } from './bugs.ts';

const root = path.resolve(import.meta.dirname, '../..');

test('each planted bug finds its text exactly once, and changes it', () => {
  const misplaced = BUGS.filter(({ file, from, to }) => {
    const text = existsSync(path.join(root, file)) ? readFileSync(path.join(root, file), 'utf8') : '';
    return text.split(from).length !== 2 || from === to;
  });
  expect(misplaced.map(({ name }) => name)).toEqual([]);
});

test('each planted bug names suites that exist', () => {
  const missing = BUGS.flatMap(({ name, suites }) =>
    suites
      .filter((suite) => !suite.startsWith('simulate ') && !existsSync(path.join(root, suite)))
      .map((suite) => `${name}: ${suite}`),
  );
  expect(missing).toEqual([]);
});

test('no two planted bugs have one name', () => {
  expect(new Set(BUGS.map(({ name }) => name)).size).toBe(BUGS.length);
});
