import { describe, expect, it } from 'vitest';
import { isoText } from '#units/instant.ts';
import { type ParseRequest, parseBars } from './parse-bars.ts';

function parse(text: string, options: Partial<ParseRequest> = {}) {
  const parsed = parseBars({ text, calendar: 'us-equity', ...options });
  if (!parsed.ok) throw new Error(parsed.message);
  return { ...parsed, only: parsed.series[0]! };
}

function refusal(text: string, options: Partial<ParseRequest> = {}): string {
  const parsed = parseBars({ text, calendar: 'us-equity', ...options });
  return parsed.ok ? 'accepted' : parsed.message;
}

const rows = (bars: ReturnType<typeof parse>) =>
  bars.only.bars.map((bar) => [bar.date, bar.open, bar.high, bar.low, bar.close, bar.volume]);

const TWO_DAYS = [
  ['2010-01-04', 112.37, 113.39, 111.51, 113.33, 1000],
  ['2010-01-05', 113.26, 113.68, 112.85, 113.63, 2000],
];

describe('the shapes a file may have', () => {
  it.each<[string, string]>([
    [
      'a plain header',
      'date,open,high,low,close,volume\n2010-01-04,112.37,113.39,111.51,113.33,1000\n2010-01-05,113.26,113.68,112.85,113.63,2000\n',
    ],
    [
      'another order, byte-order mark, newest first, no last newline',
      '\uFEFFClose,Volume,Open,High,Low,Date\r\n113.63,2000,113.26,113.68,112.85,1/5/2010\r\n113.33,1000,112.37,113.39,111.51,1/4/2010',
    ],
    [
      'semicolons and decimal commas',
      'Date;Open;High;Low;Close;Volume\n2010/01/04;112,37;113,39;111,51;113,33;1000\n2010/01/05;113,26;113,68;112,85;113,63;2000',
    ],
    [
      'tabs, quotes and thousands',
      '"Date"\t"Open"\t"High"\t"Low"\t"Close"\t"Volume"\n"Jan 4, 2010"\t"$112.37"\t113.39\t111.51\t113.33\t"1,000"\n"Jan 5, 2010"\t113.26\t113.68\t112.85\t113.63\t"2,000"',
    ],
    ['no header', '2010-01-04,112.37,113.39,111.51,113.33,1000\n2010-01-05,113.26,113.68,112.85,113.63,2000'],
    [
      'no header and low before high',
      '20100104,112.37,111.51,113.39,113.33,1000\n20100105,113.26,112.85,113.68,113.63,2000',
    ],
    [
      'angle brackets',
      '<TICKER>,<DATE>,<TIME>,<OPEN>,<HIGH>,<LOW>,<CLOSE>,<VOL>\nSPY,20100104,000000,112.37,113.39,111.51,113.33,1000\nSPY,20100105,000000,113.26,113.68,112.85,113.63,2000',
    ],
    [
      'LEAN in ten-thousandths',
      '20100104 00:00,1123700,1133900,1115100,1133300,1000\n20100105 00:00,1132600,1136800,1128500,1136300,2000',
    ],
    [
      'epoch seconds',
      'time,open,high,low,close,volume\n1262563200,112.37,113.39,111.51,113.33,1000\n1262649600,113.26,113.68,112.85,113.63,2000',
    ],
    [
      'epoch milliseconds',
      'timestamp|o|h|l|c|v\n1262563200000|112.37|113.39|111.51|113.33|1000\n1262649600000|113.26|113.68|112.85|113.63|2000',
    ],
  ])('reads %s', (_, text) => {
    expect(rows(parse(text, { slashedDates: 'M/D/YYYY' }))).toEqual(TWO_DAYS);
  });

  it('distinguishes M/D from D/M by the whole column, and asks when it is ambiguous', () => {
    const head = 'date,open,high,low,close,volume\n';
    expect(
      parse(`${head}2/3/2010,1,1,1,1,1\n2/16/2010,1,1,1,1,1`, { interval: '1d' }).only.bars[0]!.date,
    ).toBe('2010-02-03');
    expect(
      parse(`${head}2/3/2010,1,1,1,1,1\n16/3/2010,1,1,1,1,1`, { interval: '1d' }).only.bars[0]!.date,
    ).toBe('2010-03-02');
    expect(refusal(`${head}2/3/2010,1,1,1,1,1\n3/3/2010,1,1,1,1,1`)).toContain('--dates dmy');
  });

  it('assigns daily bars to their session', () => {
    const bar = parse('date,open,high,low,close\n2010-11-26,1,1,1,1\n2010-11-29,1,1,1,1').only.bars[0]!;
    expect([isoText(bar.openedAt), isoText(bar.closedAt)]).toEqual([
      '2010-11-26T14:30:00.000Z',
      '2010-11-26T18:00:00.000Z',
    ]);
  });

  it('reads hourly bars in UTC with the trading day of their session', () => {
    const text =
      'time,open,high,low,close\n2018-01-02T21:00:00Z,1,1,1,1\n2018-01-02T22:00:00Z,1,1,1,1\n2018-01-02T23:00:00Z,1,1,1,1';
    const parsed = parse(text, { calendar: 'forex' });
    expect(parsed.interval).toBe('1h');
    expect(parsed.only.bars.map((bar) => [isoText(bar.closedAt).slice(11, 16), bar.date])).toEqual([
      ['22:00', '2018-01-02'],
      ['23:00', '2018-01-03'],
      ['00:00', '2018-01-03'],
    ]);
  });

  it('reads minutes of an exchange in New York time', () => {
    const bars = parse('date,open,high,low,close\n2020-12-15 09:30,1,1,1,1\n2020-12-15 09:31,1,1,1,1').only
      .bars;
    expect(isoText(bars[0]!.openedAt)).toBe('2020-12-15T14:30:00.000Z');
  });

  it('keeps several symbols of one file apart', () => {
    const parsed = parse(
      'symbol,date,open,high,low,close\nA,2010-01-04,1,1,1,1\nB,2010-01-04,2,2,2,2\nA,2010-01-05,1,1,1,1',
    );
    expect(parsed.series.map(({ symbol, bars }) => [symbol, bars.length])).toEqual([
      ['A', 2],
      ['B', 1],
    ]);
  });
});

describe('what is refused', () => {
  it('lists each bad row with its line and reason, and keeps the others', () => {
    const text = [
      'date,open,high,low,close,volume',
      '2010-01-04,10,11,9,10,1',
      '2010-01-05,,11,9,10,1',
      '2010-01-06,10,9.5,9,10,1',
      '2010-01-07,10,11,10.5,10.7,1',
      '2010-01-08,0,11,9,10,1',
      '2010-01-09,10,11,9,10,1',
      '2010-01-11,10,eleven,9,10,1',
      '2010-02-30,10,11,9,10,1',
      '2010-01-12,10,11,9,10,-5',
      '2010-01-13,10,11,9',
      '2010-01-04,10,11,9,10,1',
      '2010-01-04,10,11,9,10.5,1',
      '2010-01-14,10,11,9,10,1',
      '2010-01-15,10,11,9,10,1',
      '2010-01-19,10,11,9,10,1',
    ].join('\n');
    const { only } = parse(text);
    expect(only.bars.map((bar) => bar.date)).toEqual([
      '2010-01-04',
      '2010-01-14',
      '2010-01-15',
      '2010-01-19',
    ]);
    expect(only.repeated).toEqual([12]);
    expect(only.refused).toEqual([
      { line: 3, reason: 'open is missing' },
      { line: 4, reason: 'high 9.5 is below open 10, low 9 or close 10' },
      { line: 5, reason: 'low 10.5 is above open 10 or close 10.7' },
      { line: 6, reason: 'open is 0; a price must be above zero' },
      { line: 7, reason: '2010-01-09 is no trading day of the New York Stock Exchange' },
      { line: 8, reason: 'high "eleven" is not a number' },
      { line: 9, reason: '"2010-02-30" is not a date like the others (YYYY-MM-DD)' },
      { line: 10, reason: 'volume is -5; it cannot be negative' },
      { line: 11, reason: 'close is missing' },
      { line: 13, reason: '2010-01-04 was already on line 2 with other numbers' },
    ]);
  });

  it.each([
    ['', 'empty'],
    ['date,open,high,low,close', 'no rows'],
    ['date,close\n2010-01-04,1', 'no column for open, high, low'],
    ['what,is,this\na,b,c', 'names no column that is known'],
    ['date,open,high,low,close\nsoon,1,1,1,1', '"soon" is no date'],
    ['date,open,high,low,close\n2010-01-01,1,1,1,1\n2010-02-01,1,1,1,1\n2010-03-01,1,1,1,1', 'apart'],
    ['2010-01-04,1,2', 'add a header line'],
  ])('refuses %j as a whole and says why', (text, why) => {
    expect(refusal(text)).toContain(why);
  });

  it('refuses a file whose rows do not have the requested interval', () => {
    expect(
      refusal('date,open,high,low,close\n2010-01-04,1,1,1,1\n2010-01-05,1,1,1,1', { interval: '1h' }),
    ).toContain('daily bars');
  });
});
