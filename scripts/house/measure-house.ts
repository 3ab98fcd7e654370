// `npm run house [-- --against REVISION] [--report]` measures the source tree: size, reach, folders, functions, import
// cycles, prose below the rules, documents. With a revision, its figures have their own column.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { writeRunReport } from '../../tests/support/run-report.ts';
import { proseOf } from './prose.ts';
import { circlesOf, nodesOf, reachedFrom, readHouse, type SourceFile } from './read-house.ts';

const root = path.resolve(import.meta.dirname, '../..');
const { values } = parseArgs({
  options: { against: { type: 'string' }, report: { type: 'boolean', default: false } },
});
const now = measure(root);
const before = values.against === undefined ? null : measureRevision(values.against);
const head = ['figure', ...(before === null ? [] : [values.against!]), 'now'];
const rows = Object.entries(now).map(([figure, value]) =>
  [figure, ...(before === null ? [] : [before[figure]!]), value].map(String),
);
for (const row of [head, head.map(() => '---'), ...rows]) console.log(`| ${row.join(' | ')} |`);
if (values.report) {
  writeRunReport('house', {
    title: 'The source tree in figures',
    about: 'Counts what a reader of the source meets.',
    facts: [],
    table: { head, rows },
    failures: [],
  });
}

/** In a separate work tree, which is removed afterwards. */
function measureRevision(revision: string): Record<string, string | number> {
  const folder = mkdtempSync(path.join(tmpdir(), 'bellwether-house-'));
  const tree = path.join(folder, 'tree');
  const git = (...words: string[]) => execFileSync('git', words, { cwd: root, stdio: 'pipe' });
  try {
    git('worktree', 'add', '--detach', tree, revision);
    return measure(tree);
  } finally {
    git('worktree', 'remove', '--force', tree);
    rmSync(folder, { recursive: true, force: true });
  }
}

function measure(tree: string): Record<string, string | number> {
  const files = readHouse(tree);
  const isTest = (file: string) => /\.test\.tsx?$|-fixture\.ts$/.test(file);
  const source = files.filter(({ file }) => file.startsWith('src/') && !isTest(file));
  const inRoom = (room: RegExp) => source.filter(({ file }) => room.test(file));
  const reached = reachedFrom(files, entriesOf(files));
  const unreached = source.filter(({ file }) => !reached.has(file) && !file.endsWith('.d.ts'));
  const tests = files.filter(({ file }) => isTest(file));
  const long = source.flatMap((one) => functionsOf(one).filter(({ lines }) => lines > 70));
  const largest = largestFolder(source);
  const host = linesOf(inRoom(/^src\/trader\/(?!invariants\/|verify\/)/));
  const pure = linesOf(inRoom(/^src\/engine\/(execution|lifecycle|adjustments|end-of-day|market-data)\//));
  const prose = source.flatMap(proseOf);
  const documents = listDocuments(tree);
  return {
    'source files in src': source.length,
    'source lines in src': linesOf(source),
    'source lines that no process reaches': linesOf(unreached),
    'rooms of the engine that book fills': roomsThatBook(source).join(', '),
    'lines decided purely beside the trader': `${pure} of ${pure + host} (${Math.round((100 * pure) / (pure + host))}%)`,
    'test files': tests.length,
    'test files that need PostgreSQL': tests.filter((one) => needsDatabase(files, one)).length,
    'sentences in trader, engine, records, adapters, results': prose.length,
    'comparisons of sentences': source.reduce((sum, one) => sum + proseComparisons(one), 0),
    "spellings of 'ended' in SQL": countIn(source, /\('stopped', ?'liquidated'\)/g),
    "spellings of 'at the broker' in SQL": countIn(source, /\('sending', ?'working', ?'unknown'\)/g),
    'largest flat folder': `${largest.count} (${largest.folder})`,
    'functions over 70 lines': long.length,
    'circles of imports, types included': circlesOf(source).length,
    'words in the README': wordsOf(tree, ['README.md']),
    'words in documents': wordsOf(tree, documents),
  };
}

/** What a person or another program starts: the roles and commands, the web app, the sandbox, the training. */
function entriesOf(files: readonly SourceFile[]): string[] {
  const entry =
    /^(src\/processes\/(seed\/seed|[\w-]+)\.ts|src\/web\/(main\.tsx|vite\.config\.ts|prerender\/render-page\.tsx)|sandbox\/start\.ts|models\/train\.ts)$/;
  return files.map(({ file }) => file).filter((file) => entry.test(file));
}

function linesOf(files: readonly SourceFile[]): number {
  return files.reduce((sum, { text }) => sum + text.split('\n').length - 1, 0);
}

function functionsOf({ text, program }: SourceFile): { lines: number }[] {
  const found: { lines: number }[] = [];
  for (const node of nodesOf(program)) {
    if (!/^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type)) continue;
    found.push({ lines: text.slice(node.start, node.end).split('\n').length });
  }
  return found;
}

function largestFolder(source: readonly SourceFile[]): { folder: string; count: number } {
  const counts = Map.groupBy(source, ({ file }) => path.posix.dirname(file));
  const sorted = [...counts].map(([folder, { length }]) => ({ folder, count: length }));
  return sorted.toSorted((a, b) => b.count - a.count)[0]!;
}

/** Code that calls the arithmetic of a fill keeps its own positions. */
function roomsThatBook(source: readonly SourceFile[]): string[] {
  const books = /\b(changePosition|applyFill|ColumnBook|SweepBook)\(/;
  const rooms = source
    .filter(({ file, text }) => file.startsWith('src/engine/') && books.test(text))
    .map(({ file }) => file.split('/')[2]!)
    .filter((room) => room !== 'portfolio');
  return [...new Set(rooms)];
}

function needsDatabase(files: readonly SourceFile[], { file }: SourceFile): boolean {
  const reached = reachedFrom(files, [file]);
  return reached.has('tests/support/test-database.ts') || reached.has('tests/support/product.ts');
}

/** Two reasons compared as texts. */
function proseComparisons({ file, text }: SourceFile): number {
  if (!/^src\/(trader|records|engine|server)\//.test(file)) return 0;
  const compared = /statusReason (===|!==) (?!null)|status_reason (=|<>|is distinct from) (?!null)/g;
  const present = /status_reason is (not )?null|statusReason (===|!==) null/g;
  return [...text.matchAll(compared), ...text.matchAll(present)].length;
}

function countIn(source: readonly SourceFile[], spelling: RegExp): number {
  return source.reduce((sum, { text }) => sum + [...text.matchAll(spelling)].length, 0);
}

function listDocuments(tree: string): string[] {
  const listed = execFileSync('git', ['ls-files', '*.md'], { cwd: tree, encoding: 'utf8' });
  return listed
    .trim()
    .split('\n')
    .filter((file) => !file.startsWith('docs/results/'));
}

function wordsOf(tree: string, files: readonly string[]): number {
  return files.reduce(
    (sum, file) => sum + readFileSync(path.join(tree, file), 'utf8').split(/\s+/).filter(Boolean).length,
    0,
  );
}
