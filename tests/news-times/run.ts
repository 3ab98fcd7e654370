// `npm run news-times`: how long a fill takes from its booking to a receiver of each channel. `-- --fills 400 --slow 40` books others: so many
// people whose receivers answer at once, and so many beside them whose webhook answers after eight seconds. `--report` writes the result
// file. Exits with 1 where one of a hundred took longer than five seconds.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { writeRunReport } from '../support/run-report.ts';

const AT_MOST_MS = 5_000;
const { values } = parseArgs({
  options: {
    fills: { type: 'string', default: '400' },
    slow: { type: 'string', default: '40' },
    report: { type: 'boolean', default: false },
  },
});
const [fills, slow] = [Number(values.fills), Number(values.slow)];
if (!Number.isSafeInteger(fills) || fills < 1 || !Number.isSafeInteger(slow) || slow < 0 || slow > fills) {
  console.error('--fills takes a whole number above zero, and --slow one that is no larger');
  process.exit(1);
}
const root = path.resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(path.join(tmpdir(), 'news-times-'));
const file = path.join(folder, 'result.json');
spawnSync(
  process.execPath,
  [path.join(root, 'node_modules/vitest/vitest.mjs'), 'run', 'tests/news-times/news-times.test.ts'],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, NEWS_FILLS: String(fills), NEWS_SLOW: String(slow), NEWS_TIMES_RESULT: file },
  },
);
if (!existsSync(file)) {
  console.error('Not every fill arrived.');
  process.exit(1);
}
const times = JSON.parse(readFileSync(file, 'utf8')) as { channel: string; ms: number }[];
rmSync(folder, { recursive: true });
const rows = ['mail', 'push', 'telegram', 'webhook'].map((channel) => {
  const sorted = times
    .flatMap((one) => (one.channel === channel ? [one.ms] : []))
    .toSorted((left, right) => left - right);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)]!;
  return { channel, count: sorted.length, p50: at(0.5), p99: at(0.99), most: at(1) };
});
const failures = rows
  .filter(({ p99 }) => p99 > AT_MOST_MS)
  .map(({ channel, p99 }) => `${channel}: one of a hundred took ${p99} ms or longer`);
const ms = (value: number) => `${value.toLocaleString('en-US')} ms`;
const table = {
  head: ['Channel', 'Receipts', 'Half within', '99 of 100 within', 'Longest'],
  rows: rows.map(({ channel, count, p50, p99, most }) => [
    channel,
    String(count),
    ms(p50),
    ms(p99),
    ms(most),
  ]),
};
for (const row of [table.head, ...table.rows]) console.log(row.map((cell) => cell.padStart(18)).join(''));
if (values.report)
  writeRunReport('news-times', {
    title: 'News after a fill',
    about:
      'The trader books executions, about twenty a second, of people who get news by mail, push, Telegram and webhook. Measured is the time from the booking to the receipt by the stand-in of each channel, on one machine, with one worker. The webhooks of some people answer after eight seconds. Longer than five seconds for one of a hundred is a failure.',
    facts: [
      ['People with fast receivers', fills],
      ['People whose webhook is slow', slow],
    ],
    table,
    failures,
  });
process.exit(failures.length === 0 ? 0 : 1);
