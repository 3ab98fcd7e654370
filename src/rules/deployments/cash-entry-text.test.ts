import { expect, it } from 'vitest';
import { toMicro, ZERO_MICRO } from '#units/money.ts';
import { toQuantity } from '#units/quantity.ts';
import { CASH_ENTRY_KINDS, CASH_TOTAL_WORDS, type CashEntryFacts, cashEntryText } from './cash-entry-text.ts';

const plain = { symbol: null, isBrokerFigure: false, fill: null, billed: ZERO_MICRO } as const;
const text = (facts: Partial<CashEntryFacts> & Pick<CashEntryFacts, 'kind'>) =>
  cashEntryText({ ...plain, ...facts });

it('says what each movement of cash was', () => {
  const fill = { side: 'sell', quantity: toQuantity(12), price: 431.2, currency: 'USD' } as const;
  expect(text({ kind: 'fill', symbol: 'SPY', fill })).toBe('Sold 12 SPY at $431.20');
  expect(text({ kind: 'swap', symbol: 'EURUSD' })).toBe('Overnight financing: EURUSD');
  expect(text({ kind: 'dividend', symbol: 'SPY', isBrokerFigure: true })).toBe(
    "Dividend: SPY, corrected to your broker's figure",
  );
  expect(text({ kind: 'fee', billed: toMicro(90) })).toBe('Performance fee of $90, invoiced separately');
  expect(text({ kind: 'fee_credit', billed: toMicro(-9) })).toBe('Credit of $9 on a performance fee');
  expect(text({ kind: 'opening' })).toBe('Money put in');
});

it('has words for every kind', () => {
  for (const kind of CASH_ENTRY_KINDS) {
    expect(text({ kind })).toMatch(/^[A-Z]/);
    expect(CASH_TOTAL_WORDS[kind]).toMatch(/^[A-Z]/);
  }
});
