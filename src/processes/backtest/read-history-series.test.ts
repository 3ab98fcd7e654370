// As a newcomer runs it: an empty folder, prices in CSV files, and the commands of the product alone.
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { isTradingDay } from '#engine/market/calendar.ts';
import { addDays, type IsoDate } from '#units/instant.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const folder = mkdtempSync(path.join(tmpdir(), 'newcomer-'));
afterAll(() => rmSync(folder, { recursive: true }));
const fileOf = (name: string) => path.join(folder, name);

type Said = { readonly code: number; readonly text: string };

async function run(program: string, ...words: string[]): Promise<Said> {
  const { DATABASE_URL: _, MARKET: __, ...env } = process.env;
  const options = { cwd: root, env: { ...env, DATA_DIR: fileOf('data') } };
  try {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [path.join('src/processes', program), ...words],
      options,
    );
    return { code: 0, text: stdout };
  } catch (error) {
    const { code, stderr } = error as { code: number; stderr: string };
    return { code, text: stderr };
  }
}

const backtestOf = (definition: string) =>
  run('backtest.ts', '--definition', definition, '--history', '--out', fileOf('result.json'));

/** A fund that falls by its dividend of 2 dollars on one day, and is worth the same on all others. */
function writePrices(): void {
  const rows = ['Date,Open,High,Low,Close,Volume'];
  const from = '2022-01-03' as IsoDate;
  for (let date = from; date <= '2024-12-31'; date = addDays(date, 1)) {
    if (!isTradingDay('us-equity', date)) continue;
    const price = date < '2023-06-15' ? 100 : 98;
    rows.push(`${date},${price},${price + 1},${price - 1},${price},1000`);
  }
  mkdirSync(fileOf('prices'));
  writeFileSync(fileOf('prices/FUND.csv'), rows.join('\n'));
}

const DEFINITION = {
  language: 'bellwether-strategy/1',
  name: 'Held',
  universe: ['FUND'],
  benchmark: 'FUND',
  schedule: { every: 'day' },
  rule: {
    type: 'signals',
    enterLong: { op: 'above', left: 'close', right: 30 },
    exitLong: { op: 'below', left: 'close', right: 30 },
  },
  gross: 0.5,
};

test('bars that were imported are backtested by the next command', { timeout: 300_000 }, async () => {
  writePrices();
  writeFileSync(fileOf('definition.json'), JSON.stringify(DEFINITION));
  expect(await backtestOf(fileOf('definition.json'))).toMatchObject({
    code: 1,
    text: expect.stringContaining('the history has no days of FUND: npm run history -- import adds them'),
  });
  const imported = await run('demo-world/main.ts', 'history', 'import', fileOf('prices'), '--kind', 'equity');
  expect(imported).toMatchObject({ code: 0, text: expect.stringContaining('FUND 1d: 753 new bars') });
  const tested = await backtestOf(fileOf('definition.json'));
  expect(tested).toMatchObject({ code: 0, text: expect.stringMatching(/^Held: 2022-01-03 to 2024-12-31, /) });
  const { figures, barsRead } = JSON.parse(readFileSync(fileOf('result.json'), 'utf8')) as {
    readonly figures: Record<string, number>;
    readonly barsRead: unknown;
  };
  expect(figures.annual_return).toBeLessThan(0);
  expect(barsRead).toMatchObject({ source: 'import' });
});

test('a definition that is not there, or no JSON, is said in a sentence', { timeout: 60_000 }, async () => {
  expect(await backtestOf(fileOf('absent.json'))).toMatchObject({
    code: 1,
    text: expect.stringMatching(/there is no file .*absent.json: correct --definition/),
  });
  writeFileSync(fileOf('broken.json'), '{');
  expect(await backtestOf(fileOf('broken.json'))).toMatchObject({
    code: 1,
    text: expect.stringMatching(/broken.json is not JSON .*: correct it/),
  });
});
