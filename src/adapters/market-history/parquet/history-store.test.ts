import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { afterAll, expect, test } from 'vitest';
import type { Bar, BarInterval } from '#engine/market/instrument.ts';
import type { HistoryFile } from '#ports/market-history.ts';
import type { Symbol } from '#units/identifiers.ts';
import {
  addDays,
  DAY_MS,
  type Instant,
  instant,
  instantOfDate,
  type IsoDate,
  MINUTE_MS,
} from '#units/instant.ts';
import { parquetHistory } from './history-store.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'parquet-'));
afterAll(() => rmSync(folder, { recursive: true }));
const store = parquetHistory(folder);
const START = '2020-01-01' as IsoDate;
const KNOWN = instant(Date.UTC(2026, 0, 1));

let count = 0;
const newKey = (interval: BarInterval = '1d') =>
  ({ source: 'import', interval, symbol: `S${++count}` as Symbol }) as const;

function bar(day: number, close: number, volume = 1_000): Bar {
  const date = addDays(START, day);
  const openedAt = instantOfDate(date);
  return {
    date,
    openedAt,
    closedAt: (openedAt + DAY_MS) as Instant,
    open: close,
    high: close + 1,
    low: close - 1,
    close,
    volume,
  };
}

/** New York's close in summer, and that of a half day. */
const HOURS = [20 * 60 * MINUTE_MS, 17 * 60 * MINUTE_MS];

function closingAt(offsetMs: number, one: Bar): Bar {
  return { ...one, closedAt: (instantOfDate(one.date) + offsetMs) as Instant };
}

/** Writes as the commands do, and answers the files as the records would name them. */
function write(
  key: ReturnType<typeof newKey>,
  bars: readonly Bar[],
  {
    files = [],
    knownAt = KNOWN,
  }: { readonly files?: readonly HistoryFile[]; readonly knownAt?: Instant } = {},
): readonly HistoryFile[] {
  const prepared = store.prepare(key, { files, names: files.map(({ file }) => file), bars, knownAt });
  if (!prepared.ok) throw new Error(prepared.fault.code);
  const heads = new Map(files.map((one) => [one.file, one]));
  for (const { file } of prepared.value) {
    if (file === null) continue;
    store.put(file);
    heads.set(file.file, { file: file.file, seals: [file.seal], rowGroups: file.rowGroups });
  }
  return [...heads.values()];
}

const barsIn = (files: readonly HistoryFile[], range = {}) => {
  const read = store.bars(files, range);
  if (!read.ok) throw new Error(read.fault.code);
  return read.value;
};

test('any bars come back to the last bit, whatever their numbers, however they were cut into writes', () => {
  const price = fc.oneof(
    fc.integer({ min: 200, max: 2 ** 40 }).map((cents) => cents / 100),
    fc.double({ min: 2, max: 1e9, noNaN: true }),
  );
  const bars = fc.array(fc.tuple(price, fc.oneof(fc.nat(), fc.double({ min: 0, max: 1e15, noNaN: true }))), {
    minLength: 1,
    maxLength: 400,
  });
  fc.assert(
    fc.property(bars, fc.nat(400), (numbers, cut) => {
      const all = numbers.map(([close, volume], day) => bar(day, close, volume));
      const key = newKey();
      const first = write(key, all.slice(0, cut));
      expect(barsIn(write(key, all.slice(cut), { files: first }))).toEqual(all);
    }),
    { numRuns: 60 },
  );
});

test('an independent reader finds the same numbers in the file', async () => {
  const all = Array.from({ length: 300 }, (_, day) =>
    closingAt(HOURS[day % 50 === 0 ? 1 : 0]!, bar(day, 100 + (day % 7) / 100, day * 1_000_003)),
  );
  const [{ file }] = write(newKey(), all) as [HistoryFile];
  const bytes = readFileSync(path.join(folder, file));
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  expect(Number(parquetMetadata(buffer).num_rows)).toBe(300);
  const rows = await parquetReadObjects({ file: buffer });
  expect(rows.map(({ close }) => close)).toEqual(all.map(({ close }) => close));
  expect(rows.map(({ volume }) => Number(volume))).toEqual(all.map(({ volume }) => volume));
  expect(rows.map(({ close_offset_ms }) => close_offset_ms)).toEqual(
    all.map(({ date, closedAt }) => closedAt - instantOfDate(date)),
  );
  expect(rows[299]!['date']).toEqual(new Date(instantOfDate(all[299]!.date)));
  expect(rows[0]!['known_at']).toEqual(new Date(KNOWN));
});

test('hours of a close come back whether they repeat or never do', () => {
  const hour = fc.oneof(
    fc.constantFrom(...HOURS),
    fc.integer({ min: -DAY_MS, max: DAY_MS }).filter((ms) => ms !== 0),
  );
  fc.assert(
    fc.property(fc.array(hour, { minLength: 1, maxLength: 400 }), (hours) => {
      const all = hours.map((ms, day) => closingAt(ms, bar(day * 3, 100)));
      expect(barsIn(write(newKey(), all))).toEqual(all);
    }),
    { numRuns: 60 },
  );
});

test('a short day takes a few bytes, not a wider number for every day around it', () => {
  const sizeOf = (shortDays: number) => {
    const all = Array.from({ length: 1_000 }, (_, day) =>
      closingAt(HOURS[day % 100 < shortDays ? 1 : 0]!, bar(day, 100)),
    );
    return readFileSync(path.join(folder, write(newKey(), all)[0]!.file)).length;
  };
  expect(sizeOf(1) - sizeOf(0)).toBeLessThan(1_000 / 5);
});

test('a revision stands from when it was known, and what was known before is still read', () => {
  const key = newKey();
  const all = [bar(0, 10.5), bar(1, 11), bar(2, 12)];
  const first = write(key, all);
  const later = instant(KNOWN + DAY_MS);
  const files = write(key, [bar(1, 11.5), bar(3, 13)], { files: first, knownAt: later });
  expect(files).toHaveLength(1);
  expect(barsIn(files)).toEqual([bar(0, 10.5), bar(1, 11.5), bar(2, 12), bar(3, 13)]);
  expect(barsIn(files, { knownAt: KNOWN })).toEqual(all);
  expect(barsIn(files, { knownAt: instant(KNOWN - 1) })).toEqual([]);
  expect(barsIn(files, { asOf: bar(1, 11).closedAt })).toEqual([bar(0, 10.5), bar(1, 11.5)]);
});

test('writing the same bars again changes nothing', () => {
  const key = newKey();
  const all = [bar(0, 10), bar(1, 11)];
  const files = write(key, all);
  const again = store.prepare(key, { files, names: [files[0]!.file], bars: all, knownAt: KNOWN });
  expect(again).toEqual({ ok: true, value: [{ added: 0, same: 2, revised: [], file: null }] });
});

test('minutes have a file a year', () => {
  const minute = (at: Instant, date: string): Bar => ({
    ...bar(0, 10),
    date: date as IsoDate,
    openedAt: (at - MINUTE_MS) as Instant,
    closedAt: at,
  });
  const all = [
    minute(instant(Date.UTC(2020, 11, 31, 20)), '2020-12-31'),
    minute(instant(Date.UTC(2021, 0, 4, 15)), '2021-01-04'),
  ];
  const files = write(newKey('1m'), all);
  expect(files.map(({ file }) => path.basename(file))).toEqual(['2020.1.parquet', '2021.1.parquet']);
  expect(barsIn(files)).toEqual(all);
});

test('every changed byte is named: its file, and its row group or the footer', () => {
  const key = newKey();
  const first = write(
    key,
    Array.from({ length: 40 }, (_, day) => bar(day, 10 + day)),
  );
  const [file] = write(key, [bar(40, 55)], { files: first }) as [HistoryFile];
  const place = path.join(folder, file.file);
  const bytes = readFileSync(place);
  const groups = store.groups(file);
  if (!groups.ok) throw new Error(groups.fault.code);
  expect(groups.value.map(({ bars }) => bars)).toEqual([40, 1]);
  const named = new Set<string>();
  for (let at = 0; at < bytes.length; at++) {
    const changed = Buffer.from(bytes);
    changed[at]! ^= 1 << (at % 8);
    writeFileSync(place, changed);
    const fault = store.check(file);
    expect(fault, `byte ${at}`).toMatchObject({ file: file.file });
    named.add(`${fault!.code} ${fault!.rowGroup}`);
    expect(store.bars([file]).ok, `byte ${at}`).toBe(false);
  }
  expect([...named].sort()).toEqual(['changed 0', 'changed 1', 'changed 2', 'not_parquet null']);
  writeFileSync(place, bytes);
  expect(store.check(file)).toBeNull();
});

test('a shortened file, an older copy, another text and a lost file are told apart', () => {
  const key = newKey();
  const first = write(key, [bar(0, 10)]);
  const place = path.join(folder, first[0]!.file);
  const older = readFileSync(place);
  const [file] = write(key, [bar(1, 11)], { files: first }) as [HistoryFile];
  const newest = readFileSync(place);
  const faultOf = (bytes: Buffer | string) => {
    writeFileSync(place, bytes);
    return store.check(file)?.code;
  };
  expect(faultOf(older)).toBe('unknown');
  expect(faultOf(newest.subarray(0, 300))).toBe('not_parquet');
  expect(faultOf('date,open,high,low,close\n')).toBe('not_parquet');
  expect(faultOf(newest)).toBeUndefined();
  rmSync(place);
  expect(store.check(file)?.code).toBe('missing');
  expect(store.check({ ...file, mayBeMissing: true })).toBeNull();
});

test('a file that nobody wrote down is not written over', () => {
  const key = newKey();
  const [file] = write(key, [bar(0, 10)]) as [HistoryFile];
  const prepared = store.prepare(key, { files: [], names: [], bars: [bar(0, 12)], knownAt: KNOWN });
  expect(prepared).toMatchObject({ ok: false, fault: { file: file.file, code: 'unknown' } });
});

test('a write that stops before the rename leaves the old file whole', () => {
  const key = newKey();
  const files = write(key, [bar(0, 10)]);
  writeFileSync(`${path.join(folder, files[0]!.file)}.writing`, 'half of a');
  expect(barsIn(files)).toEqual([bar(0, 10)]);
  expect(barsIn(write(key, [bar(1, 11)], { files }))).toEqual([bar(0, 10), bar(1, 11)]);
});
