import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Symbol } from '#units/identifiers.ts';
import { addDays, type IsoDate } from '#units/instant.ts';
import { type InstrumentFact, isAnotherCompany, newFacts } from './instrument-fact.ts';
import { haltsOn, type SecurityChange, UNDATED } from './security-change.ts';
import { renamedTickers, tickersOf } from './tickers.ts';

const day = (text: string) => text as IsoDate;
const FB = 'FB' as Symbol;
const META = 'META' as Symbol;
const META_2 = 'META.2' as Symbol;
const called = (symbol: Symbol, value: string, from: string): InstrumentFact => ({
  symbol,
  kind: 'ticker',
  value,
  from: day(from),
});
const rename = (symbol: Symbol, date: string, ticker: string): SecurityChange => ({
  symbol,
  event: 'rename',
  date: day(date),
  ticker,
});

/** A fund called META becomes METV in January 2022; Facebook, called FB, becomes META in June. */
const FACTS = [called(META, 'META', '2021-06-30'), called(FB, 'FB', '2021-06-30')];
const RENAMED = [...FACTS, called(META, 'METV', '2022-01-31'), called(FB, 'META', '2022-06-09')];

describe('a ticker that is handed to another company', () => {
  const tickers = tickersOf(RENAMED);

  it('means each company in its days, and nobody of ours between them', () => {
    expect(tickers.symbolOn('META', day('2021-12-01'))).toBe(META);
    expect(tickers.symbolOn('META', day('2022-03-01'))).toBe(null);
    expect(tickers.symbolOn('META', day('2022-06-08'))).toBe(null);
    expect(tickers.symbolOn('META', day('2022-06-09'))).toBe(FB);
    expect(tickers.symbolOn('METV', day('2022-06-09'))).toBe(META);
    expect(tickers.symbolOn('FB', day('2022-06-09'))).toBe(null);
  });

  it('is asked of the vendor for the company that has it that day', () => {
    expect([tickers.tickerOn(FB, day('2022-06-08')), tickers.tickerOn(FB, day('2022-06-09'))]).toEqual([
      'FB',
      'META',
    ]);
    expect(tickers.tickerOn(META, day('2022-06-09'))).toBe('METV');
    expect(tickers.everOf(FB)).toEqual(['FB', 'META']);
  });

  it('in a list of the days after a rename, still means the share that had it, and soon no more', () => {
    expect(tickers.symbolInList('FB', day('2022-06-12'))).toBe(FB);
    expect(tickers.symbolInList('FB', day('2022-06-20'))).toBe(null);
    expect(tickers.symbolInList('META', day('2022-06-12'))).toBe(FB);
    expect(tickers.symbolInList('SPY', day('2022-06-12'))).toBe('SPY');
  });

  it('may be listed under a symbol of its own', () => {
    const both = tickersOf([
      ...FACTS,
      called(META, 'METV', '2022-01-31'),
      called(META_2, 'META', '2022-07-01'),
    ]);
    expect(both.symbolOn('META', day('2022-07-01'))).toBe(META_2);
    expect(both.tickerOn(META, day('2022-07-01'))).toBe('METV');
  });
});

describe('a share that is listed no more', () => {
  const NEXT = 'FB.2' as Symbol;
  const listing = (value: string, from: string): InstrumentFact => ({
    ...called(FB, value, from),
    kind: 'listing',
  });
  const on = day('2022-07-01');

  it('has its ticker until another of ours takes it', () => {
    const ended = [...FACTS, listing('ended', '2022-06-01')];
    expect(tickersOf(ended).symbolOn('FB', on)).toBe(FB);
    expect(tickersOf(ended).isListedOn(FB, on)).toBe(false);
    expect(tickersOf(ended).isListedOn(FB, day('2022-05-31'))).toBe(true);
    const taken = tickersOf([...ended, called(NEXT, 'FB', '2022-06-20')]);
    expect(taken.symbolOn('FB', on)).toBe(NEXT);
    expect(taken.symbolInList('FB', on)).toBe(NEXT);
  });

  it('has no ticker once another company has it, though that one is none of ours', () => {
    const tickers = tickersOf([...FACTS, listing('reused', '2022-06-28')]);
    expect(tickers.symbolOn('FB', day('2022-06-27'))).toBe(FB);
    expect(tickers.symbolOn('FB', on)).toBe(null);
    expect(tickers.symbolInList('FB', on)).toBe(null);
  });
});

describe('the days under each ticker', () => {
  it('follow each other without a gap', () => {
    const tickers = tickersOf(RENAMED);
    expect(tickers.stretchesOf(FB, { from: day('2022-06-01'), to: day('2022-06-30') })).toEqual([
      { ticker: 'FB', from: '2022-06-01', to: '2022-06-08' },
      { ticker: 'META', from: '2022-06-09', to: '2022-06-30' },
    ]);
    const before = { from: day('2021-06-01'), to: day('2021-07-30') };
    expect(tickers.stretchesOf(FB, before)).toEqual([{ ticker: 'FB', ...before }]);
  });
});

describe('a rename', () => {
  it('is followed by the next one, however the vendor lists them', () => {
    const found = renamedTickers(FACTS, [rename(FB, '2022-09-01', 'FB'), rename(FB, '2022-06-09', 'META')]);
    expect(found).toEqual([called(FB, 'META', '2022-06-09'), called(FB, 'FB', '2022-09-01')]);
  });

  it('is one new fact, found once, and nothing for the other share', () => {
    const found = renamedTickers(FACTS, [
      rename(META, '2022-01-31', 'METV'),
      rename(FB, '2022-06-09', 'META'),
    ]);
    expect(found).toEqual(RENAMED.slice(2));
    expect(renamedTickers(RENAMED, [rename(FB, '2022-06-09', 'META')])).toEqual([]);
  });

  it('stops nothing; a spin-off stops its share for thirty days, and an undated event for good', () => {
    const changes = [
      rename(FB, '2022-06-09', 'META'),
      { symbol: META, event: 'spin_off', date: day('2022-06-09') },
      { symbol: META_2, event: 'unread', date: UNDATED },
    ] as const;
    const stopped = { event: 'spin_off', date: '2022-06-09', until: '2022-07-10' };
    expect(haltsOn(changes, day('2022-06-09')).get(FB)).toBe(undefined);
    expect(haltsOn(changes, day('2022-06-09')).get(META)).toEqual(stopped);
    expect(haltsOn(changes, day('2022-07-09')).get(META)).toEqual(stopped);
    expect(haltsOn(changes, day('2022-07-10')).has(META)).toBe(false);
    expect(haltsOn(changes, day('2032-07-10')).has(META_2)).toBe(true);
  });
});

describe('what a vendor says', () => {
  const id = (value: string, from: string): InstrumentFact => ({
    ...called(FB, value, from),
    kind: 'vendor_id',
  });
  const today = day('2022-06-20');

  it('is written down once, and again when it differs', () => {
    const stated = [{ symbol: FB, kind: 'shortable', value: 'true' }] as const;
    const first = newFacts([], stated, today);
    expect(first).toEqual([{ ...stated[0], from: today }]);
    expect(newFacts(first, stated, day('2022-06-21'))).toEqual([]);
    const other = [{ ...stated[0], value: 'false' }] as const;
    expect(newFacts(first, other, day('2022-06-21'))).toEqual([{ ...other[0], from: '2022-06-21' }]);
  });

  it('is of another company when its key changes and its ticker does not, and then no fact of ours', () => {
    const known = [...FACTS, id('key-1', '2021-06-30')];
    expect(isAnotherCompany(known, { symbol: FB, vendorId: 'key-2', date: today })).toBe(true);
    expect(isAnotherCompany(known, { symbol: FB, vendorId: 'key-1', date: today })).toBe(false);
    const stated = [
      { symbol: FB, kind: 'vendor_id', value: 'key-2' },
      { symbol: FB, kind: 'name', value: 'ProShares S&P 500 Dynamic Buffer' },
    ] as const;
    const reused = { symbol: FB, kind: 'listing', value: 'reused', from: today };
    expect(newFacts(known, stated, today)).toEqual([reused]);
    expect(newFacts([...known, { ...reused, kind: 'listing' }], stated, today)).toEqual([]);
    const renamed = [...RENAMED, id('key-1', '2021-06-30')];
    expect(isAnotherCompany(renamed, { symbol: FB, vendorId: 'key-2', date: today })).toBe(false);
  });
});

const folder = resolve(import.meta.dirname, '../../../../shared/data/lean-us-daily/map_files');
it.skipIf(!existsSync(folder))(
  'the map files of LEAN in ../shared: each name means its own company on every day',
  () => {
    const files = readdirSync(folder).filter((name) => name !== 'fb.1.csv');
    const facts = files.flatMap((name) => {
      const rows = readFileSync(join(folder, name), 'utf8')
        .trim()
        .split('\n')
        .map((row) => row.split(','));
      // A row says until when, inclusive, the share had the name; the first is the day of its listing.
      return rows.map(([, ticker], i): InstrumentFact => {
        const before = rows[i - 1]?.[0];
        const from =
          before === undefined
            ? '1998-01-02'
            : `${before.slice(0, 4)}-${before.slice(4, 6)}-${before.slice(6)}`;
        const symbol = name.replace('.csv', '').toUpperCase() as Symbol;
        return called(symbol, ticker!.toUpperCase(), i === 0 ? from : addDays(day(from), i === 1 ? 0 : 1));
      });
    });
    const tickers = tickersOf(facts);
    expect(tickers.tickerOn('QQQ' as Symbol, day('2008-01-02'))).toBe('QQQQ');
    expect(tickers.tickerOn('QQQ' as Symbol, day('2011-03-23'))).toBe('QQQ');
    expect(tickers.symbolOn('QQQ', day('2008-01-02'))).toBe(null);
    expect(tickers.symbolOn('GOOG', day('2014-04-02'))).toBe('GOOGL');
    expect(tickers.symbolOn('GOOG', day('2014-04-03'))).toBe('GOOG');
    expect(tickers.tickerOn('WM' as Symbol, day('2009-08-04'))).toBe('WMI');
  },
);
