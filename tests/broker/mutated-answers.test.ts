// Corrupted answers of the brokers: each is read to a sane value or is a failure. Ten thousand by default;
// BROKER_MUTATIONS sets another number.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { reading } from '#adapters/broker/answer-fields.ts';
import { parseBars, parseSearch } from '#adapters/broker/interactive-brokers/market-data/market-data.ts';
import { parseQuote } from '#adapters/broker/interactive-brokers/market-data/parse-quote.ts';
import { parseOrders, parseTrades } from '#adapters/broker/interactive-brokers/orders/parse-orders.ts';
import {
  parseAccounts,
  parseLedger,
  parsePositions,
} from '#adapters/broker/interactive-brokers/portfolio/parse-portfolio.ts';
import { parseSubmitAnswer } from '#adapters/broker/interactive-brokers/orders/parse-submit-answer.ts';
import {
  parseAccount,
  parseFills,
  parseOrders as parseAlpacaOrders,
  parsePositions as parseAlpacaPositions,
} from '#adapters/broker/alpaca/parse-answers.ts';
import { conclude } from '#adapters/broker/alpaca/submit-order.ts';
import type { ClientOrderId } from '#units/identifiers.ts';
import { mutated, parsed } from './mutated.ts';

const RUNS = Number(process.env.BROKER_MUTATIONS || 10_000);

const TRADE = {
  execution_id: '0000e0d5.6576fd38.01.01',
  symbol: 'SPY',
  side: 'B',
  trade_time: '20260112-14:30:00',
  trade_time_r: 1_768_228_200_000,
  size: 10,
  price: '100.25',
  order_ref: 'd1-spy-1',
  commission: '0.5',
  account: 'DU1000001',
  sec_type: 'STK',
  conid: '756733',
  order_id: 1_000_000_001,
};
const ORDER = {
  acct: 'DU1000001',
  conid: 756_733,
  orderId: 1_000_000_001,
  order_ref: 'd1-spy-1',
  ticker: 'SPY',
  secType: 'STK',
  side: 'BUY',
  origOrderType: 'LIMIT',
  price: '103',
  totalSize: 10,
  filledQuantity: '4',
  status: 'Submitted',
};
const POSITION = {
  conid: '756733',
  position: 3,
  avgPrice: 580.1,
  mktPrice: 584,
  currency: 'USD',
  assetClass: 'STK',
};
const BASE = { cashbalance: 971_869.6, netliquidationvalue: 1_005_165.5, exchangerate: 1, currency: 'BASE' };
const BAR = { o: 100, c: 101, h: 102, l: 99.5, v: 1_000.5, t: 1_768_228_200_000 };

const ALPACA_ORDER = {
  id: '904837e3-3b76-47ec-b432-046db621571b',
  client_order_id: 'd1-spy-1',
  asset_id: 'b0b6dd9d',
  symbol: 'SPY',
  qty: '10',
  filled_qty: '4',
  side: 'buy',
  type: 'limit',
  limit_price: '103',
  stop_price: null,
  status: 'partially_filled',
};
const ALPACA_FILL = {
  id: '20260112143000000::1',
  activity_type: 'FILL',
  transaction_time: '2026-01-12T14:30:00.000Z',
  type: 'partial_fill',
  price: '100.25',
  qty: '4',
  side: 'buy',
  symbol: 'SPY',
  order_id: '904837e3-3b76-47ec-b432-046db621571b',
};

describe('a corrupted answer', () => {
  it('to an order never claims more than the original', () => {
    const accepted = [{ order_id: '1000000001', order_status: 'PreSubmitted', encrypt_message: '1' }];
    const question = [{ id: 'b1c2', message: ['Sure?'], isSuppressed: false, messageIds: ['o163'] }];
    fc.assert(
      fc.property(fc.constantFrom(accepted, question).chain(mutated), ({ text }) => {
        const body = parsed(text);
        const answer = parseSubmitAnswer({ kind: 'answered', status: 200, body, text });
        // The original refuses nothing: the mutation must never be read as a refusal or as an order that was not read.
        expect(['accepted', 'question', 'unclear']).toContain(answer.shape);
        if (answer.shape === 'accepted') expect(answer.brokerOrderId).not.toBe('');
        if (answer.shape === 'question') expect(answer.replyId).not.toBe('');
      }),
      { numRuns: RUNS },
    );
  });

  it('to an order at Alpaca is believed only when it names the order', () => {
    const clientOrderId = 'd1-spy-1' as ClientOrderId;
    fc.assert(
      fc.property(mutated({ ...ALPACA_ORDER, client_order_id: clientOrderId }), ({ text }) => {
        const body = parsed(text);
        const result = conclude({ kind: 'answered', status: 200, body, text }, { clientOrderId });
        expect(['accepted', 'unknown']).toContain(result.outcome);
        if (result.outcome === 'accepted') expect(text).toContain(clientOrderId);
      }),
      { numRuns: RUNS },
    );
  });

  const whole = (value: number) => Number.isSafeInteger(value);
  const cases: readonly [string, unknown, (body: unknown) => boolean][] = [
    [
      'with executions',
      [TRADE, { ...TRADE, execution_id: '0000e0d5.6576fd38.02.01' }],
      (body) =>
        parseTrades(body).rows.every(
          ({ quantity, price, commission, at, executionId }) =>
            whole(quantity) &&
            quantity > 0 &&
            Math.abs(price) < 1e9 &&
            (commission === null || (whole(commission) && Math.abs(commission) <= 1e12)) &&
            whole(at) &&
            executionId !== '',
        ),
    ],
    [
      'with orders',
      { orders: [ORDER, { ...ORDER, orderId: 1_000_000_002 }], snapshot: true },
      (body) =>
        parseOrders(body).rows.every(
          ({ quantity, filled, brokerOrderId }) =>
            whole(quantity) && quantity > 0 && whole(filled) && filled >= 0 && brokerOrderId !== '',
        ),
    ],
    [
      'with positions',
      [POSITION],
      (body) => parsePositions(body).rows.every(({ quantity }) => whole(quantity) && quantity !== 0),
    ],
    ['with cash', { BASE, USD: { ...BASE, currency: 'USD' } }, (body) => whole(parseLedger(body).cash)],
    [
      'with accounts',
      [{ accountId: 'DU1000001', accountTitle: 'Ada', currency: 'USD' }],
      (body) => parseAccounts(body).every(({ accountId }) => accountId !== ''),
    ],
    [
      'with bars',
      { data: [BAR, BAR] },
      (body) => parseBars(body).bars.every(({ low, high }) => low > 0 && low <= high),
    ],
    [
      'with a price',
      { conid: 756_733, '31': 'C584.01', '84': '584', '86': '584.02' },
      (body) => (parseQuote(body as never, 'SPY' as never)?.last ?? 1) > 0,
    ],
    [
      'with an order of Alpaca',
      [ALPACA_ORDER],
      (body) =>
        parseAlpacaOrders(body, () => null).rows.every(
          ({ quantity, filled }) => whole(quantity) && quantity > 0 && whole(filled) && filled >= 0,
        ),
    ],
    [
      'with fills of Alpaca',
      [ALPACA_FILL, { ...ALPACA_FILL, id: '20260112143000000::2' }],
      (body) =>
        parseFills(body, () => null).rows.every(
          ({ quantity, price, at }) => whole(quantity) && quantity > 0 && Math.abs(price) < 1e9 && whole(at),
        ),
    ],
    [
      'with positions of Alpaca',
      [
        {
          asset_id: 'a',
          symbol: 'SPY',
          qty: '-3',
          side: 'short',
          avg_entry_price: '580.1',
          current_price: '584',
        },
      ],
      (body) =>
        parseAlpacaPositions(body, () => null).rows.every(
          ({ quantity }) => whole(quantity) && quantity !== 0,
        ),
    ],
    [
      'with an account of Alpaca',
      { account_number: 'PA1', currency: 'USD', cash: '100000', equity: '100000' },
      (body) => whole(parseAccount(body).cash) && parseAccount(body).accountId !== '',
    ],
    [
      'with contracts',
      [{ conid: '756733', symbol: 'SPY', companyName: 'SPDR' }],
      (body) => parseSearch(body).length >= 0,
    ],
  ];
  for (const [what, original, isSane] of cases)
    it(`${what} is read to a sane value, or is a failure`, () => {
      const sane = reading(() => isSane(original));
      expect(sane).toEqual({ outcome: 'ok', value: true });
      fc.assert(
        fc.property(mutated(original), ({ text }) => {
          const body = parsed(text);
          if (typeof body !== 'object' || body === null) return;
          const answer = reading(() => isSane(body));
          expect(answer.outcome === 'failed' || answer.value).toBe(true);
        }),
        { numRuns: Math.ceil(RUNS / 4) },
      );
    });
});
