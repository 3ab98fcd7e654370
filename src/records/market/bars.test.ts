import { expect, test } from 'vitest';
import { hours } from '#engine/market/calendar.ts';
import type { Bar, Instrument } from '#engine/market/instrument.ts';
import type { Symbol } from '#units/identifiers.ts';
import type { IsoDate } from '#units/instant.ts';
import { toQuantity } from '#units/quantity.ts';
import { testDatabase } from '../../../tests/support/test-database.ts';
import type { BarKey } from './bar-key.ts';
import {
  listBars,
  listBarSummaries,
  listLastBars,
  listSymbolsWithSameBars,
  removeBars,
  saveBars,
} from './bars.ts';
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

test('instruments come back as they were saved, and are changed in place', async () => {
  await saveInstruments(database, [spy, btc], 'import');
  await saveInstruments(database, [{ ...spy, name: 'SPDR S&P 500' }], 'import');
  expect(await listInstruments(database)).toEqual([btc, { ...spy, name: 'SPDR S&P 500' }]);
  expect(await findInstrument(database, 'NONE' as Symbol)).toBeNull();
});

test('bars come back bit for bit; saving them twice changes nothing', async () => {
  expect(await saveBars(database, key, bars)).toEqual({ added: 3, alreadyStored: 0, differing: [] });
  expect(await saveBars(database, key, bars)).toEqual({ added: 0, alreadyStored: 3, differing: [] });
  expect(await listBars(database, key)).toEqual(bars);
  expect(await listBars(database, key, { from: bars[1]!.date, to: bars[1]!.date })).toEqual([bars[1]]);
  expect(await listBars(database, key, { asOf: bars[0]!.closedAt })).toEqual([bars[0]]);
  expect(await listLastBars(database, key, 2)).toEqual(bars.slice(1));
});

test('a bar that differs is told by its day and the stored one stands', async () => {
  const other = { ...bars[1]!, close: 99 };
  expect(await saveBars(database, key, [other])).toEqual({
    added: 0,
    alreadyStored: 0,
    differing: ['2010-01-05'],
  });
  expect(await listBars(database, key)).toEqual(bars);
});

test('the same series under another symbol is noticed', async () => {
  expect(await listSymbolsWithSameBars(database, { ...key, symbol: btc.symbol }, bars)).toEqual(['SPY']);
  expect(await listSymbolsWithSameBars(database, key, bars)).toEqual([]);
});

test('a series is summed up and removed with its instrument', async () => {
  expect(await listBarSummaries(database, 'import')).toEqual([
    { ...key, count: 3, firstDate: '2010-01-04', lastDate: '2010-01-06' },
  ]);
  expect(await removeInstrumentWithoutBars(database, spy.symbol)).toBe(false);
  expect(await removeBars(database, key)).toBe(3);
  expect(await removeInstrumentWithoutBars(database, spy.symbol)).toBe(true);
});
