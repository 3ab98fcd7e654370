import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hours } from '#engine/market/calendar.ts';
import type { Bar } from '#engine/market/instrument.ts';
import type { Symbol } from '#units/identifiers.ts';
import type { Instant, IsoDate } from '#units/instant.ts';
import { POINTS_PER_DAY } from './price-models/day-path.ts';
import { openTape, tape } from './replay.ts';
import { SHARE_INSTRUMENTS } from './simulated-instruments.ts';

const instrument = { ...SHARE_INSTRUMENTS[0]!, symbol: 'SPY' as Symbol };
const spy = instrument.symbol;

function bar(date: string, [open, high, low, close]: readonly [number, number, number, number]): Bar {
  const { opensAt, closesAt } = hours('us-equity', date as IsoDate);
  return { openedAt: opensAt, closedAt: closesAt, date: date as IsoDate, open, high, low, close, volume: 1 };
}

const bars = [bar('2010-01-04', [100, 104, 99, 103]), bar('2010-01-06', [103, 103.5, 97.25, 98])];
const replay = tape([{ instrument, bars }]);

describe('a replayed tape', () => {
  it('quotes each day from its open over both extremes to its close', () => {
    for (const day of bars) {
      const path = Array.from({ length: POINTS_PER_DAY }, (_, part) => {
        const at = Math.ceil(day.openedAt + (part * (day.closedAt - day.openedAt)) / POINTS_PER_DAY);
        return replay.quote(spy, at as Instant)!.last;
      });
      expect([path[0], Math.max(...path), Math.min(...path), path.at(-1)]).toEqual([
        day.open,
        day.high,
        day.low,
        day.close,
      ]);
    }
  });

  it('keeps a day without a bar closed', () => {
    const holiday = hours('us-equity', '2010-01-05' as IsoDate);
    const quote = replay.quote(spy, (holiday.opensAt + 1) as Instant)!;
    expect({ open: quote.open, last: quote.last }).toEqual({ open: false, last: 103 });
  });

  it('reports its end and keeps the last price there, marked not open', () => {
    expect(replay.endsAt).toBe(bars[1]!.closedAt);
    const after = replay.quote(spy, (replay.endsAt + 86_400_000) as Instant)!;
    expect({ open: after.open, last: after.last }).toEqual({ open: false, last: 98 });
  });

  it('has no data before its first bar and none of tomorrow', () => {
    expect(replay.quote(spy, (bars[0]!.openedAt - 1) as Instant)).toBeNull();
    const range = { from: '2010-01-01' as IsoDate, to: '2010-12-31' as IsoDate };
    expect(replay.dailyBars(spy, { ...range, asOf: bars[0]!.closedAt })).toEqual([bars[0]]);
  });
});

describe('dividends on a tape', () => {
  const exDate = '2010-01-06' as IsoDate;
  const paying = tape([{ instrument, bars, dividends: [{ kind: 'dividend', exDate, amount: 1.5 }] }]);
  const eve = hours('us-equity', '2010-01-05' as IsoDate).closesAt;

  it('are reported, and deducted from the price, from the last cum-dividend close on', () => {
    expect(paying.actions!((eve - 1) as Instant)).toEqual([]);
    expect(paying.quote(spy, (eve - 1) as Instant)?.last).toBe(103);
    expect(paying.actions!(eve)).toEqual([{ symbol: spy, kind: 'dividend', exDate, amount: 1.5 }]);
    expect(paying.quote(spy, eve)?.last).toBe(101.5);
  });

  it('leave the bars unchanged', () => {
    expect(paying.quote(spy, bars[1]!.openedAt)?.last).toBe(103);
    expect(paying.quote(spy, (bars[1]!.closedAt + 1) as Instant)?.last).toBe(98);
  });
});

describe('a tape on disk', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'tape-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('reads what was written', () => {
    const rows = bars.map((b) => [b.openedAt, b.closedAt, b.date, b.open, b.high, b.low, b.close, b.volume]);
    writeFileSync(path.join(folder, 'SPY.json'), JSON.stringify({ instrument, bars: rows }));
    const read = openTape(folder);
    expect(read.instruments).toEqual([instrument]);
    expect(read.endsAt).toBe(replay.endsAt);
  });

  it('explains what to do when there is none', () => {
    expect(() => openTape(path.join(folder, 'absent'))).toThrow('import bars first');
  });
});
