// Below the rules the code holds codes and facts; `rules/reasons` turns them into the words that a person reads. The
// exceptions, where text is allowed (`scripts/house/prose.ts`):
// - A thrown error, a log line and SQL are for developers.
// - A command for operators prints what an invariant promises, and what a verifier of files found, in its own words: the
//   verifier also runs alone, without the rules.
// - The pages of a signed document are part of the document.
// - What a model that decides is told is part of its question, which the engine makes and hashes; no person is shown it.
// - A diagnostic is a clause in lower case next to a code or a place: the answer of a broker, a feed or a model runner, or
//   the error at one place of a definition or a file. It is quoted, and nothing compares it.
import path from 'node:path';
import { expect, test } from 'vitest';
import { proseOf } from '../scripts/house/prose.ts';
import { parseSource, readHouse } from '../scripts/house/read-house.ts';

const ROOT = path.resolve(import.meta.dirname, '..');

// It parses every source file of the house.
test('no words that a person reads are written below the rules', { timeout: 120_000 }, () => {
  const found = readHouse(ROOT)
    .filter(({ file }) => !file.endsWith('.test.ts'))
    .flatMap((source) => proseOf(source).map((text) => `${source.file}: ${text}`));
  expect(found).toEqual([]);
});

const PROSE = [
  "export const reason = 'Trading was paused before it was sent.';",
  "export const clause = 'the rule to enter long held';",
  'export const filled = (symbol: string) => `bought ${symbol} at the open`;',
].join('\n');

test('sentences and clauses are seen; names, logs, errors and SQL are not', () => {
  const source = [
    PROSE,
    "export const named = { code: 'deployment_stopped', task: 'closing-mark' };",
    "logger.warn('The outcome of an order is not known.');",
    "if (named) throw new Error('The order was never written down.');",
    "const lost = new RangeError('the order was never written down');",
    'export const query = sql`Update deployments set status and so on`;',
    "export const table = 'strategy_versions as v';",
  ].join('\n');
  expect(proseOf(parseSource('src/trader/example.ts', source))).toEqual([
    'Trading was paused before it was sent.',
    'the rule to enter long held',
    'bought … at the open',
  ]);
});

test('a diagnostic is a clause: an adapter of a broker writes no sentence', () => {
  expect(proseOf(parseSource('src/adapters/broker/example.ts', PROSE))).toEqual([
    'Trading was paused before it was sent.',
  ]);
});
