import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';

const RUN = path.resolve(import.meta.dirname, '../scripts/run.mjs');
const run = (...words: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [RUN, ...words], { encoding: 'utf8' });
  return { status, lines: stdout.split('\n').filter((line) => line !== ''), stderr };
};

test.each([['start', '--help'], ['start', '-h'], ['doctor', '--help'], ['help']])(
  '%s %s prints the commands in a few lines, and starts nothing',
  (...words) => {
    const { status, lines, stderr } = run(...words);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(lines[0]).toMatch(/^npm start /);
    expect(lines.length).toBeLessThan(12);
  },
);

test('a word that a command does not take is refused before anything starts', () => {
  const { status, stderr } = run('start', '--port', '4000');
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: 'npm start takes no arguments, and got "--port 4000".\n\n',
  });
});
