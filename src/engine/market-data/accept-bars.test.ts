import fc from 'fast-check';
import { expect, test } from 'vitest';
import { equityInstrument } from '#tests/support/engine/random-market.ts';
import type { IsoDate } from '#units/instant.ts';
import { instantOfDate } from '#units/instant.ts';
import { session } from '../market/calendar.ts';
import { tradingDays } from '../../../tests/support/trading-days.ts';
import type { Bar } from '../market/instrument.ts';
import { acceptBars, BARS_ASKED } from './accept-bars.ts';
import { validateBar } from './validate-bar.ts';

const instrument = equityInstrument('AAA');
const now = instantOfDate('2026-06-01' as IsoDate);
const days = tradingDays('us-equity', { from: '2026-03-02' as IsoDate, to: '2026-04-30' as IsoDate });

function barOn(day: IsoDate, close: number): Bar {
  const { opensAt, closesAt } = session('us-equity', day)!;
  const prices = { open: close, high: close, low: close, close };
  return { openedAt: opensAt, closedAt: closesAt, date: day, volume: 1, ...prices };
}

/** Each is a bar of the next day: at a price, or spoilt. */
const answers = fc
  .array(fc.oneof({ weight: 6, arbitrary: fc.integer({ min: 80, max: 120 }) }, fc.constant(null)), {
    maxLength: days.length,
  })
  .map((prices) =>
    prices.map((price, i) =>
      price === null ? { ...barOn(days[i]!, 100), high: 1 } : barOn(days[i]!, price),
    ),
  );

test('all bars before the first bad one are accepted', () => {
  fc.assert(
    fc.property(answers, (bars) => {
      const { accepted, refused } = acceptBars(bars, { instrument, known: [], actions: [], now });
      expect(accepted).toEqual(bars.slice(0, accepted.length));
      expect(refused?.bar).toEqual(bars[accepted.length]);
      if (refused !== null) expect(refused.fault.code).toBe('not_bracketed');
      for (const [i, bar] of accepted.entries()) {
        const around = { instrument, before: accepted.slice(0, i), after: bars[i + 1] ?? null };
        expect(validateBar(bar, { ...around, actions: [], now })).toBeNull();
      }
    }),
  );
});

test('bars requested in two parts are accepted as in one', () => {
  fc.assert(
    fc.property(answers, fc.nat(days.length), (bars, cut) => {
      const around = { instrument, actions: [], now };
      const whole = acceptBars(bars, { ...around, known: [] });
      const head = acceptBars(bars.slice(0, cut), { ...around, known: [] });
      fc.pre(head.refused === null && head.accepted.length > 0);
      const known = head.accepted.slice(-BARS_ASKED);
      const tail = acceptBars(bars.slice(cut), { ...around, known });
      expect([...head.accepted, ...tail.accepted]).toEqual(whole.accepted);
      expect(tail.refused).toEqual(whole.refused);
    }),
  );
});

test('a bad bar excludes itself and later ones, not those before it', () => {
  const [first, second, third] = days.slice(0, 3).map((day) => barOn(day, 100));
  const bad = { ...second!, low: 200 };
  const { accepted, refused } = acceptBars([first!, bad, third!], {
    instrument,
    known: [],
    actions: [],
    now,
  });
  expect(accepted).toEqual([first]);
  expect(refused).toEqual({ bar: bad, fault: { code: 'not_bracketed' } });
});
