// One word per idea: the words that the glossary replaced do not come back, in code, file names, tables, documents or on
// screens.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '..');

/** Names in kebab-case, found in any case style; several words with spaces are found as they are. */
const RETIRED: readonly (readonly [retired: string, instead: string])[] = [
  ['already-there', 'already stored'],
  ['apart-already', 'suspense account'],
  ['apply-correction', 'apply adjustment'],
  ['apply-holding', 'book position event'],
  ['as-told', 'as reported'],
  ['astray', 'oversized stop'],
  ['book-correction', 'manual adjustment'],
  ['book-corrections', 'manual adjustments'],
  ['broker-desks', 'connection pool'],
  ['broker-turns', 'shared rate limiter'],
  ['can-rest', 'can place stop'],
  ['changes-overnight', 'pending corporate action'],
  ['correct-by-hand', 'adjust books'],
  ['correction-id', 'adjustment ID'],
  ['correction-problem', 'adjustment problem'],
  ['correction-text', 'adjustment text'],
  ['create-nights', 'end of day'],
  ['cut-exit', 'resize exit'],
  ['exit-cut', 'resize exit'],
  ['fit-marks', 'adjust marks'],
  ['follow-market', 'replicate market data'],
  ['has-nights', 'end of day'],
  ['holding-changed', 'position changed'],
  ['holding-event', 'position event'],
  ['holding-events', 'position events'],
  ['in-chunks', 'in batches'],
  ['instrument-wish', 'requested instrument'],
  ['is-correction', 'is adjustment'],
  ['is-leap', 'price band'],
  ['is-there', 'arrived'],
  ['is-told', 'is reported'],
  ['kept-apart', 'suspense account'],
  ['leave-to-others', 'fill attribution'],
  ['look-at-marks', 'on marks'],
  ['may-leave-now', 'pre-trade check'],
  ['neighbouring-ids', 'sequential UUIDs'],
  ['night-memory', 'end of day'],
  ['no-change', 'no transition'],
  ['not-there', 'never arrived, or missing holdings'],
  ['not-there-list', 'missing holdings'],
  ['offence', 'violation'],
  ['offences', 'violations'],
  ['order-pad', 'order builder'],
  ['park-deployments', 'quarantine'],
  ['pass-nights', 'end of day'],
  ['password-reset-wish', 'password reset request'],
  ['price-leap', 'price band'],
  ['quote-wish', 'quote subscription'],
  ['read-anew', 'refetch'],
  ['read-standing', 'read session status'],
  ['resting-in-account', 'stops at the broker'],
  ['resting-stop', 'working stop'],
  ['rests-until', 'idle until'],
  ['seal-anew', 'reseal'],
  ['session-guard', 'session health'],
  ['settle-by-hand', 'resolve'],
  ['settle-mail', 'finish mail'],
  ['settle-order', 'resolve order'],
  ['shard-hold', 'shard lease'],
  ['silent-broker', 'disconnect policy'],
  ['silent-minutes', 'unresponsive minutes'],
  ['silent-since', 'unresponsive since'],
  ['standing-of', 'status of'],
  ['standing-prices', 'fixed prices'],
  ['stop-loss-percent', 'stop loss percentage'],
  ['stops-beyond-holdings', 'oversized stops'],
  ['take-facts', 'reconcile orders'],
  ['told-session', 'reported session'],
  ['track-record-wish', 'track record target'],
  ['trade-by-hand', 'external trade'],
  ['trade-wish', 'trade scope'],
  ['undecided-orders', 'unconfirmed orders'],
  ['unknown-orders', 'in-flight orders'],
  ['untold', 'unreported'],
  ['up-since', 'reconciled since'],
  ['whose-execution', 'fill attribution'],
  ['why-it-waits', 'order hold'],
  ['books that differ', 'reconciliation breaks'],
  ['orders of unknown fate', 'unconfirmed orders'],
  ['undecided orders', 'unconfirmed orders'],
];

/** Records of a day keep the words of that day; this list names the words itself. */
const LEFT_OUT = ['CHANGELOG.md', 'docs/results/', 'tests/glossary.test.ts', 'package-lock.json'];
const TEXT = /\.(tsx?|mjs|js|json|md|css|html|sql)$/;
const PATTERNS = RETIRED.map(([retired, instead]) => ({ retired, instead, pattern: patternOf(retired) }));

test('no retired word is used', () => {
  const files = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' }).trim().split('\n');
  const found = files
    .filter((file) => TEXT.test(file) && !LEFT_OUT.some((left) => file.startsWith(left)))
    .filter((file) => existsSync(path.join(ROOT, file)))
    .flatMap((file) => retiredIn(file, readFileSync(path.join(ROOT, file), 'utf8')));
  expect(found).toEqual([]);
});

test('a retired word is found in every spelling, and a word that contains it is not', () => {
  const text =
    'passNights, PassNights, pass_nights, PASS_NIGHTS, bypassNights, passNightsky, Orders of unknown  fate';
  expect(retiredIn('src/pass-nights.ts', text)).toEqual([
    'src/pass-nights.ts: "pass-nights", say "end of day"',
    'src/pass-nights.ts: "passNights", say "end of day"',
    'src/pass-nights.ts: "PassNights", say "end of day"',
    'src/pass-nights.ts: "pass_nights", say "end of day"',
    'src/pass-nights.ts: "PASS_NIGHTS", say "end of day"',
    'src/pass-nights.ts: "Orders of unknown  fate", say "unconfirmed orders"',
  ]);
});

test('the glossary has each term once, in order', () => {
  const glossary = readFileSync(path.join(ROOT, 'docs/glossary.md'), 'utf8');
  const groups = glossary
    .split('\n## ')
    .slice(1)
    .map((group) => [...group.matchAll(/^- \*\*(.+?)\*\*: /gm)].map(([, term = '']) => term));
  const terms = groups.flat();
  expect(new Set(terms.map((term) => term.toLowerCase())).size).toBe(terms.length);
  for (const group of groups)
    expect(group).toEqual(group.toSorted((a, b) => a.localeCompare(b, 'en', { sensitivity: 'base' })));
});

function retiredIn(file: string, text: string): string[] {
  return PATTERNS.flatMap(({ instead, pattern }) =>
    [...`${file}\n${text}`.matchAll(pattern)].map(([word]) => `${file}: "${word}", say "${instead}"`),
  );
}

function patternOf(retired: string): RegExp {
  if (retired.includes(' ')) return new RegExp(`\\b${retired.replaceAll(' ', '\\s+')}\\b`, 'gi');
  const words = retired.split('-');
  const capital = (word: string) => word.replace(/^./, (first) => first.toUpperCase());
  const [first = '', ...rest] = words;
  const camel = rest.map(capital).join('');
  const alone = [words.join('[-_]'), words.join('_').toUpperCase(), `${first}${camel}`];
  return new RegExp(`(?:(?<![A-Za-z])(?:${alone.join('|')})|${capital(first)}${camel})(?![a-z])`, 'g');
}
