// Below the rules there are codes and facts; the words that a person reads are made of them in `rules`. Logs, thrown errors
// and SQL are for us and are left out.
import path from 'node:path';
import { expect, test } from 'vitest';
import { sentencesOf } from '../scripts/house/prose.ts';
import { parseSource, readHouse } from '../scripts/house/read-house.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const BELOW_RULES = /^src\/(engine|trader|records|results)\//;
const ALLOWED = [
  // What an invariant promises is the output of a command for operators.
  /\/invariants\//,
  // The report of a verifier that also runs on its own, without the rules.
  /^src\/engine\/evidence\//,
];
/** Files that still keep words: they may become fewer. */
const STILL_WORDED = [
  'src/results/backtest-draft.ts',
  'src/results/renew-result.ts',
  'src/results/sweep-draft.ts',
];

test('no sentence that a person could read is written below the rules', () => {
  const found = readHouse(ROOT)
    .filter(({ file }) => BELOW_RULES.test(file) && !file.endsWith('.test.ts'))
    .filter(({ file }) => !ALLOWED.some((room) => room.test(file)) && !STILL_WORDED.includes(file))
    .flatMap((source) => sentencesOf(source).map((text) => `${source.file}: ${text}`));
  expect(found).toEqual([]);
});

test('a sentence is seen, and a name, a log, an error and a statement of SQL are none', () => {
  const source = [
    "export const told = 'Trading was paused before it was sent.';",
    "export const named = { code: 'deployment_stopped', task: 'closing-mark' };",
    "logger.warn('The fate of an order is not known.');",
    "if (named) throw new Error('The order was never written down.');",
    'export const query = sql`Update deployments set status and so on`;',
  ].join('\n');
  expect(sentencesOf(parseSource('src/trader/example.ts', source))).toEqual([
    'Trading was paused before it was sent.',
  ]);
});
