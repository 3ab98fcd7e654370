import { expect, test } from 'vitest';
import { hours } from '#engine/market/calendar.ts';
import { tradingDays } from '../../../../tests/support/trading-days.ts';
import type { Bar } from '#engine/market/instrument.ts';
import type { IsoDate } from '#units/instant.ts';
import { judgeSeries } from './judge-series.ts';
import { parseCorporateActions } from './parse-corporate-actions.ts';

function series(prices: Readonly<Record<string, number>>): Bar[] {
  return Object.entries(prices).map(([text, price]) => {
    const date = text as IsoDate;
    const { opensAt, closesAt } = hours('us-equity', date);
    return {
      openedAt: opensAt,
      closedAt: closesAt,
      date,
      open: price,
      high: price,
      low: price,
      close: price,
      volume: 1,
    };
  });
}
const options = { calendar: 'us-equity', interval: '1d' } as const;

test('missing trading days are reported as gaps, weekends and holidays are not', () => {
  const bars = series({ '2010-01-14': 10, '2010-01-19': 10, '2010-01-25': 10 });
  expect(judgeSeries(bars, options).gaps).toEqual([
    { from: '2010-01-15', to: '2010-01-15', tradingDays: 1 },
    { from: '2010-01-20', to: '2010-01-22', tradingDays: 3 },
  ]);
});

test('a jump by a split ratio is suspected unless the split is known; a crash is not', () => {
  const bars = series({ '2014-06-06': 645.57, '2014-06-09': 92.7, '2014-06-10': 60 });
  const suspected = [{ date: '2014-06-09', ratio: 7, closeBefore: 645.57, open: 92.7 }];
  expect(judgeSeries(bars, options).splits.slice(0, 1)).toEqual(suspected);
  const known = new Set(['2014-06-09' as IsoDate]);
  expect(judgeSeries(bars.slice(0, 2), { ...options, knownSplitDates: known }).splits).toEqual([]);
  expect(judgeSeries(series({ '2020-03-11': 100, '2020-03-12': 88 }), options).splits).toEqual([]);
});

test('a gap of months is reported as a break: the symbol may have been two companies', () => {
  const bars = series({ '2003-03-28': 33.2, '2012-05-18': 42.05 });
  expect(judgeSeries(bars, options).breaks).toEqual([
    { lastDate: '2003-03-28', nextDate: '2012-05-18', days: 3339 },
  ]);
});

test('a full year has no gap', () => {
  const range = { from: '2021-01-01' as IsoDate, to: '2021-12-31' as IsoDate };
  const prices = Object.fromEntries(tradingDays('us-equity', range).map((date) => [date, 10]));
  expect(judgeSeries(series(prices), options)).toEqual({ gaps: [], splits: [], breaks: [] });
});

test('split ratios are read in every common notation', () => {
  expect(parseCorporateActions('date,ratio\n2014-06-09,7:1\n2009-07-01,1/20\n2005-02-28,2')).toEqual({
    ok: true,
    actions: [
      { kind: 'split', exDate: '2014-06-09', amount: 7 },
      { kind: 'split', exDate: '2009-07-01', amount: 0.05 },
      { kind: 'split', exDate: '2005-02-28', amount: 2 },
    ],
  });
  expect(parseCorporateActions('2014-06-09,seven')).toMatchObject({
    ok: false,
    message: expect.stringContaining('line 1'),
  });
});

test('a LEAN factor file yields the splits and dividends behind its factors', () => {
  const text =
    '20140508,0.9,0.0357143,592.3\n20140606,0.902,0.0357143,645.57\n20140806,0.902,0.25,94.97\n20501231,1,1,0';
  const parsed = parseCorporateActions(text);
  expect(parsed).toMatchObject({
    ok: true,
    actions: [
      { kind: 'dividend', exDate: '2014-05-09' },
      { kind: 'split', exDate: '2014-06-09', amount: 7 },
      { kind: 'split', exDate: '2014-08-07', amount: 4 },
      { kind: 'dividend', exDate: '2014-08-07' },
    ],
  });
});
