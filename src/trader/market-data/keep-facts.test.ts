import { expect, it } from 'vitest';
import type { Instrument } from '#engine/market/instrument.ts';
import type { StatedFact } from '#engine/market/instrument-fact.ts';
import type { SecurityChange } from '#engine/market/security-change.ts';
import { tickersOf } from '#engine/market/tickers.ts';
import type { MarketDataFeed } from '#ports/market-data.ts';
import { listInstrumentFacts } from '#records/market/instrument-facts.ts';
import { equityInstrument } from '#tests/support/engine/random-market.ts';
import { testDatabase } from '#tests/support/test-database.ts';
import type { Symbol } from '#units/identifiers.ts';
import { type IsoDate, parseInstant } from '#units/instant.ts';
import { createMarketWatch } from './market-view.ts';

const { database } = await testDatabase();
const FB = 'FB' as Symbol;
const GLOP = 'GLOP' as Symbol;
const day = (text: string) => text as IsoDate;
const source = 'vendor';

/** A vendor that says the same until the test changes it. */
function vendorFeed() {
  const said = {
    now: parseInstant('2022-06-08T15:00:00Z'),
    facts: [{ symbol: FB, kind: 'ticker', value: 'FB' }] as readonly StatedFact[],
    changes: [] as readonly SecurityChange[],
    instruments: [equityInstrument('FB'), equityInstrument('GLOP')] as readonly Instrument[],
  };
  const ok = async <Value>(value: Value) => ({ ok: true, value }) as const;
  const feed: MarketDataFeed = {
    instruments: () => ok(said.instruments),
    clock: () => ok({ now: said.now, daySeconds: 86_400, mode: 'live', paused: false, endsAt: null }),
    dailyBars: () => ok({ bars: [], malformed: null }),
    corporateActions: () => ok([]),
    quotes: (symbols) =>
      ok(symbols.map((symbol) => ({ symbol, last: 100, bid: 100, ask: 100, open: true, at: said.now }))),
    vendors: [{ name: source, facts: () => ok(said.facts), changes: () => ok(said.changes) }],
  };
  return { feed, said };
}

it('a rename that is known the evening before is kept with its day, and survives a restart', async () => {
  const { feed, said } = vendorFeed();
  const watch = createMarketWatch(feed, database, () => 0);
  await watch.look();
  said.changes = [{ symbol: FB, event: 'rename', date: day('2022-06-09'), ticker: 'META' }];
  await watch.look();
  const again = createMarketWatch(feed, database, () => 0);
  await again.look();
  const facts = await listInstrumentFacts(database, { source });
  expect(facts.map(({ value, from }) => `${value} ${from}`)).toEqual(['FB 2022-06-08', 'META 2022-06-09']);
  const tickers = tickersOf(facts);
  expect(tickers.tickerOn(FB, day('2022-06-08'))).toBe('FB');
  expect(tickers.symbolOn('META', day('2022-06-09'))).toBe(FB);
});

it('what the vendor still says in the evening does not undo the rename of the day to come', async () => {
  const { feed, said } = vendorFeed();
  said.now = parseInstant('2022-06-09T01:00:00Z');
  said.changes = [{ symbol: FB, event: 'rename', date: day('2022-06-09'), ticker: 'META' }];
  await createMarketWatch(feed, database, () => 0).look();
  await createMarketWatch(feed, database, () => 0).look();
  const tickers = tickersOf(await listInstrumentFacts(database, { source }));
  expect(tickers.tickerOn(FB, day('2022-06-08'))).toBe('FB');
  expect(tickers.tickerOn(FB, day('2022-06-09'))).toBe('META');
});

it('an event that is not carried out in the books stops its share alone, for the days it counts', async () => {
  const { feed, said } = vendorFeed();
  said.changes = [{ symbol: GLOP, event: 'merger', date: day('2022-06-01') }];
  const watch = createMarketWatch(feed, database, () => 0);
  const { instruments } = await watch.look();
  const halt = { event: 'merger', date: '2022-06-01', until: '2022-07-02' };
  expect(instruments.get(GLOP)?.terms).toEqual({ halt });
  expect(instruments.get(FB)?.terms).toBe(undefined);
  said.now = parseInstant('2022-07-05T15:00:00Z');
  expect((await watch.look()).instruments.get(GLOP)?.terms).toBe(undefined);
});
