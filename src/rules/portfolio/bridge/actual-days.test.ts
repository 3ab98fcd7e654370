import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { bookingStep, booksOf, buy, FIRST, INSTRUMENTS, night } from '#tests/support/booked-history.ts';
import { utcDate } from '#units/instant.ts';
import { add, micro, toMicro } from '#units/money.ts';
import { actualDays } from './actual-days.ts';

it('says what each cause has made of the value by the end of each day', () => {
  const books = booksOf('D', [
    buy(0, 10, 10_010, 100),
    night,
    { does: 'dividend', of: 0, cents: 50 },
    { does: 'flow', cents: 500_000 },
    { does: 'fee', cents: 900 },
    { does: 'late', cents: 25 },
    night,
  ]);
  const [first, second] = actualDays(books, INSTRUMENTS, new Map([[books.fills[0]!.id, 100]]));
  const day = {
    invested: toMicro(100_000),
    value: toMicro(99_999),
    explained: toMicro(99_999),
    slippage: toMicro(-1),
    commission: toMicro(-1),
    cash: 0,
    income: 0,
    fee: 0,
  };
  expect(first).toEqual({ ...day, date: utcDate(FIRST) });
  const value = toMicro(100_000 - 1 + 5 + 5_000 - 0.25);
  expect(second).toMatchObject({
    value,
    explained: value,
    invested: toMicro(105_000),
    income: toMicro(5),
    fee: toMicro(-9),
    commission: toMicro(-1.25),
    slippage: toMicro(-1),
  });
});

it('knows a split, and two in one night, by the units that were valued', () => {
  const split = { does: 'split', of: 0 } as const;
  const books = booksOf('D', [buy(0, 10, 10_000, 0), night, split, night, split, split, night]);
  for (const { value, explained } of actualDays(books, INSTRUMENTS, new Map())) expect(explained).toBe(value);
});

it('explains every day of every history to the last micro-dollar', () => {
  fc.assert(
    fc.property(fc.array(bookingStep, { maxLength: 50 }), (steps) => {
      for (const { value, explained } of actualDays(booksOf('D', [...steps, night]), INSTRUMENTS, new Map()))
        expect(explained).toBe(value);
    }),
    { numRuns: 300 },
  );
});

it('leaves unexplained what no booking and no price accounts for', () => {
  const books = booksOf('D', [buy(0, 10, 10_000), night, buy(0, 5, 11_000), night]);
  const wrong = books.days.map((day, i) => (i === 1 ? { ...day, equity: add(day.equity, micro(7)) } : day));
  const [first, second] = actualDays({ ...books, days: wrong }, INSTRUMENTS, new Map());
  expect([first!.value - first!.explained, second!.value - second!.explained]).toEqual([0, 7]);
  const [, unbooked] = actualDays({ ...books, fills: books.fills.slice(0, 1) }, INSTRUMENTS, new Map());
  expect(unbooked!.value - unbooked!.explained).toBe(toMicro(550));
});
