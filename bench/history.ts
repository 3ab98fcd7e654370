// The market history on synthetic bars of true shape: how fast bars are written, read to columns and checked, and how
// many bytes one takes. By default a sample; `--full` writes 100, 1,000 and 10,000 symbols × 20 years of days, or of `--years=N`; `minutes`,
// `days` or `columns` asks for that part alone. DuckDB reads the
// same files in the same run where it is installed; DUCKDB names the folder from which it is looked up.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parquetHistory } from '#adapters/market-history/parquet/history-store.ts';
import type { Bar, BarInterval } from '#engine/market/instrument.ts';
import type { HistoryFile } from '#ports/market-history.ts';
import type { Symbol } from '#units/identifiers.ts';
import { instant } from '#units/instant.ts';
import { dayBars, minuteBars, tradingDays } from './history-bars.ts';
import { median } from './measure.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'bench-history-'));
const store = parquetHistory(folder);
const isFull = process.argv.includes('--full');
const YEARS = readYears();
const ROUNDS = 9;
const KNOWN_AT = instant(Date.UTC(2026, 0, 1));
const PARTS = {
  minutes,
  days: () => days(isFull ? [100, 1_000, 10_000] : [125, 250, 500]),
  columns: manyDays,
};
const asked = Object.entries(PARTS).filter(([name]) => process.argv.includes(name));
try {
  for (const [, run] of asked.length > 0 ? asked : Object.entries(PARTS)) run();
} finally {
  rmSync(folder, { recursive: true });
}

/** Two years and some of one share: 200,000 minutes. */
function minutes(): void {
  const all = minuteBars(1, tradingDays('2023-01-01', '2025-06-30')).slice(0, 200_000);
  const { files, ms } = write('MIN', '1m', all);
  const reads = Array.from({ length: 9 }, () => timed(() => read('MIN', '1m', files, all.length)));
  console.log(
    `200,000 minute bars: written in ${ms.toFixed(0)} ms (${perSecond(all.length, ms)}), ${bytesABar(files, all.length)} bytes a bar`,
  );
  console.log(`  to checked columns: ${showTimes(reads)}`);
}

function days(sizes: readonly number[]): void {
  const listed = tradingDays(`${2026 - YEARS}-01-01`, '2025-12-31');
  const written = new Map<Symbol, readonly HistoryFile[]>();
  const spent = { ms: 0, cpuMs: 0 };
  for (const size of sizes) {
    for (let i = written.size; i < size; i++) {
      const symbol = `D${i}` as Symbol;
      const done = write(symbol, '1d', dayBars(i + 1, listed));
      spent.ms += done.ms;
      spent.cpuMs += done.cpuMs;
      written.set(symbol, done.files);
    }
    const bars = size * listed.length;
    const files = [...written.values()].flat();
    const checked = timed(() => files.forEach((file) => store.check(file)));
    const columns = timed(() => {
      for (const [symbol, own] of written) read(symbol, '1d', own, listed.length);
    });
    console.log(
      `${size.toLocaleString('en')} symbols × ${listed.length} days: written ${showTime(spent)} (${perSecond(bars, spent.ms)}), ${bytesABar(files, bars)} bytes a bar; every byte checked ${showTime(checked)}; to checked columns, one after the other, ${showTime(columns)}`,
    );
  }
}

/** The same files by our reader, before and after DuckDB. */
function manyDays(): void {
  const ten = tradingDays('2006-01-01', '2025-12-31').slice(0, 2_520);
  const keys = Array.from({ length: 500 }, (_, i) => `T${i}` as Symbol);
  const files = new Map(keys.map((symbol, i) => [symbol, write(symbol, '1d', dayBars(i + 1, ten)).files]));
  const ours = () => keys.map((symbol) => read(symbol, '1d', files.get(symbol)!, ten.length));
  const reads = Array.from({ length: ROUNDS }, () => timed(ours));
  showDuckDb(keys.length * ten.length);
  reads.push(...Array.from({ length: ROUNDS }, () => timed(ours)));
  console.log(`500 symbols × 2,520 days to checked columns: ${showTimes(reads)}`);
}

function showDuckDb(rows: number): void {
  const script = path.join(import.meta.dirname, 'peers/duckdb-reads.mjs');
  const done = spawnSync(process.execPath, [script, path.join(folder, 'import/1d'), `${ROUNDS}`, `${rows}`], {
    cwd: process.env['DUCKDB'] ?? process.cwd(),
    encoding: 'utf8',
  });
  if (done.status !== 0) {
    const isMissing = done.stderr.includes('Cannot find module');
    console.log(`DuckDB: ${isMissing ? 'not installed, left out' : done.stderr.trim()}`);
    return;
  }
  const { version, times } = JSON.parse(done.stdout) as { version: string; times: Time[] };
  console.log(`DuckDB ${version}, 500 symbols × 2,520 days to unchecked columns: ${showTimes(times)}`);
}

function write(symbol: string, interval: BarInterval, bars: readonly Bar[]) {
  const key = { source: 'import', interval, symbol: symbol as Symbol };
  const files: HistoryFile[] = [];
  const time = timed(() => {
    const prepared = store.prepare(key, { files: [], names: [], bars, knownAt: KNOWN_AT });
    if (!prepared.ok) throw new Error(prepared.fault.code);
    for (const { file } of prepared.value) {
      if (file === null) continue;
      store.put(file);
      files.push({ file: file.file, seals: [file.seal], rowGroups: file.rowGroups });
    }
  });
  return { files, ...time };
}

function read(symbol: string, interval: BarInterval, files: readonly HistoryFile[], count: number): void {
  const answer = store.series({ source: 'import', interval, symbol: symbol as Symbol }, files);
  if (!answer.ok || answer.value.series.length !== count) throw new Error(`${symbol} was not read whole`);
}

/** By the clock, and of the processor: both threads of a process count. */
type Time = { readonly ms: number; readonly cpuMs: number };

function timed(work: () => unknown): Time {
  const from = { ms: performance.now(), cpu: process.cpuUsage() };
  work();
  const { user, system } = process.cpuUsage(from.cpu);
  return { ms: performance.now() - from.ms, cpuMs: (user + system) / 1_000 };
}

function showTime({ ms, cpuMs }: Time): string {
  return `in ${(ms / 1_000).toFixed(2)} s (processor ${(cpuMs / 1_000).toFixed(2)} s)`;
}

function showTimes(times: readonly Time[]): string {
  const [ms, cpuMs] = [times.map((one) => one.ms), times.map((one) => one.cpuMs)];
  return `first ${ms[0]!.toFixed(1)} ms, median ${median(ms).toFixed(1)}, best ${Math.min(...ms).toFixed(1)}; processor time ${median(cpuMs).toFixed(1)}, best ${Math.min(...cpuMs).toFixed(1)}`;
}

function readYears(): number {
  const given = process.argv.find((word) => word.startsWith('--years='));
  const years = given === undefined ? 20 : Number(given.slice('--years='.length));
  if (!Number.isInteger(years) || years < 1 || years > 20)
    throw new Error('--years must be a whole number from 1 to 20, such as --years=2');
  return years;
}

function perSecond(bars: number, ms: number): string {
  return `${Math.round(bars / ms).toLocaleString('en')},000 bars/s`;
}

function bytesABar(files: readonly HistoryFile[], bars: number): string {
  const bytes = files.reduce((sum, { file }) => sum + statSync(path.join(folder, file)).size, 0);
  return (bytes / bars).toFixed(1);
}
