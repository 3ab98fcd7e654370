// A backtest of minutes: 500 symbols over a year from the files of the history, read, cut by the sessions and traded.
// Twenty symbols are written, and each file is read for twenty-five: reading, checking and trading are those of 500.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parquetHistory } from '#adapters/market-history/parquet/history-store.ts';
import { backtest } from '#engine/backtest/backtest.ts';
import type { BarSeries } from '#engine/market/bar-series.ts';
import { INTRADAY_INTERVALS, type IntradayInterval } from '#engine/market/instrument.ts';
import { intradaySeries } from '#engine/market/intraday-series.ts';
import { parseDefinition } from '#engine/strategy/parsing/parse-definition.ts';
import type { HistoryFile } from '#ports/market-history.ts';
import { importedInstrument } from '#processes/bar-import/imported-instrument.ts';
import { publishedCosts } from '#results/publish-result.ts';
import type { Symbol } from '#units/identifiers.ts';
import { instant } from '#units/instant.ts';
import { minuteBars, tradingDays } from './history-bars.ts';

const SYMBOLS = Array.from({ length: 500 }, (_, i) => `M${i}` as Symbol);
const WRITTEN = 20;
const KNOWN_AT = instant(Date.UTC(2026, 0, 1));
const folder = mkdtempSync(path.join(tmpdir(), 'bench-minutes-'));
const store = parquetHistory(folder);
try {
  const files = Array.from({ length: WRITTEN }, (_, i) => write(i));
  for (const interval of INTRADAY_INTERVALS.filter((one) => one === '1m' || one === '1h'))
    run(interval, files);
} finally {
  rmSync(folder, { recursive: true });
}

function run(interval: IntradayInterval, files: readonly (readonly HistoryFile[])[]): void {
  const from = { ms: performance.now(), cpu: process.cpuUsage() };
  let read = 0;
  const series = new Map(
    SYMBOLS.map((symbol, i): [Symbol, BarSeries] => {
      const answer = store.series({ source: 'import', interval: '1m', symbol }, files[i % WRITTEN]!);
      if (!answer.ok) throw new Error(answer.fault.code);
      read += answer.value.series.length;
      return [symbol, intradaySeries(answer.value.series, { interval, calendar: 'us-equity' })];
    }),
  );
  const readMs = performance.now() - from.ms;
  const instruments = new Map(
    SYMBOLS.map((symbol) => [
      symbol,
      importedInstrument({ symbol, kind: 'equity', name: null, currency: null, priceDecimals: 2 }),
    ]),
  );
  const settings = publishedCosts({ instruments }, KNOWN_AT);
  const result = backtest({ definition: definitionOf(interval), instruments, series, settings });
  const ms = performance.now() - from.ms;
  const { user, system } = process.cpuUsage(from.cpu);
  const seconds = (value: number) => `${(value / 1_000).toFixed(1)} s`;
  console.log(
    `${SYMBOLS.length} symbols, ${read.toLocaleString('en')} minutes, bars of ${interval}: read, checked and cut in ${seconds(readMs)}, traded in ${seconds(ms - readMs)} (${result.counts.fills} fills); together ${seconds(ms)} by the clock, processor time ${seconds((user + system) / 1_000)}, one thread`,
  );
}

/** The twenty that rose most over an hour, renewed every half hour; of hours, over a day and every half day. */
function definitionOf(interval: IntradayInterval) {
  const bars = interval === '1m' ? { length: 60, count: 30 } : { length: 7, count: 3 };
  const parsed = parseDefinition({
    language: 'bellwether-strategy/1',
    name: 'Leaders of the hour',
    universe: SYMBOLS,
    benchmark: SYMBOLS[0],
    interval,
    schedule: { every: 'bars', count: bars.count },
    features: { change: { indicator: 'roc', length: bars.length } },
    rule: { type: 'ranking', by: 'change', top: 20 },
  });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
  return parsed.definition;
}

function write(seed: number): readonly HistoryFile[] {
  const key = { source: 'import', interval: '1m', symbol: `W${seed}` as Symbol } as const;
  const bars = minuteBars(seed + 1, tradingDays('2025-01-01', '2025-12-31'));
  const prepared = store.prepare(key, { files: [], names: [], bars, knownAt: KNOWN_AT });
  if (!prepared.ok) throw new Error(prepared.fault.code);
  return prepared.value.flatMap(({ file }) => {
    if (file === null) return [];
    store.put(file);
    return [{ file: file.file, seals: [file.seal], rowGroups: file.rowGroups }];
  });
}
