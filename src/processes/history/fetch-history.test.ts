import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { parquetHistory } from '#adapters/market-history/parquet/history-store.ts';
import type { MarketDataFeed } from '#ports/market-data.ts';
import { listBars } from '#records/market/bars.ts';
import { findInstrument } from '#records/market/instruments.ts';
import { storeMarket } from '#tests/support/committed-strategy.ts';
import { SAMPLE_SYMBOLS } from '#tests/support/engine/sample-definitions.ts';
import { testDatabase } from '#tests/support/test-database.ts';
import type { Symbol } from '#units/identifiers.ts';
import { fetchHistory } from './fetch-history.ts';
import { HistoryStop } from './write-history.ts';

const { database } = await testDatabase();
await storeMarket(database);
const symbol = SAMPLE_SYMBOLS[0]!;
const bars = await listBars(database, { symbol, interval: '1d', source: 'sandbox' });
const instrument = (await findInstrument(database, symbol))!;
const now = bars.at(-1)!.closedAt;
const [firstYear, lastYear] = [bars[0]!.date.slice(0, 4), bars.at(-1)!.date.slice(0, 4)];

/** Answers with the bars above, and notes what it was asked for. */
function feedOf(fails: (year: string) => boolean) {
  const asked: string[] = [];
  const feed = {
    instruments: async () => ({ ok: true, value: [instrument] }),
    clock: async () => ({ ok: true, value: { now } }),
    dailyBars: async (_: Symbol, from: string, to: string) => {
      const year = from.slice(0, 4);
      if (fails(year)) return { ok: false, code: 'unreachable', message: 'no answer' };
      asked.push(year);
      return {
        ok: true,
        value: { bars: bars.filter(({ date }) => date >= from && date <= to), malformed: null },
      };
    },
  } as unknown as MarketDataFeed;
  return { feed, asked };
}

function fetching(feed: MarketDataFeed, symbols: readonly Symbol[] = []) {
  const folder = mkdtempSync(path.join(tmpdir(), 'history-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const said: string[] = [];
  const store = parquetHistory(folder);
  const run = (through = feed) =>
    fetchHistory({
      database,
      store,
      feed: through,
      source: 'live',
      symbols,
      from: bars[0]!.date,
      again: false,
      now: () => now,
      pause: async () => undefined,
      say: (line) => void said.push(line),
    });
  return { run, said };
}

test('a fetch that was cut off keeps what it has, says the way out, and goes on after the last day', async () => {
  expect(Number(lastYear)).toBeGreaterThan(Number(firstYear));
  const first = feedOf((year) => year === lastYear);
  const { run, said } = fetching(first.feed);
  expect(await run()).toBe(false);
  expect(said.at(-1)).toContain('no answer. Fetch again: what is stored stays');
  const second = feedOf(() => false);
  expect(await run(second.feed)).toBe(true);
  expect(second.asked).toEqual([lastYear]);
  expect(first.asked).not.toContain(lastYear);
});

test('a symbol that the feed does not know is named, and no key works for nothing', async () => {
  const { run, said } = fetching(feedOf(() => false).feed, ['NOBODY' as Symbol]);
  expect(await run()).toBe(false);
  expect(said).toEqual([
    '[1/1] nobody knows NOBODY at this feed: check how it is written, or add it to MARKET_SYMBOLS',
  ]);
  const refused = {
    instruments: async () => ({ ok: false, code: 'unauthorized', message: 'the keys were refused' }),
  };
  const attempt = fetching(refused as unknown as MarketDataFeed).run();
  await expect(attempt).rejects.toThrow(
    new HistoryStop('the instruments: the keys were refused. Correct the keys and fetch again.'),
  );
});
