import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { openTape } from '#sandbox/market/replay.ts';
import { tradingDays } from '../../../tests/support/trading-days.ts';
import { listBars, listBarSummaries, removeBars } from '#records/market/bars.ts';
import { listCorporateActions } from '#records/market/corporate-actions.ts';
import { findInstrument, removeInstrumentWithoutBars } from '#records/market/instruments.ts';
import type { Symbol } from '#units/identifiers.ts';
import { type IsoDate, parseInstant } from '#units/instant.ts';
import { testDatabase } from '../../../tests/support/test-database.ts';
import { exportTape } from '../demo-world/export-tape.ts';
import { type ImportRequest, readBarsRequest } from './bar-arguments.ts';
import { importBars } from './import-bars.ts';
import { showImport } from './show-import.ts';

const { database } = await testDatabase();
const folder = mkdtempSync(path.join(tmpdir(), 'bars-'));
afterAll(() => rmSync(folder, { recursive: true }));

beforeEach(async () => {
  for (const key of await listBarSummaries(database, 'import')) {
    await removeBars(database, key);
    await removeInstrumentWithoutBars(database, key.symbol);
  }
});

const symbol = (text: string) => text as Symbol;
const days = tradingDays('us-equity', { from: '2010-01-04' as IsoDate, to: '2010-02-26' as IsoDate });

function series(price: (index: number) => number): string {
  const rows = days.map(
    (date, i) => `${date},${price(i)},${price(i) + 1},${price(i) - 1},${price(i) + 0.5},1000`,
  );
  return ['date,open,high,low,close,volume', ...rows].join('\n');
}

function put(name: string, text: string | Buffer): string {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

function request(...words: string[]): ImportRequest {
  const read = readBarsRequest(['import', ...words]);
  if (read.command !== 'import') throw new Error('not an import');
  return read;
}

const stored = (name: string) =>
  listBars(database, { symbol: symbol(name), interval: '1d', source: 'import' });

describe('importing bars', () => {
  it('stores a file once: the second time changes nothing', async () => {
    const file = put(
      'once/SPY.csv',
      series((i) => 100 + i),
    );
    const spyRequest = request(file, '--symbol', 'spy', '--kind', 'equity');
    const first = await importBars(database, spyRequest);
    const before = await stored('SPY');
    const second = await importBars(database, spyRequest);
    expect(showImport(first)[1]).toContain(`${days.length} new bars, 0 already there`);
    expect(showImport(second)[1]).toContain(`0 new bars, ${days.length} already there`);
    expect(await stored('SPY')).toEqual(before);
    expect(before).toHaveLength(days.length);
  });

  it('keeps the good rows and lists the bad ones by line, or keeps nothing, as chosen', async () => {
    const lines = series((i) => 100 + i).split('\n');
    lines[4] = lines[4]!.replace(/,1000$/, ',many');
    const file = put('bad/SPY.csv', lines.join('\n'));
    const none = await importBars(database, request(file, '--kind', 'equity', '--on-error', 'refuse'));
    expect(showImport(none)).toContainEqual(expect.stringContaining('Nothing was kept'));
    expect(await stored('SPY')).toEqual([]);
    expect(await findInstrument(database, symbol('SPY'))).toBeNull();
    const rest = await importBars(database, request(file, '--kind', 'equity', '--on-error', 'keep'));
    expect(showImport(rest).join('\n')).toContain('line 5 refused: volume "many" is not a number');
    expect(showImport(rest).join('\n')).toContain('1 trading day without a bar, 2010-01-07');
    expect(await stored('SPY')).toHaveLength(days.length - 1);
  });

  it('takes a folder, names symbols after files, plain or gzipped, and notices the same series twice', async () => {
    put(
      'many/AAA.csv',
      series((i) => 50 + i),
    );
    put('many/bbb.csv.gz', gzipSync(series((i) => 50 + i)));
    put('many/CCC.csv', 'nothing,to,see\n1,2,3');
    const report = await importBars(database, request(path.join(folder, 'many'), '--kind', 'equity'));
    const text = showImport(report).join('\n');
    expect(text).toContain('the very same series is stored as AAA');
    expect(text).toContain('CCC.csv: not imported. line 1');
    expect((await listBarSummaries(database, 'import')).map((key) => key.symbol)).toEqual(['AAA', 'BBB']);
  });

  it('keeps raw bars and splits apart, and plays adjusted ones', async () => {
    const text = series((i) => (i < 10 ? 700 : 100));
    const file = put('split/XYZ.csv', text);
    const suspicious = await importBars(database, request(file, '--kind', 'equity'));
    expect(showImport(suspicious).join('\n')).toContain(`--splits FILE, a line of which is ${days[10]},7:1`);
    const splits = put('split/list/xyz.csv', `date,ratio\n${days[10]},7:1\n`);
    const known = await importBars(
      database,
      request(file, '--kind', 'equity', '--splits', path.dirname(splits)),
    );
    expect(showImport(known).join('\n')).not.toContain('looks like a split');
    expect((await stored('XYZ'))[0]!.close).toBe(700.5);
    expect(await listCorporateActions(database, symbol('XYZ'))).toEqual([
      { kind: 'split', exDate: days[10], amount: 7 },
    ]);

    const tapeFolder = path.join(folder, 'tape');
    expect(await exportTape(database, tapeFolder)).toEqual(['XYZ']);
    const tape = openTape(tapeFolder);
    const range = { from: days[0]!, to: days.at(-1)!, asOf: parseInstant('2011-01-01T00:00:00Z') };
    const played = tape.dailyBars(symbol('XYZ'), range);
    expect(played.map(({ close }) => close).slice(9, 11)).toEqual([100.0714, 100.5]);
    expect(played).toHaveLength(days.length);
  });

  it('makes days of hours for the tape', async () => {
    const hours = Array.from({ length: 48 }, (_, i) => {
      const at = new Date(Date.UTC(2018, 0, 2, i)).toISOString();
      return `${at},1.2,1.3,1.1,1.25`;
    });
    const file = put('hours/EURUSD.csv', ['time,open,high,low,close', ...hours].join('\n'));
    await importBars(database, request(file, '--kind', 'forex'));
    const tapeFolder = path.join(folder, 'tape-hours');
    await exportTape(database, tapeFolder);
    expect(openTape(tapeFolder).instruments[0]).toMatchObject({
      symbol: 'EURUSD',
      unitCurrency: 'EUR',
      currency: 'USD',
    });
    const rows = JSON.parse(readFileSync(path.join(tapeFolder, 'EURUSD.json'), 'utf8')) as {
      bars: unknown[];
    };
    expect(rows.bars).toHaveLength(3);
  });

  it('refuses a symbol already known as another kind, or a malformed pair', async () => {
    const file = put(
      'kinds/ABCUSD.csv',
      series((i) => 10 + i),
    );
    await importBars(database, request(file, '--kind', 'equity'));
    const again = await importBars(database, request(file, '--kind', 'crypto'));
    expect(showImport(again).join('\n')).toContain('already known as equity');
    const odd = await importBars(database, request(file, '--kind', 'forex', '--symbol', 'SPY'));
    expect(showImport(odd).join('\n')).toContain('a pair such as EURUSD');
  });

  it('says what to do when there is nothing to play', async () => {
    await expect(exportTape(database, path.join(folder, 'none'))).rejects.toThrow('Import some first');
  });
});

describe('the words of the command', () => {
  it.each([
    [['import', 'x.csv'], '--kind equity, forex or crypto'],
    [['import', '--kind', 'equity'], 'the file or folder'],
    [['import', 'x.csv', '--kind', 'bond'], 'must be one of equity, forex, crypto'],
    [['import', 'x.csv', '--kind', 'equity', '--symbol', '!'], 'is no symbol'],
    [['import', 'x.csv', '--kind', 'equity', '--from', '1/2/2010'], 'YYYY-MM-DD'],
    [['delete'], 'import, list or remove'],
  ])('%j is answered with the way out', (words, message) => {
    expect(() => readBarsRequest(words)).toThrow(message);
  });
});
