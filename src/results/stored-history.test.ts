import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { parquetHistory } from '#adapters/market-history/parquet/history-store.ts';
import { barsHash } from '#engine/evidence/fingerprints.ts';
import type { HistorySeries } from '#ports/market-history.ts';
import { writeHistory } from '#processes/history/write-history.ts';
import { listBars } from '#records/market/bars.ts';
import { listEvidenceSeries } from '#records/results/evidence-series.ts';
import { findPublicStrategy } from '#records/strategies/strategies.ts';
import { commitStrategy, resultTools, storeMarket } from '#tests/support/committed-strategy.ts';
import { SAMPLE_SYMBOLS } from '#tests/support/engine/sample-definitions.ts';
import { testDatabase } from '#tests/support/test-database.ts';
import { checkRecords } from '#trader/invariants/check-invariants.ts';
import type { Symbol } from '#units/identifiers.ts';
import { instant, MINUTE_MS } from '#units/instant.ts';
import { readSeries, renewResult } from './renew-result.ts';
import { storedHistory } from './stored-history.ts';

const { database } = await testDatabase();
const bars = await storeMarket(database);
const now = bars[699]!.closedAt;
const folder = mkdtempSync(path.join(tmpdir(), 'history-'));
afterAll(() => rmSync(folder, { recursive: true }));
const store = parquetHistory(folder);
const source = 'sandbox';
const key = (symbol: Symbol) => ({ symbol, interval: '1d', source }) as const;

const fromRecords = resultTools(database, now);
const fromFiles = () => ({
  ...fromRecords,
  history: storedHistory({ database, store, source, records: resultTools(database, now).history }),
});
const history: HistorySeries = (...asked) => Promise.resolve(store.series(...asked));
const version = await commitStrategy(database, { slug: 'files', committedAt: bars[499]!.closedAt });
const [first, second] = [SAMPLE_SYMBOLS[0]!, SAMPLE_SYMBOLS[1]!];
const file = (symbol: Symbol) => path.join(folder, `sandbox/1d/${symbol}/days.1.parquet`);

/** Years in files, the newest days in the records alone. */
async function fill(symbol: Symbol, count: number, knownAt = now) {
  const all = await listBars(database, key(symbol));
  return writeHistory({ database, store }, key(symbol), { bars: all.slice(0, count), knownAt });
}

test('a result has the same bits from the files as from the records', async () => {
  const plain = await readSeries(fromRecords, version.definition);
  await fill(first, 650);
  await fill(second, 700);
  const mixed = await readSeries(fromFiles(), version.definition);
  for (const [symbol, series] of plain) expect(barsHash(mixed.get(symbol)!), symbol).toBe(barsHash(series));
  expect(await renewResult(fromRecords, version)).toBe('renewed');
  // The same inputs to the last bit are the same result: there is nothing to compute again.
  expect(await renewResult(fromFiles(), version)).toBe('current');
});

test('a result from files names their seals, and its bars are found again after a revision', async () => {
  expect(await renewResult({ ...fromFiles(), engine: 'another engine' }, version)).toBe('renewed');
  const { barsRead } = (await findPublicStrategy(database, version.strategyId))!;
  expect(Object.keys(barsRead.heads!)).toContain(`sandbox/1d/${first}/days.1.parquet`);
  const read = async () => {
    const found: number[][] = [];
    for await (const one of listEvidenceSeries(database, barsRead, { scores: null, history }))
      found.push([...one.close]);
    return found;
  };
  const before = await read();
  const [bar] = await listBars(database, key(first));
  const revised = { ...bar!, close: bar!.open };
  const knownAt = instant(now + MINUTE_MS);
  const written = await writeHistory({ database, store }, key(first), { bars: [revised], knownAt });
  expect(written).toEqual({ added: 0, same: 0, revised: [bar!.date] });
  expect(await read()).toEqual(before);
  const after = await readSeries(fromFiles(), version.definition);
  expect(after.get(first)!.close[0]).toBe(bar!.open);
  expect((await checkRecords(database)).flatMap(({ violations }) => violations)).toEqual([]);
});

test('no result is computed from a file that was changed: it is named with its row group', async () => {
  const bytes = readFileSync(file(second));
  const changed = Buffer.from(bytes);
  changed[200]! ^= 1;
  writeFileSync(file(second), changed);
  await expect(readSeries(fromFiles(), version.definition)).rejects.toThrow(
    `${second}: sandbox/1d/${second}/days.1.parquet was changed after it was written, in row group 1`,
  );
  writeFileSync(file(second), bytes);
});
