import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type IsoDate, isoText, parseInstant } from '#units/instant.ts';
import {
  isTradingDay,
  nextSession,
  nextTradingDay,
  previousSession,
  previousTradingDay,
  session,
  sessionAt,
} from './calendar.ts';
import { tradingDays } from '../../../tests/support/trading-days.ts';

const day = (text: string) => text as IsoDate;

function times(calendar: 'us-equity' | 'forex' | 'crypto', date: string) {
  const found = session(calendar, day(date));
  return found && [isoText(found.opensAt), isoText(found.closesAt)];
}

describe('the us-equity calendar', () => {
  it('opens 09:30 and closes 16:00 New York, in winter and summer time', () => {
    expect(times('us-equity', '2026-01-05')).toEqual([
      '2026-01-05T14:30:00.000Z',
      '2026-01-05T21:00:00.000Z',
    ]);
    expect(times('us-equity', '2026-07-06')).toEqual([
      '2026-07-06T13:30:00.000Z',
      '2026-07-06T20:00:00.000Z',
    ]);
  });

  it('closes on its holidays of 2026 and on no other weekday', () => {
    const closed: string[] = [];
    for (let ms = Date.UTC(2026, 0, 1); ms < Date.UTC(2027, 0, 1); ms += 86_400_000) {
      const date = new Date(ms);
      const text = date.toISOString().slice(0, 10);
      if (date.getUTCDay() % 6 !== 0 && !isTradingDay('us-equity', day(text))) closed.push(text);
    }
    expect(closed).toEqual([
      '2026-01-01',
      '2026-01-19',
      '2026-02-16',
      '2026-04-03',
      '2026-05-25',
      '2026-06-19',
      '2026-07-03',
      '2026-09-07',
      '2026-11-26',
      '2026-12-25',
    ]);
  });

  it('closes at 13:00 on the days after Thanksgiving and before Christmas and Independence Day', () => {
    expect(times('us-equity', '2026-11-27')?.[1]).toBe('2026-11-27T18:00:00.000Z');
    expect(times('us-equity', '2026-12-24')?.[1]).toBe('2026-12-24T18:00:00.000Z');
    expect(times('us-equity', '2024-07-03')?.[1]).toBe('2024-07-03T17:00:00.000Z');
    expect(times('us-equity', '2002-07-05')?.[1]).toBe('2002-07-05T17:00:00.000Z');
  });

  it('knows the closure for President Carter and does not make up for a New Year on Saturday', () => {
    expect(isTradingDay('us-equity', day('2025-01-09'))).toBe(false);
    expect(isTradingDay('us-equity', day('2021-12-31'))).toBe(true);
    expect(isTradingDay('us-equity', day('2022-01-03'))).toBe(true);
  });

  const file = resolve(import.meta.dirname, '../../../../shared/reference/calendars/xnys.csv.gz');
  it.skipIf(!existsSync(file))('agrees with ../shared xnys.csv.gz on every session since 1998', () => {
    const rows = gunzipSync(readFileSync(file)).toString().trim().split('\n').slice(1);
    const theirs = rows.map((row) => row.split(',').slice(0, 3)).filter(([date]) => date! >= '1998');
    const last = day(theirs.at(-1)![0]!.slice(0, 10));
    const ours = tradingDays('us-equity', { from: day('1998-01-01'), to: last }).map((date) => {
      const found = session('us-equity', date)!;
      return [
        `${date}T00:00:00Z`,
        ...[found.opensAt, found.closesAt].map((at) => isoText(at).replace('.000', '')),
      ];
    });
    expect(ours.length).toBeGreaterThan(6000);
    expect(ours).toEqual(theirs);
  });
});

describe('the forex and crypto calendars', () => {
  it('run a currency day from 17:00 to 17:00 New York, Monday from Sunday evening', () => {
    expect(times('forex', '2026-01-05')).toEqual(['2026-01-04T22:00:00.000Z', '2026-01-05T22:00:00.000Z']);
    expect(times('forex', '2026-03-09')).toEqual(['2026-03-08T21:00:00.000Z', '2026-03-09T21:00:00.000Z']);
    expect(times('forex', '2026-01-03')).toBeNull();
    expect(times('forex', '2025-12-25')).toBeNull();
  });

  it('run a coin day from midnight to midnight UTC, every day', () => {
    expect(times('crypto', '2025-12-25')).toEqual(['2025-12-25T00:00:00.000Z', '2025-12-26T00:00:00.000Z']);
  });
});

describe('walking a calendar', () => {
  it('finds the session at an instant, its opening included and its close not', () => {
    expect(sessionAt('us-equity', parseInstant('2026-01-05T14:30:00Z'))?.date).toBe('2026-01-05');
    expect(sessionAt('us-equity', parseInstant('2026-01-05T21:00:00Z'))).toBeNull();
    expect(sessionAt('forex', parseInstant('2026-01-04T23:00:00Z'))?.date).toBe('2026-01-05');
    expect(sessionAt('forex', parseInstant('2026-01-03T12:00:00Z'))).toBeNull();
  });

  it('steps over weekends and holidays', () => {
    expect(nextSession('us-equity', parseInstant('2025-12-31T15:00:00Z')).date).toBe('2026-01-02');
    expect(nextSession('forex', parseInstant('2026-01-02T22:00:00Z')).date).toBe('2026-01-05');
    expect(previousSession('us-equity', parseInstant('2026-01-05T20:59:59Z')).date).toBe('2026-01-02');
    expect(previousSession('us-equity', parseInstant('2026-01-05T21:00:00Z')).date).toBe('2026-01-05');
    expect(previousSession('forex', parseInstant('2026-01-05T23:00:00Z')).date).toBe('2026-01-05');
    expect(nextTradingDay('us-equity', day('2026-04-02'))).toBe('2026-04-06');
    expect(previousTradingDay('us-equity', day('2026-04-06'))).toBe('2026-04-02');
  });
});
