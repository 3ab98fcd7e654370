// Uses real series from ../shared/data, next to the project folder; skipped if that folder is absent.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { CalendarId } from '#engine/market/instrument.ts';
import { adjustForSplits } from '#engine/market/corporate-action.ts';
import { judgeSeries } from './judge-series.ts';
import { parseBars } from './parse-bars.ts';
import { parseCorporateActions } from './parse-corporate-actions.ts';

const folder = path.resolve(import.meta.dirname, '../../../../../shared/data');

function text(file: string): string {
  const bytes = readFileSync(path.join(folder, file));
  return (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
}

function read(file: string, calendar: CalendarId = 'us-equity') {
  const parsed = parseBars({ text: text(file), calendar });
  if (!parsed.ok) throw new Error(`${file}: ${parsed.message}`);
  return { ...parsed, only: parsed.series[0]! };
}

describe.skipIf(!existsSync(folder))('real files in ../shared/data', () => {
  it('reads all of SPY without a gap or a suspected split', () => {
    const { only } = read('lean-us-daily/SPY.csv');
    expect([only.bars.length, only.refused, only.bars[0]!.date]).toEqual([5849, [], '1998-01-02']);
    expect(judgeSeries(only.bars, { calendar: 'us-equity', interval: '1d' })).toEqual({
      gaps: [],
      splits: [],
      breaks: [],
    });
  });

  it.each([
    'skender-quotes/spx.csv.gz',
    'skender-quotes/default.csv',
    'index-history/vega_sp500-2000.csv',
    'index-history/greattables_sp500_1950_2015.csv.gz',
    'index-history/arch_sp500.csv.gz',
  ])('accounts for every row of %s with few refusals', (file) => {
    const rows = text(file).trim().split(/\r?\n/).length - 1;
    const { only, interval } = read(file);
    expect(interval).toBe('1d');
    expect(only.bars.length + only.refused.length + only.repeated.length).toBe(rows);
    expect(only.refused.length).toBeLessThan(rows / 50);
    expect(only.bars.every((bar, i) => i === 0 || bar.closedAt > only.bars[i - 1]!.closedAt)).toBe(true);
  });

  it('refuses exactly the known defects of the five-year set of 505 stocks', () => {
    const { series } = read('sp500-5yr/sp500_ohlcv_2013_2018.csv.gz');
    expect(series).toHaveLength(505);
    const reasons = series.flatMap(({ refused }) => refused.map(({ reason }) => reason));
    const missing = reasons.filter((reason) => reason.includes('missing'));
    expect(missing).toHaveLength(11);
    expect(reasons.length - missing.length).toBe(12);
  });

  it('suspects the unadjusted splits of AAPL, and none once its factor file is given', () => {
    const { bars } = read('lean-us-daily/AAPL.csv').only;
    const options = { calendar: 'us-equity', interval: '1d' } as const;
    const suspected = judgeSeries(bars, options).splits.map(({ date, ratio }) => `${date} ${ratio}`);
    expect(suspected).toEqual(
      expect.arrayContaining(['2000-06-21 2', '2005-02-28 2', '2014-06-09 7', '2020-08-31 4']),
    );
    const actions = parseCorporateActions(text('lean-us-daily/factor_files/aapl.csv'));
    if (!actions.ok) throw new Error(actions.message);
    const splits = actions.actions.filter(({ kind }) => kind === 'split');
    expect(splits.map(({ exDate, amount }) => `${exDate} ${amount}`)).toEqual([
      '2000-06-21 2',
      '2005-02-28 2',
      '2014-06-09 7',
      '2020-08-31 4',
    ]);
    const adjusted = adjustForSplits(bars, actions.actions);
    expect(judgeSeries(adjusted, options).splits).toEqual([]);
  });

  it.each([
    ['FB', '2012-05-18'],
    ['BNO', '2010-06-02'],
    ['USO', '2006-04-10'],
    ['QQQ', '2011-03-23'],
  ])('hints that %s may be another company or fund before %s', (symbol, date) => {
    const { bars } = read(`lean-us-daily/${symbol}.csv`).only;
    const { breaks } = judgeSeries(bars, { calendar: 'us-equity', interval: '1d' });
    expect(breaks.map(({ nextDate }) => nextDate)).toContain(date);
  });

  it('reads coins every day and currency hours, and reports the gaps of BTC', () => {
    const btc = read('fx-crypto-clean/BTCUSD_coinbase_daily_2014_2018.csv.gz', 'crypto');
    expect(judgeSeries(btc.only.bars, { calendar: 'crypto', interval: '1d' }).gaps.length).toBeGreaterThan(0);
    const euro = read('fx-crypto-clean/EURUSD_hour_mid_2007_2018.csv.gz', 'forex');
    expect(euro.interval).toBe('1h');
    expect(euro.only.refused.length).toBeLessThan(euro.only.bars.length / 100);
  });

  it('refuses files that are not daily bars of one instrument', () => {
    const prices = parseBars({ text: text('ffn/test_data.csv'), calendar: 'us-equity' });
    expect(prices).toMatchObject({ ok: false, message: expect.stringContaining('no column for open') });
  });
});
