// Everything that `npm test` checks, in the order that fails fastest; ends with one line `N passed, N failed`.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const tool = (file: string) => path.join(root, 'node_modules', file);
const only = process.argv.slice(2);

const CHECKS: readonly { name: string; command: readonly string[] }[] = [
  { name: 'types', command: [tool('typescript/bin/tsc'), '-p', '.', '--pretty', 'false'] },
  { name: 'types of units', command: [tool('typescript/bin/tsc'), '-p', 'src/units'] },
  { name: 'types of engine', command: [tool('typescript/bin/tsc'), '-p', 'src/engine'] },
  { name: 'types of rules', command: [tool('typescript/bin/tsc'), '-p', 'src/rules'] },
  { name: 'types of web', command: [tool('typescript/bin/tsc'), '-p', 'src/web', '--pretty', 'false'] },
  { name: 'format', command: [tool('@biomejs/biome/bin/biome'), 'format', '.'] },
  { name: 'lint', command: [tool('oxlint/bin/oxlint'), '--quiet'] },
  { name: 'unused code', command: [tool('knip/bin/knip.js'), '--no-progress'] },
  // What only tests reach is not part of the product.
  { name: 'code for tests alone', command: [tool('knip/bin/knip.js'), '--no-progress', '--production'] },
];

let passed = 0;
let failed = 0;

for (const check of only.length > 0 ? [] : CHECKS) {
  const done = spawnSync(process.execPath, [...check.command], { cwd: root, encoding: 'utf8' });
  if (done.status === 0) {
    passed++;
    console.log(`✓ ${check.name}`);
  } else {
    failed++;
    console.log(`✗ ${check.name}\n${done.stdout}${done.stderr}`);
  }
}

const folder = mkdtempSync(path.join(tmpdir(), 'bellwether-results-'));
const report = path.join(folder, 'results.json');
const vitest = spawnSync(
  process.execPath,
  [
    tool('vitest/vitest.mjs'),
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...only,
  ],
  { cwd: root, stdio: 'inherit' },
);
try {
  const results = JSON.parse(readFileSync(report, 'utf8')) as {
    numPassedTests: number;
    numFailedTests: number;
    numFailedTestSuites: number;
    numPendingTests: number;
  };
  passed += results.numPassedTests;
  failed += results.numFailedTests;
  // A file that could not be loaded, or an error outside any test, counts as a failure too.
  if (vitest.status !== 0 && results.numFailedTests === 0) failed++;
  if (results.numPendingTests > 0)
    console.log(`${results.numPendingTests} skipped: they need data that is not beside this project`);
} catch (error) {
  failed++;
  console.log(`the test runner left no report: ${String(error)}`);
}
rmSync(folder, { recursive: true, force: true });

console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
