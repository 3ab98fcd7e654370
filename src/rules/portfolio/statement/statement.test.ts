import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bookingStep,
  booksOf,
  type BookingStep,
  buy,
  FIRST,
  INSTRUMENTS,
  night,
} from '#tests/support/booked-history.ts';
import { DAY_MS, instant, type IsoDate, utcDate } from '#units/instant.ts';
import { add, type Micro, toMicro } from '#units/money.ts';
import { LOT_METHODS, type LotMethod } from '../tax-lots/tax-lot.ts';
import { periodOf } from './period.ts';
import { STATEMENT_LINES, statementOf } from './statement.ts';
import type { StatementBooks } from './statement-books.ts';

const statement = (
  books: readonly StatementBooks[],
  days: { from: string; to: string },
  method: LotMethod = 'fifo',
) =>
  statementOf(books, {
    days: { from: days.from as IsoDate, to: days.to as IsoDate },
    method,
    instruments: INSTRUMENTS,
    shown: () => true,
  });

describe('a statement', () => {
  const steps: readonly BookingStep[] = [
    buy(0, 10, 10_000),
    night,
    { does: 'dividend', of: 0, cents: 50 },
    buy(0, -4, 11_000),
    { does: 'fee', cents: 900 },
    night,
    buy(0, 1, 12_000),
    night,
  ];

  it('says what there was, what came and went, what was earned and paid, and what there is', () => {
    const { total } = statement([booksOf('D', steps)], { from: '2026-01-06', to: '2026-01-06' });
    expect(total).toEqual({
      startValue: toMicro(99_999),
      moneyIn: 0,
      moneyOut: 0,
      income: toMicro(5),
      financing: 0,
      realizedGains: toMicro(40),
      unrealizedChange: toMicro(60),
      costs: toMicro(-1),
      performanceFees: toMicro(-9),
      invoicedApart: toMicro(9),
      corrections: 0,
      residual: 0,
      endValue: toMicro(100_103),
    });
  });

  it('begins with nothing in the period in which the money was put in', () => {
    const { total } = statement([booksOf('D', steps)], { from: '2026-01-01', to: '2026-01-05' });
    expect(total).toMatchObject({ startValue: 0, moneyIn: toMicro(100_000), endValue: toMicro(99_999) });
  });

  it('ends with nothing in the period in which the deployment ended: its money is back in the account', () => {
    const ended = booksOf('D', [...steps, buy(0, -7, 12_000), night], instant(FIRST + 4 * DAY_MS));
    const { total } = statement([ended], periodOf('month', '2026-01-20' as IsoDate));
    expect(total.endValue).toBe(0);
    expect(total.moneyOut).toBe(-ended.now.equity);
    expect(total.residual).toBe(0);
    const later = statement([ended], { from: '2026-02-01', to: '2026-02-28' }).total;
    expect(STATEMENT_LINES.map((line) => later[line]).every((amount) => amount === 0)).toBe(true);
  });

  it('shows what the books do not explain', () => {
    const books = booksOf('D', steps);
    const wrong = { ...books, now: { ...books.now, equity: add(books.now.equity, toMicro(3)) } };
    expect(statement([wrong], { from: '2026-01-01', to: '2026-12-31' }).total.residual).toBe(toMicro(3));
  });

  it('takes the gain of a sale from the lots of the method', () => {
    const more = [buy(0, 10, 10_000, 0), night, buy(0, 10, 12_000, 0), night, buy(0, -10, 11_000, 0), night];
    const gain = (method: LotMethod) =>
      statement([booksOf('D', more)], { from: '2026-01-07', to: '2026-01-07' }, method).total.realizedGains;
    expect(gain('fifo')).toBe(toMicro(100));
    expect(gain('lifo')).toBe(toMicro(-100));
  });

  it('lists the sales of the period, and says what later purchases disallowed of earlier ones', () => {
    const washed = [buy(0, 10, 10_000, 0), night, buy(0, -10, 9_000, 0), night, buy(0, 10, 9_500, 0), night];
    const of = (day: string) => statement([booksOf('D', washed)], { from: day, to: day }).deployments[0]!;
    const sold = of('2026-01-06');
    expect(sold.lots.map(({ gain, disallowed }) => [gain, disallowed])).toEqual([[toMicro(-100), 0]]);
    const bought = of('2026-01-07');
    expect(bought.lots).toEqual([]);
    expect(bought.disallowedSince).toBe(toMicro(100));
    expect([bought.realizedGains, bought.unrealizedChange]).toEqual([0, 0]);
    const whole = statement([booksOf('D', washed)], { from: '2026-01-01', to: '2026-01-31' }).deployments[0]!;
    expect(whole.lots[0]!.disallowed).toBe(toMicro(100));
  });
});

it.each(LOT_METHODS)('by %s, every period of every history sums to the last micro-dollar', (method) => {
  fc.assert(
    fc.property(
      fc.array(bookingStep, { maxLength: 40 }),
      fc.array(bookingStep, { maxLength: 15 }),
      fc.nat({ max: 12 }),
      fc.nat({ max: 12 }),
      (one, other, start, length) => {
        const day = (i: number) => utcDate(instant(FIRST + i * DAY_MS));
        const books = [booksOf('D', [...one, night]), booksOf('E', [...other, night])];
        const { deployments, total } = statement(
          books,
          { from: day(start), to: day(start + length) },
          method,
        );
        for (const figures of [...deployments, total]) {
          const { endValue, residual } = figures;
          const explained = STATEMENT_LINES.filter((line) => line !== 'endValue').map(
            (line) => figures[line],
          );
          expect(add(...(explained as Micro[]))).toBe(endValue);
          expect(residual).toBe(0);
        }
      },
    ),
    { numRuns: 200 },
  );
});

describe('a period', () => {
  it.each([
    ['day', '2024-02-29', '2024-02-29', '2024-02-29'],
    ['month', '2024-02-10', '2024-02-01', '2024-02-29'],
    ['quarter', '2026-05-31', '2026-04-01', '2026-06-30'],
    ['quarter', '2026-12-31', '2026-10-01', '2026-12-31'],
    ['year', '2026-07-04', '2026-01-01', '2026-12-31'],
  ] as const)('%s of %s', (length, day, from, to) =>
    expect(periodOf(length, day as IsoDate)).toEqual({ from, to }),
  );
});
