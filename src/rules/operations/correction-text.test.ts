import { expect, test } from 'vitest';
import { toMicro } from '#units/money.ts';
import { toQuantity } from '#units/quantity.ts';
import { correctionText } from './correction-text.ts';

const trade = (units: number, price: number) => ({ units: toQuantity(units), price });
const because = 'the exchange took the trade back';

test.each([
  [
    { undoes: trade(10, 100), books: null, cash: toMicro(1_001) },
    '10 AAA that were booked as bought at $100 count no more; $1,001 were added to its cash.',
  ],
  [
    { undoes: trade(-10, 100), books: trade(-10, 99.5), cash: toMicro(-5) },
    '10 AAA that were booked as sold at $100 count as 10 sold at $99.50; $5 were taken out of its cash.',
  ],
  [
    { undoes: null, books: trade(2.5, 40), cash: toMicro(-100) },
    '2.5 AAA were added to your books at $40 each; $100 were taken out of its cash.',
  ],
  [
    { undoes: trade(40, 100), books: null, shortfall: toQuantity(15), cash: toMicro(2_500) },
    '40 AAA that were booked as bought at $100 count no more, but for 15 that it no longer holds: for those its books stay as they were, and what your account is short of them is kept apart from it; $2,500 were added to its cash.',
  ],
  [
    { undoes: trade(-30, 130), books: trade(-50, 131), shortfall: toQuantity(10), cash: toMicro(5) },
    '30 AAA that were booked as sold at $130 count as 50 sold at $131, but for 10 that it no longer holds: for those its books stay as they were, and what your account is short of them is kept apart from it; $5 were added to its cash.',
  ],
  [
    { undoes: null, books: trade(-1, 40), cash: toMicro(0) },
    '1 AAA were taken out of your books at $40 each; its cash stays as it was.',
  ],
  [
    { undoes: null, books: trade(-5, 114), isByHand: true, cash: toMicro(570) },
    '5 AAA that were sold in your account by hand count as sold by it at $114 each; $570 were added to its cash.',
  ],
  [
    { undoes: null, books: trade(6, 90), isByHand: true, cash: toMicro(-540) },
    '6 AAA that were bought in your account by hand count as bought by it at $90 each; $540 were taken out of its cash.',
  ],
])('%o reads as what counts now, what it does to the cash, and why', (facts, said) =>
  expect(correctionText({ symbol: 'AAA', currency: 'USD', because, ...facts })).toBe(
    `${said} It was corrected because ${because}`,
  ),
);
