import { expect, test } from 'vitest';
import { toMicro } from '#units/money.ts';
import { toQuantity } from '#units/quantity.ts';
import { adjustmentText } from './adjustment-text.ts';

const trade = (units: number, price: number) => ({ units: toQuantity(units), price });
const because = 'the exchange cancelled the trade';

test.each([
  [
    { undoes: trade(10, 100), books: null, cash: toMicro(1_001) },
    'the purchase of 10 AAA at $100 was reversed; $1,001 was added to its cash.',
  ],
  [
    { undoes: trade(-10, 100), books: trade(-10, 99.5), cash: toMicro(-5) },
    'the sale of 10 AAA at $100 was replaced by a sale of 10 at $99.50; $5 was deducted from its cash.',
  ],
  [
    { undoes: null, books: trade(2.5, 40), cash: toMicro(-100) },
    '2.5 AAA added at $40 each; $100 was deducted from its cash.',
  ],
  [
    { undoes: trade(40, 100), books: null, shortfall: toQuantity(15), cash: toMicro(2_500) },
    'the purchase of 40 AAA at $100 was reversed, except for 15 that it had already sold: these keep their booked price, and the shortfall is held in a suspense account; $2,500 was added to its cash.',
  ],
  [
    { undoes: trade(-30, 130), books: trade(-50, 131), shortfall: toQuantity(10), cash: toMicro(5) },
    'the sale of 30 AAA at $130 was replaced by a sale of 50 at $131, except for 10 that it had already sold: these keep their booked price, and the shortfall is held in a suspense account; $5 was added to its cash.',
  ],
  [
    { undoes: null, books: trade(-1, 40), cash: toMicro(0) },
    '1 AAA removed at $40 each; its cash is unchanged.',
  ],
  [
    { undoes: null, books: trade(-5, 114), isOfExternalTrade: true, cash: toMicro(570) },
    '5 AAA that you sold manually at $114 each are now booked as its own trade; $570 was added to its cash.',
  ],
  [
    { undoes: null, books: trade(6, 90), isOfExternalTrade: true, cash: toMicro(-540) },
    '6 AAA that you bought manually at $90 each are now booked as its own trade; $540 was deducted from its cash.',
  ],
])('%o reads as what counts now, what it does to the cash, and why', (facts, said) =>
  expect(adjustmentText({ symbol: 'AAA', currency: 'USD', because, ...facts })).toBe(
    `${said} Reason: ${because}`,
  ),
);
