import { beforeEach, describe, expect, test } from 'vitest';
import { hours } from '#engine/market/calendar.ts';
import type { Bar, Instrument } from '#engine/market/instrument.ts';
import { storeMarket } from '#tests/support/committed-strategy.ts';
import { testDatabase } from '#tests/support/test-database.ts';
import { withoutGuards } from '#tests/support/without-guards.ts';
import type { Symbol } from '#units/identifiers.ts';
import type { IsoDate } from '#units/instant.ts';
import { toQuantity } from '#units/quantity.ts';
import type { BarKey } from './bar-key.ts';
import {
  listBars,
  listBarSummaries,
  listLastBars,
  listSymbolsWithSameBars,
  removeBars,
  saveBars,
} from './bars.ts';
import { findChangedBars, listChainHeads } from './changed-bars.ts';
import {
  findInstrument,
  listInstruments,
  removeInstrumentWithoutBars,
  saveInstruments,
} from './instruments.ts';

const { database } = await testDatabase();

const spy: Instrument = {
  symbol: 'SPY' as Symbol,
  kind: 'equity',
  name: 'SPY',
  currency: 'USD',
  unitCurrency: null,
  multiplier: 1,
  quantityStep: toQuantity(1),
  priceDecimals: 2,
  calendar: 'us-equity',
  settlement: 'cash',
  expiry: null,
};
const btc: Instrument = {
  ...spy,
  symbol: 'BTCUSD' as Symbol,
  kind: 'crypto',
  unitCurrency: 'BTC',
  quantityStep: toQuantity(0.0001),
  calendar: 'crypto',
};
const key: BarKey = { symbol: spy.symbol, interval: '1d', source: 'import' };

function bar(date: string, close: number): Bar {
  const { opensAt, closesAt } = hours('us-equity', date as IsoDate);
  return {
    openedAt: opensAt,
    closedAt: closesAt,
    date: date as IsoDate,
    open: 100.1,
    high: close + 1,
    low: 0.1 + 0.2,
    close,
    volume: 12.5,
  };
}
const bars = [bar('2010-01-04', 113.33), bar('2010-01-05', 113.63), bar('2010-01-06', 113.71)];

test('instruments are read back as saved, and are updated in place', async () => {
  await saveInstruments(database, [spy, btc], 'import');
  await saveInstruments(database, [{ ...spy, name: 'SPDR S&P 500' }], 'import');
  expect(await listInstruments(database)).toEqual([btc, { ...spy, name: 'SPDR S&P 500' }]);
  expect(await findInstrument(database, 'NONE' as Symbol)).toBeNull();
});

test('bars are read back bit for bit; saving them twice changes nothing', async () => {
  expect(await saveBars(database, key, bars)).toEqual({ added: 3, alreadyStored: 0, differing: [] });
  expect(await saveBars(database, key, bars)).toEqual({ added: 0, alreadyStored: 3, differing: [] });
  expect(await listBars(database, key)).toEqual(bars);
  expect(await listBars(database, key, { from: bars[1]!.date, to: bars[1]!.date })).toEqual([bars[1]]);
  expect(await listBars(database, key, { asOf: bars[0]!.closedAt })).toEqual([bars[0]]);
  expect(await listLastBars(database, key, 2)).toEqual(bars.slice(1));
});

test('a bar that differs is reported by its day and the stored one stays', async () => {
  const other = { ...bars[1]!, close: 99 };
  expect(await saveBars(database, key, [other])).toEqual({
    added: 0,
    alreadyStored: 0,
    differing: ['2010-01-05'],
  });
  expect(await listBars(database, key)).toEqual(bars);
});

test('the same series under another symbol is detected', async () => {
  expect(await listSymbolsWithSameBars(database, { ...key, symbol: btc.symbol }, bars)).toEqual(['SPY']);
  expect(await listSymbolsWithSameBars(database, key, bars)).toEqual([]);
});

test('a series is summarised, and removed with its instrument', async () => {
  expect(await listBarSummaries(database, 'import')).toEqual([
    { ...key, count: 3, firstDate: '2010-01-04', lastDate: '2010-01-06' },
  ]);
  expect(await removeInstrumentWithoutBars(database, spy.symbol)).toBe(false);
  expect(await removeBars(database, key)).toBe(3);
  expect(await removeInstrumentWithoutBars(database, spy.symbol)).toBe(true);
});

describe('the chain over bars', async () => {
  const handle = await testDatabase();
  const { database, pool, owner } = handle;
  const days = await storeMarket(database);
  const { rows: symbols } = await pool.query<{ symbol: Symbol }>('select symbol from instruments order by 1');
  const symbol = symbols[0]!.symbol;
  const key = { symbol, interval: '1d', source: 'sandbox' } as const;
  const chosen = { symbols: [symbol], source: 'sandbox', interval: '1d' } as const;
  const bars = await listBars(database, key);
  await owner.query('create table kept_bars as select * from bars');
  await owner.query('create table kept_heads as select * from bar_heads');

  const tamper = (statement: string) => withoutGuards(handle, statement);

  /** The seal of one day, recomputed by an attacker who knows the formula. */
  const reseal = (row: number) => `update bars b
  set seal = bar_seal(p.seal, b.closed_at, b.opened_at, b.date, b.open, b.high, b.low, b.close, b.volume)
  from bars p where p.symbol = b.symbol and p.link = b.link - 1 and b.symbol = '${symbol}' and b.date = '${bars[row]!.date}'`;

  beforeEach(() =>
    tamper(`delete from bars; insert into bars select * from kept_bars; delete from bar_heads;
    insert into bar_heads overriding system value select * from kept_heads`),
  );

  const found = async () => (await findChangedBars(database)).map(({ symbol: of, date }) => `${of} ${date}`);
  const ofDay = (row: number) => `symbol = '${symbol}' and date = '${bars[row]!.date}'`;

  test('unchanged bars verify, written in one batch or day by day', async () => {
    expect(days.length).toBe(bars.length);
    expect(await found()).toEqual([]);
    await removeBars(database, key);
    for (let from = 0; from < 60; from += 7) await saveBars(database, key, bars.slice(from, from + 7));
    await saveBars(database, key, bars);
    expect(await found()).toEqual([]);
    expect(await listBars(database, key)).toEqual(bars);
  });

  test.each([
    'update bars set close = close',
    'delete from bars',
    'truncate bars',
    'update bar_heads set link = link',
    'delete from bar_heads',
    'truncate bar_heads',
    'delete from instruments',
  ])('the database refuses: %s', async (statement) => {
    await expect(owner.query(statement)).rejects.toThrow(/append-only|whole series only/);
  });

  describe('with the guards off, a change is located by symbol and day', () => {
    test.each(['open', 'high', 'low', 'close', 'volume'])('of %s in the last bit', async (column) => {
      await tamper(`update bars set ${column} = ${column} * (1 + 3e-16) where ${ofDay(40)}`);
      expect(await found()).toEqual([`${symbol} ${bars[40]!.date}`]);
    });

    test('of a time', async () => {
      await tamper(`update bars set opened_at = opened_at + interval '1 millisecond' where ${ofDay(3)}`);
      expect(await found()).toEqual([`${symbol} ${bars[3]!.date}`]);
    });

    test('of a bar whose own seal was recomputed: the next one breaks', async () => {
      await tamper(`update bars set close = close * 1.0001 where ${ofDay(40)}; ${reseal(40)}`);
      expect(await found()).toEqual([`${symbol} ${bars[41]!.date}`]);
    });

    test('of the newest bar with its seal: the recorded end of the chain differs', async () => {
      const last = bars.length - 1;
      await tamper(`update bars set close = close * 1.0001 where ${ofDay(last)}; ${reseal(last)}`);
      expect(await found()).toEqual([`${symbol} ${bars[last]!.date}`]);
    });

    test('when a day is missing, in the middle or at the end', async () => {
      await tamper(`delete from bars where ${ofDay(40)}`);
      expect(await found()).toContain(`${symbol} ${bars[41]!.date}`);
      await tamper(`delete from bars where ${ofDay(bars.length - 1)}`);
      expect(await found()).toContain(`${symbol} ${bars.at(-1)!.date}`);
    });

    test('when a whole series was deleted unrecorded', async () => {
      await tamper(`delete from bars where symbol = '${symbol}'`);
      expect(await found()).toEqual([`${symbol} ${bars.at(-1)!.date}`]);
    });

    test('when a day was inserted by hand', async () => {
      await tamper(`insert into bars select symbol, interval, source, closed_at + interval '1 day', opened_at + interval '1 day',
      date + 1, open, high, low, close, volume, link + 1, seal from bars where ${ofDay(bars.length - 1)}`);
      expect((await findChangedBars(database, chosen)).map(({ reason }) => reason)).toEqual([
        'This day was never written down by the product.',
      ]);
    });
  });

  test('earlier days imported later join the chain at its end', async () => {
    await removeBars(database, key);
    await saveBars(database, key, bars.slice(300));
    const before = await listChainHeads(database, chosen);
    expect(await saveBars(database, key, bars.slice(0, 310))).toEqual({
      added: 300,
      alreadyStored: 10,
      differing: [],
    });
    expect(await found()).toEqual([]);
    expect(await listChainHeads(database, chosen)).not.toEqual(before);
  });

  test('a series that was removed and imported again never has the old chain', async () => {
    const before = await listChainHeads(database, chosen);
    await removeBars(database, key);
    expect(await found()).toEqual([]);
    await saveBars(database, key, bars);
    expect(await found()).toEqual([]);
    expect(await listChainHeads(database, chosen)).not.toEqual(before);
  });

  test('one series is checked alone when others were changed', async () => {
    await tamper(`update bars set close = close * 1.0001 where ${ofDay(40)}`);
    const others = symbols.map((one) => one.symbol).filter((one) => one !== symbol);
    expect(await findChangedBars(database, { symbols: others, source: 'sandbox', interval: '1d' })).toEqual(
      [],
    );
  });
});
