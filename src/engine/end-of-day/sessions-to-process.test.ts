import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { IsoDate } from '#units/instant.ts';
import { isTradingDay, nextTradingDay } from '../market/calendar.ts';
import { tradingDays } from '../../../tests/support/trading-days.ts';
import { sessionsToProcess } from './sessions-to-process.ts';

const days = tradingDays('us-equity', { from: '2026-01-02' as IsoDate, to: '2026-03-31' as IsoDate });
const anyDay = fc.constantFrom(...days);

test('every session after the last processed one is listed once, in order, up to the last that may be', () => {
  fc.assert(
    fc.property(anyDay, anyDay, fc.option(anyDay, { nil: undefined }), (processed, closed, limit) => {
      const dates = sessionsToProcess('us-equity', { processed, closed, limit });
      const last = limit !== undefined && limit < closed ? limit : closed;
      expect(dates).toEqual(days.filter((day) => day > processed && day <= last));
      for (const day of dates) expect(isTradingDay('us-equity', day)).toBe(true);
    }),
  );
});

test('processed one at a time or together, the same sessions are processed', () => {
  fc.assert(
    fc.property(anyDay, anyDay, (processed, closed) => {
      const whole = sessionsToProcess('us-equity', { processed, closed, limit: undefined });
      const steps: IsoDate[] = [];
      let at = processed;
      for (;;) {
        const [next] = sessionsToProcess('us-equity', { processed: at, closed, limit: undefined });
        if (next === undefined) break;
        expect(next).toBe(nextTradingDay('us-equity', at));
        steps.push(next);
        at = next;
      }
      expect(steps).toEqual(whole);
    }),
  );
});

test('without an earlier session only the last one is processed, and none without its closes', () => {
  const closed = '2026-03-31' as IsoDate;
  expect(sessionsToProcess('us-equity', { processed: undefined, closed, limit: undefined })).toEqual([
    closed,
  ]);
  expect(sessionsToProcess('us-equity', { processed: undefined, closed, limit: null })).toEqual([]);
});
