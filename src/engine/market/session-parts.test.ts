import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Instant, instant, type IsoDate, isoText, MINUTE_MS, parseInstant } from '#units/instant.ts';
import { hours, session } from './calendar.ts';
import { INTRADAY_INTERVALS } from './instrument.ts';
import { barsPerDay, INTERVAL_MS, partAt, partsAfter, previousPart, tradedMs } from './session-parts.ts';

const at = parseInstant;
const clock = (moment: Instant) => isoText(moment).slice(5, 16);
const closesAfter = (calendar: 'us-equity' | 'crypto', moment: string, count: number) => {
  const closes: string[] = [];
  for (const { closesAt } of partsAfter(calendar, '1h', at(moment))) {
    closes.push(clock(closesAt));
    if (closes.length === count) break;
  }
  return closes;
};

describe('the parts of a session', () => {
  it('count hours from the open: the last one is half an hour, and the next one is of the next session', () => {
    expect(closesAfter('us-equity', '2026-11-23T19:40:00Z', 4)).toEqual([
      '11-23T20:30',
      '11-23T21:00',
      '11-24T15:30',
      '11-24T16:30',
    ]);
    expect(clock(previousPart('us-equity', '1h', at('2026-11-24T15:29:59Z')).closesAt)).toBe('11-23T21:00');
    expect(clock(previousPart('us-equity', '1h', at('2026-11-24T15:30:00Z')).closesAt)).toBe('11-24T15:30');
  });

  it('end with an early close, pass over holidays, and keep to the exchange’s clock when it is put back', () => {
    expect(closesAfter('us-equity', '2026-11-25T20:45:00Z', 2)).toEqual(['11-25T21:00', '11-27T15:30']);
    expect(closesAfter('us-equity', '2026-11-27T17:10:00Z', 3)).toEqual([
      '11-27T17:30',
      '11-27T18:00',
      '11-30T15:30',
    ]);
    expect(closesAfter('us-equity', '2026-10-30T19:45:00Z', 2)).toEqual(['10-30T20:00', '11-02T15:30']);
  });

  it('follow each other through the night where a market has none', () => {
    expect(closesAfter('crypto', '2026-11-23T22:30:00Z', 3)).toEqual([
      '11-23T23:00',
      '11-24T00:00',
      '11-24T01:00',
    ]);
  });

  it('cover a session without a hole, each as long as its interval but the last', () => {
    const days = fc.constantFrom('2026-11-23', '2026-11-27', '2026-03-09', '2026-07-02');
    fc.assert(
      fc.property(
        days,
        fc.constantFrom(...INTRADAY_INTERVALS),
        fc.nat({ max: 389 }),
        (day, interval, minute) => {
          const held = session('us-equity', day as IsoDate)!;
          const moment = Math.min(held.opensAt + minute * MINUTE_MS, held.closesAt - 1);
          const part = partAt(held, interval, moment);
          expect(part.opensAt <= moment && moment < part.closesAt).toBe(true);
          expect((part.opensAt - held.opensAt) % INTERVAL_MS[interval]).toBe(0);
          const isLast = part.closesAt === held.closesAt;
          expect(isLast || part.closesAt - part.opensAt === INTERVAL_MS[interval]).toBe(true);
          const [next] = [...take(partsAfter('us-equity', interval, instant(moment)), 1)];
          expect(next).toEqual(part);
          expect(previousPart('us-equity', interval, part.closesAt)).toEqual(part);
        },
      ),
    );
  });

  it('are seven hours of an ordinary day of shares and twenty-four of coins', () => {
    expect([
      barsPerDay('1h', 'us-equity'),
      barsPerDay('1m', 'us-equity'),
      barsPerDay('1h', 'crypto'),
    ]).toEqual([7, 390, 24]);
  });

  it('count the time of sessions alone', () => {
    const close = hours('us-equity', '2026-11-20' as IsoDate).closesAt;
    const since = (moment: string) =>
      tradedMs('us-equity', { from: close, to: at(moment), limitMs: 400 * MINUTE_MS }) / MINUTE_MS;
    expect([
      since('2026-11-22T12:00:00Z'),
      since('2026-11-23T14:30:00Z'),
      since('2026-11-23T15:10:00Z'),
    ]).toEqual([0, 0, 40]);
    expect(since('2026-11-24T14:35:00Z')).toBe(395);
  });
});

function* take<Value>(values: Iterable<Value>, count: number): Generator<Value> {
  let taken = 0;
  for (const value of values) {
    if (taken++ === count) return;
    yield value;
  }
}
