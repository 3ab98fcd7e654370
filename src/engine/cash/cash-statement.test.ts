import fc from 'fast-check';
import { expect, it } from 'vitest';
import { add, micro, ZERO_MICRO } from '#units/money.ts';
import {
  CASH_LINES,
  type CashItem,
  type CashLines,
  type CashStatement,
  cashStatement,
  hasMovedSince,
  sumLines,
  unexplainedCash,
} from './cash-statement.ts';

const amount = fc.integer({ min: -1e12, max: 1e12 }).map(micro);
const item = fc.record({ line: fc.constantFrom(...CASH_LINES), amount });
const day = fc.record({ items: fc.array(item, { maxLength: 6 }), unexplained: amount });

const total = (lines: CashLines) => add(...CASH_LINES.map((line) => lines[line]));

it('adds up on each day, and over all days to everything that moved', () => {
  fc.assert(
    fc.property(amount, fc.array(day, { minLength: 1, maxLength: 8 }), (opening, days) => {
      const items: CashItem[] = [];
      const statements: CashStatement[] = [];
      let cash = opening;
      for (const { items: fresh, unexplained } of days) {
        items.push(...fresh);
        cash = add(cash, unexplained, ...fresh.map((one) => one.amount));
        const last = statements.at(-1);
        const earlier =
          last === undefined
            ? null
            : {
                closing: last.closing,
                lines: sumLines(
                  statements.flatMap(({ lines }) =>
                    CASH_LINES.map((line) => ({ line, amount: lines[line] })),
                  ),
                ),
              };
        const facts = { opening, moved: sumLines(items), cash, conversionMax: ZERO_MICRO };
        const statement = cashStatement({ ...facts, earlier });
        expect(statement.opening).toBe(last?.closing ?? opening);
        expect(add(statement.opening, total(statement.lines), statement.unexplained)).toBe(statement.closing);
        expect(statement.unexplained).toBe(unexplained);
        expect(statement.closing).toBe(cash);
        statements.push(statement);
        expect(unexplainedCash(facts)).toBe(add(...statements.map((one) => one.unexplained)));
      }
      const lines = sumLines(
        statements.flatMap((one) => CASH_LINES.map((line) => ({ line, amount: one.lines[line] }))),
      );
      expect(lines).toEqual(sumLines(items));
    }),
  );
});

it('explains a difference by rates only as far as rates can cause it', () => {
  fc.assert(
    fc.property(amount, fc.nat(1e9).map(micro), (difference, conversionMax) => {
      const facts = { opening: ZERO_MICRO, moved: sumLines([]), cash: difference, conversionMax };
      const { lines, unexplained } = cashStatement({ ...facts, earlier: null });
      expect(add(lines.conversion, unexplained)).toBe(difference);
      expect(Math.abs(lines.conversion)).toBeLessThanOrEqual(conversionMax);
      if (Math.abs(difference) <= conversionMax) expect(unexplained).toBe(0);
    }),
  );
});

it('knows what no statement has yet, conversions aside', () => {
  const stated = sumLines([{ line: 'trades', amount: micro(5) }]);
  expect(hasMovedSince(stated, stated)).toBe(false);
  expect(hasMovedSince({ ...stated, conversion: micro(1) }, stated)).toBe(false);
  expect(hasMovedSince({ ...stated, fees: micro(1) }, stated)).toBe(true);
});
