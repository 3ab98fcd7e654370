import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { addDays, instantOfDate, type IsoDate, isoText } from '#units/instant.ts';
import { tradingDays } from '../../../../tests/support/trading-days.ts';
import { session } from '../calendar.ts';
import { weekday } from '../calendar-new-york-time.ts';
import { type CalendarId, CALENDARS } from '../instrument.ts';

const day = (text: string) => text as IsoDate;
const year = (of: number) => ({ from: day(`${of}-01-01`), to: day(`${of}-12-31`) });

/** Weekdays without a session. */
function closures(calendar: CalendarId, of: number): string[] {
  const open = new Set(tradingDays(calendar, year(of)));
  const closed: string[] = [];
  for (let date = year(of).from; date <= year(of).to; date = addDays(date, 1))
    if (weekday(date) % 6 !== 0 && !open.has(date)) closed.push(date.slice(5));
  return closed;
}

/** Sessions that end before the usual close, with their end by the wall clock of a reference implementation of time zones. */
function earlyCloses(calendar: CalendarId, of: number, timeZone: string, usual: string): string[] {
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' });
  return tradingDays(calendar, year(of)).flatMap((date) => {
    const at = clock.format(session(calendar, date)!.closesAt);
    return at === usual ? [] : [`${date.slice(5)} ${at}`];
  });
}

const EXCHANGES = {
  xetra: { zone: 'Europe/Berlin', hours: ['09:00', '17:30'] },
  'euronext-paris': { zone: 'Europe/Paris', hours: ['09:00', '17:30'] },
  'euronext-amsterdam': { zone: 'Europe/Amsterdam', hours: ['09:00', '17:30'] },
  london: { zone: 'Europe/London', hours: ['08:00', '16:30'] },
  six: { zone: 'Europe/Zurich', hours: ['09:00', '17:30'] },
  'us-equity': { zone: 'America/New_York', hours: ['09:30', '16:00'] },
} as const;

describe('the European calendars', () => {
  it('close on their holidays of 2026 and on no other weekday', () => {
    const easter = ['04-03', '04-06'];
    expect(closures('xetra', 2026)).toEqual(['01-01', ...easter, '05-01', '12-24', '12-25', '12-31']);
    expect(closures('euronext-paris', 2026)).toEqual(['01-01', ...easter, '05-01', '12-25']);
    expect(closures('euronext-amsterdam', 2026)).toEqual(['01-01', ...easter, '05-01', '12-25']);
    expect(closures('london', 2026)).toEqual([
      '01-01',
      ...easter,
      '05-04',
      '05-25',
      '08-31',
      '12-25',
      '12-28',
    ]);
    expect(closures('six', 2026)).toEqual(
      ['01-01', '01-02', easter, '05-01', '05-14', '05-25', '12-24', '12-25', '12-31'].flat(),
    );
  });

  it('know what was different once: jubilees, a funeral, the euro’s first calendars, Reformation Day', () => {
    expect(closures('london', 2022)).toContain('09-19');
    expect(closures('london', 2022).filter((date) => date > '05-02' && date < '08-01')).toEqual([
      '06-02',
      '06-03',
    ]);
    expect(closures('london', 2020)).toContain('05-08');
    expect(closures('london', 2020)).not.toContain('05-04');
    expect(closures('london', 2021).slice(-2)).toEqual(['12-27', '12-28']);
    expect(closures('london', 1999)).toContain('12-31');
    expect(closures('xetra', 2017)).toEqual(expect.arrayContaining(['06-05', '10-03', '10-31']));
    expect(closures('xetra', 2022)).toEqual(['04-15', '04-18', '12-26']);
    expect(closures('euronext-paris', 2000)).toContain('07-14');
    expect(closures('euronext-paris', 2003)).not.toContain('07-14');
    expect(closures('euronext-amsterdam', 1999)).toEqual(
      expect.arrayContaining(['04-30', '05-13', '05-24', '12-31']),
    );
  });

  it('close early before Christmas and New Year where they do', () => {
    expect(earlyCloses('euronext-paris', 2026, 'Europe/Paris', '17:30')).toEqual([
      '12-24 14:05',
      '12-31 14:05',
    ]);
    expect(earlyCloses('london', 2011, 'Europe/London', '16:30')).toEqual(['12-23 12:30', '12-30 12:30']);
    expect(earlyCloses('xetra', 2026, 'Europe/Berlin', '17:30')).toEqual(['12-30 14:00']);
    expect(earlyCloses('six', 2026, 'Europe/Zurich', '17:30')).toEqual([]);
  });
});

it.each(Object.entries(EXCHANGES))(
  '%s opens at its local time on every day of 1998 to 2030',
  (id, { zone, hours }) => {
    const calendar = id as CalendarId;
    expect(CALENDARS).toContain(calendar);
    const clock = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit' });
    const range = { from: day('1998-01-01'), to: day('2030-12-31') };
    const days = tradingDays(calendar, range);
    expect(days.length).toBeGreaterThan(33 * 248);
    const wrong = days.filter((date) => clock.format(session(calendar, date)!.opensAt) !== hours[0]);
    expect(wrong).toEqual([]);
    const usual = days.filter((date) => clock.format(session(calendar, date)!.closesAt) === hours[1]);
    expect(usual.length).toBeGreaterThan(33 * 245);
  },
);

const file = resolve(import.meta.dirname, '../../../../../shared/reference/calendars/xswx.csv.gz');
it.skipIf(!existsSync(file))('six agrees with ../shared xswx.csv.gz on every session since 1998', () => {
  const rows = gunzipSync(readFileSync(file)).toString().trim().split('\n').slice(1);
  const theirs = rows.map((row) => row.split(',').slice(0, 3)).filter(([date]) => date! >= '1998');
  const last = day(theirs.at(-1)![0]!.slice(0, 10));
  const ours = tradingDays('six', { from: day('1998-01-01'), to: last }).map((date) => {
    const { opensAt, closesAt } = session('six', date)!;
    return [instantOfDate(date), opensAt, closesAt].map((at) => isoText(at).replace('.000', ''));
  });
  expect(ours.length).toBeGreaterThan(5000);
  expect(ours).toEqual(theirs);
});
