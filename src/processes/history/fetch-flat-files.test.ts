import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import Fastify from 'fastify';
import { afterAll, expect, test } from 'vitest';
import { flatFilePath } from '#adapters/market-data/massive/flat-files/flat-file.ts';
import { flatFileStore } from '#adapters/market-data/massive/flat-files/flat-file-store.ts';
import { parquetHistory } from '#adapters/market-history/parquet/history-store.ts';
import { listHistoryFiles } from '#records/market/history-heads.ts';
import { saveInstrumentFacts } from '#records/market/instrument-facts.ts';
import { saveInstruments } from '#records/market/instruments.ts';
import { mountFlatFiles } from '#sandbox/massive/flat-files.ts';
import type { PriceSource } from '#sandbox/market/price-source.ts';
import { DEFAULT_SEED, simulatedMarket } from '#sandbox/market/simulated-market.ts';
import { testDatabase } from '#tests/support/test-database.ts';
import type { Symbol } from '#units/identifiers.ts';
import { type IsoDate, parseInstant } from '#units/instant.ts';
import { readHistoryRequest } from './history-arguments.ts';
import { importHistory } from './import-history.ts';
import { runFlatFetch } from './run-flat-fetch.ts';
import { HistoryStop } from './write-history.ts';

const KEYS = { id: 'a key', secret: 'a secret' };
const NOW = parseInstant('2025-03-07T23:00:00Z');
const TLCO = 'TLCO' as Symbol;
const NVSM = 'NVSM' as Symbol;
const { database } = await testDatabase();
const whole = simulatedMarket(DEFAULT_SEED);
const listed = whole.instruments.filter(({ symbol }) => symbol === TLCO || symbol === NVSM);
/** A third share is in the vendor's files, and not on this market. */
const others = whole.instruments.filter(({ symbol }) => symbol === 'BWMKT');
const prices: PriceSource = { ...whole, instruments: [...listed, ...others] };
await saveInstruments(database, listed, 'live');

const app = Fastify();
const asked: string[] = [];
app.addHook('onRequest', async (request) => void asked.push(request.url));
mountFlatFiles(app, { prices, now: () => NOW, keys: KEYS });
const url = await app.listen({ host: '127.0.0.1', port: 0 });
afterAll(() => app.close());

const folder = mkdtempSync(path.join(tmpdir(), 'flat-'));
afterAll(() => rmSync(folder, { recursive: true }));
const store = parquetHistory(path.join(folder, 'history'));

function world(source: 'live' | 'import' = 'live') {
  const said: string[] = [];
  const tools = { database, store, source, now: () => NOW, say: (line: string) => void said.push(line) };
  const run = (words: string, secretKey: string | null = KEYS.secret) => {
    const request = readHistoryRequest(['fetch', '--flat-files', ...words.split(' ')]);
    if (request.command !== 'fetch-flat-files') throw new Error(request.command);
    const config = secretKey === null ? null : { url, keyId: KEYS.id, secretKey };
    return runFlatFetch({ ...tools, request, config });
  };
  const stored = async (symbol: Symbol, interval: '1d' | '1m' = '1d') => {
    const files = await listHistoryFiles(database, { source, interval, symbols: [symbol] });
    const read = store.bars(files);
    if (!read.ok) throw new Error(read.fault.code);
    return { bars: read.value, groups: files.reduce((sum, { rowGroups }) => sum + rowGroups, 0) };
  };
  return { said, tools, run, stored };
}

test('days of the shares of this market are stored, a year in one row group, and the next fetch goes on', async () => {
  const { run, said, stored } = world();
  expect(await run('--from 2025-02-28 --to 2025-03-05')).toBe(true);
  expect(said).toEqual([
    '2025-02-28 to 2025-03-05: 4 of 4 files, 2 of 2 shares, 8 bars added, 0 already stored, 0 revised',
  ]);
  const range = { from: '2025-02-28' as IsoDate, to: '2025-03-05' as IsoDate, asOf: NOW };
  expect((await stored(TLCO)).bars).toEqual(prices.dailyBars(TLCO, range));
  expect((await stored(TLCO)).groups).toBe(1);
  asked.length = 0;
  expect(await run('--to 2025-03-07')).toBe(true);
  expect(asked).toEqual(
    ['2025-03-06', '2025-03-07'].map((date) => `/flatfiles/${flatFilePath(date as IsoDate, '1d')}`),
  );
  expect((await stored(TLCO)).bars).toHaveLength(6);
});

test('minutes are those of the session', async () => {
  const { run, said, stored } = world();
  expect(await run('TLCO --interval 1m --from 2025-03-06 --to 2025-03-06')).toBe(true);
  expect(said).toEqual([
    '2025-03-06 to 2025-03-06: 1 of 1 files, 1 of 1 shares, 390 bars added, 0 already stored, 0 revised, 30 minutes outside of the session left out',
  ]);
  const { bars } = await stored(TLCO, '1m');
  expect([bars[0]!.openedAt, bars.at(-1)!.closedAt]).toEqual([
    parseInstant('2025-03-06T14:30:00Z'),
    parseInstant('2025-03-06T21:00:00Z'),
  ]);
});

test('wrong keys, none, no first day and a share that nobody knows are refused with the way out', async () => {
  const { run } = world();
  await expect(run('--from 2025-03-05', 'another')).rejects.toThrow(
    'MASSIVE_S3_KEY_ID and MASSIVE_S3_SECRET_KEY: SignatureDoesNotMatch',
  );
  await expect(run('--from 2025-03-05', null)).rejects.toThrow(
    'MASSIVE_S3_KEY_ID and MASSIVE_S3_SECRET_KEY are not set',
  );
  await expect(world('import').run('--to 2025-03-05')).rejects.toThrow('--from DATE');
  await expect(run('NOBODY --from 2025-03-05')).rejects.toThrow(HistoryStop);
  await expect(run('--from 2025-03-05 --folder /nowhere')).rejects.toThrow('there is no folder /nowhere');
  expect(() => readHistoryRequest(['fetch', '--flat-files', '--interval', '1h'])).toThrow(
    '--interval must be 1d or 1m',
  );
  expect(() => readHistoryRequest(['fetch', '--to', '2025-03-05'])).toThrow('--to goes with --flat-files');
});

test('a file that is missing and a row that cannot be read are named, and the rest is stored', async () => {
  const { run, said, stored } = world('import');
  await download('2025-03-04' as IsoDate, (text) => text.replace(/^TLCO,[^,]*/m, 'TLCO,many'));
  await download('2025-03-06' as IsoDate);
  expect(await run(`--from 2025-03-04 --to 2025-03-07 --folder ${folder}`, null)).toBe(false);
  expect(said).toEqual([
    '2025-03-04: TLCO is not stored: volume "many" is not a number',
    'there is no file of 2025-03-05, 2025-03-07',
    '2025-03-04 to 2025-03-07: 2 of 4 files, 2 of 2 shares, 3 bars added, 0 already stored, 0 revised',
  ]);
  expect((await stored(TLCO)).bars.map(({ date }) => date)).toEqual(['2025-03-06']);
});

test('a file that was downloaded is imported like others: of the live market, its shares', async () => {
  const { tools, said, stored } = world();
  const file = await download('2025-03-03' as IsoDate);
  const request = readHistoryRequest(['import', file, '--kind', 'equity']);
  if (request.command !== 'import') throw new Error(request.command);
  expect(await importHistory({ ...tools, ...request })).toBe(true);
  expect(said).toHaveLength(2);
  expect((await stored(NVSM)).bars.map(({ date }) => date)).toContain('2025-03-03');
  expect((await stored('BWMKT' as Symbol)).bars).toEqual([]);
});

test('a share is found under the ticker of the day', async () => {
  const { run, stored } = world();
  const facts = [
    { symbol: NVSM, kind: 'ticker', value: 'OLDN', from: '2024-01-01' as IsoDate },
    { symbol: NVSM, kind: 'ticker', value: 'BWMKT', from: '2024-11-06' as IsoDate },
  ] as const;
  await saveInstrumentFacts(database, facts, { source: 'massive', knownAt: NOW });
  expect(await run('NVSM --from 2024-11-05 --to 2024-11-06')).toBe(true);
  const { bars } = await stored(NVSM);
  const range = { from: '2024-11-06' as IsoDate, to: '2024-11-06' as IsoDate, asOf: NOW };
  expect(bars.filter(({ date }) => date === '2024-11-06')).toEqual(
    prices.dailyBars('BWMKT' as Symbol, range),
  );
  expect(bars.some(({ date }) => date === '2024-11-05')).toBe(false);
});

/** Into the vendor's own folders. */
async function download(date: IsoDate, spoil: (text: string) => string = (text) => text): Promise<string> {
  const answer = await flatFileStore({ url, keyId: KEYS.id, secretKey: KEYS.secret })(date, '1d');
  if (!answer.ok || answer.value === null) throw new Error('the stand-in has no such file');
  const file = path.join(folder, flatFilePath(date, '1d'));
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, gzipSync(spoil(answer.value)));
  return file;
}
