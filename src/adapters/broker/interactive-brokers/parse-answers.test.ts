import { describe, expect, it } from 'vitest';
import type { Symbol } from '#units/identifiers.ts';
import { type IsoDate, parseInstant } from '#units/instant.ts';
import { toMicro } from '#units/money.ts';
import { toQuantity } from '#units/quantity.ts';
import { Unreadable } from '../answer-fields.ts';
import { pickCoin, pickFuture, pickOption, pickPair, pickStock } from './market-data/contracts.ts';
import { parseOrders, parseTrades } from './orders/parse-orders.ts';
import { parseLedger, parsePositions } from './portfolio/parse-portfolio.ts';
import { parseSubmitAnswer } from './orders/parse-submit-answer.ts';
import { mayConfirm } from './orders/reply-policy.ts';

const order = {
  acct: 'U1',
  conid: 15_016_138,
  orderId: 17_437_897_932,
  order_ref: 'bw-1',
  ticker: 'AUD',
  description1: 'AUD.CAD',
  secType: 'CASH',
  side: 'BUY',
  price: '0.90000',
  totalSize: '2,806.46',
  filledQuantity: 2499.99,
  status: 'Submitted',
};
const trade = {
  execution_id: '0000e0d5.6576fd38.01.01',
  account: 'U1',
  conid: '265598',
  contract_description_1: 'AAPL',
  sec_type: 'STK',
  side: 'SLD',
  size: 5,
  price: '192.26',
  commission: '1.01',
  order_id: 17_437_897_932,
  trade_time: '20231211-18:00:49',
};

describe('the order list', () => {
  it("reads a stop's price from either field that carries it", () => {
    const stop = { ...order, orderType: 'Stop', origOrderType: 'STOP' };
    const read = (row: object) => parseOrders({ orders: [row], snapshot: true }).rows[0];
    expect(read({ ...stop, price: '95.5' })).toMatchObject({ stopPrice: 95.5, limitPrice: null });
    expect(read({ ...stop, price: '', auxPrice: '95.5' })).toMatchObject({
      stopPrice: 95.5,
      limitPrice: null,
    });
    const both = { ...order, origOrderType: 'STOP_LIMIT', price: '95', auxPrice: '96' };
    expect(read(both)).toMatchObject({ stopPrice: 96, limitPrice: 95 });
  });

  it('reads numbers in every notation the vendor uses', () => {
    expect(parseOrders({ orders: [order], snapshot: true }).rows[0]).toEqual({
      account: 'U1',
      brokerOrderId: '17437897932',
      clientOrderId: 'bw-1',
      instrument: { conid: '15016138', name: 'AUD.CAD', secType: 'CASH' },
      side: 'buy',
      quantity: toQuantity(2806.46),
      filled: toQuantity(2499.99),
      limitPrice: 0.9,
      stopPrice: null,
      status: 'working',
      note: '',
    });
  });

  it('distinguishes an expiry from a cancellation, and a reject from an inactive order', () => {
    const statusOf = (fields: object) =>
      parseOrders({ orders: [{ ...order, ...fields }], snapshot: true }).rows[0]?.status;
    const because = (reason: string) => ({ order_cancellation_by_system_reason: reason });
    expect(statusOf({ status: 'Cancelled' })).toBe('cancelled');
    expect(statusOf({ status: 'Cancelled', ...because('Order expired') })).toBe('expired');
    expect(statusOf({ status: 'Inactive', ...because('No margin') })).toBe('rejected');
    expect(statusOf({ status: 'Inactive' })).toBe('attention');
    expect(statusOf({ status: 'PendingCancel' })).toBe('working');
  });

  it('is unreadable as a whole when one row is', () => {
    for (const fields of [{ status: 'Sideways' }, { side: '?' }, { totalSize: 'many' }, { totalSize: 0 }])
      expect(() => parseOrders({ orders: [order, { ...order, ...fields }], snapshot: true })).toThrow(
        Unreadable,
      );
    expect(() => parseOrders([])).toThrow(Unreadable);
    expect(() => parseOrders({ snapshot: true })).toThrow(Unreadable);
  });
});

describe('the trade list', () => {
  it('reads a trade with the time as text', () => {
    expect(parseTrades([trade])[0]).toEqual({
      account: 'U1',
      executionId: '0000e0d5.6576fd38.01.01',
      revisionStem: '0000e0d5.6576fd38.01.',
      clientOrderId: null,
      brokerOrderId: '17437897932',
      instrument: { conid: '265598', name: 'AAPL', secType: 'STK' },
      side: 'sell',
      quantity: toQuantity(5),
      price: 192.26,
      commission: toMicro(1.01),
      at: parseInstant('2023-12-11T18:00:49Z'),
    });
  });

  it('recognises revisions of an execution, and its bust, by the common prefix of their ids', () => {
    const bust = { ...trade, execution_id: '0000e0d5.6576fd38.01.02', size: 0, price: '0' };
    const [first, second] = parseTrades([trade, bust]);
    expect(second).toMatchObject({ revisionStem: first!.revisionStem, quantity: 0 });
    expect(parseTrades([{ ...trade, execution_id: 'e-1' }])[0]!.revisionStem).toBeNull();
    // There is no earlier revision that it could bust.
    expect(() => parseTrades([{ ...trade, size: 0 }])).toThrow(Unreadable);
  });

  it('refuses a trade without id, time, price or amount', () => {
    const fields = [
      { execution_id: '' },
      { trade_time: 'noon' },
      { price: '-1' },
      { size: 0 },
      { side: 'X' },
    ];
    for (const field of fields) expect(() => parseTrades([{ ...trade, ...field }])).toThrow(Unreadable);
  });
});

describe('the portfolio', () => {
  it('leaves closed positions out', () => {
    const row = { conid: 1, contractDesc: 'SPY', assetClass: 'STK', avgPrice: 1, currency: 'USD' };
    expect(
      parsePositions([
        { ...row, position: 0 },
        { ...row, position: '-2' },
      ]),
    ).toHaveLength(1);
  });

  it('refuses a ledger without its base line', () => {
    expect(() => parseLedger({ USD: { cashbalance: 1 } })).toThrow(Unreadable);
  });
});

describe('the answer to an order', () => {
  const shapeOf = (body: unknown, status = 200) =>
    parseSubmitAnswer({ kind: 'answered', status, body, text: '' });

  it('has four shapes', () => {
    expect(shapeOf([{ order_id: '7', order_status: 'PreSubmitted' }])).toEqual({
      shape: 'accepted',
      brokerOrderId: '7',
    });
    expect(shapeOf([{ id: 'r', message: ['Sure?'], messageIds: ['o354'], isSuppressed: false }])).toEqual({
      shape: 'question',
      replyId: 'r',
      messageIds: ['o354'],
      text: 'Sure?',
    });
    expect(shapeOf({ error: 'No trading permission' })).toEqual({
      shape: 'rejected',
      said: 'No trading permission',
    });
    expect(
      shapeOf({ orderId: 1, reqId: '2', text: 'Use the algo?', messageId: 'p12', prompt: true }),
    ).toEqual({
      shape: 'choice',
      text: 'Use the algo?',
    });
  });

  it('recognises a repeated id under any status', () => {
    const body = { error: "Order couldn't be submitted: Local order ID=x is already registered." };
    for (const status of [200, 400, 500]) expect(shapeOf(body, status).shape).toBe('duplicate');
  });

  it('counts as turned away only when the vendor cannot have read the order', () => {
    expect(shapeOf({ error: 'expired' }, 401).shape).toBe('turned_away');
    expect(shapeOf({ error: 'Bad Request: no bridge' }, 400).shape).toBe('turned_away');
    expect(shapeOf(undefined, 429).shape).toBe('turned_away');
    expect(shapeOf({ error: 'gone wrong' }, 500).shape).toBe('unclear');
    expect(shapeOf({ error: "reply id not found: 'r'" }).shape).toBe('unclear');
    expect(shapeOf(undefined).shape).toBe('unclear');
    expect(shapeOf([{ order_id: '1' }, { order_id: '2' }]).shape).toBe('unclear');
  });
});

describe('the questions', () => {
  it('are confirmed by id, all of them or none', () => {
    expect(mayConfirm(['o10151'])).toBe(true);
    expect(mayConfirm(['o10151', 'o163'])).toBe(false);
    expect(mayConfirm(['o99999'])).toBe(false);
    expect(mayConfirm([])).toBe(false);
  });

  it('are not confirmed when one of their ids cannot be read', () => {
    for (const unreadable of [null, {}, { toString: false }, '']) {
      const body = [{ id: 'r', message: ['Sure?'], messageIds: ['o10151', unreadable] }];
      const answer = parseSubmitAnswer({ kind: 'answered', status: 200, body, text: '' });
      expect(answer.shape === 'question' && !mayConfirm(answer.messageIds)).toBe(true);
    }
  });
});

describe('the contract', () => {
  it('for a share is on an American primary exchange, or there is none', () => {
    const line = (conid: number, exchange: string, isUS: boolean) => ({ conid, exchange, isUS });
    const of = (...contracts: object[]) => ({ X: [{ assetClass: 'STK', contracts }] });
    expect(pickStock(of(line(1, 'LSE', false), line(2, 'NYSE', true)), 'X')?.conid).toBe(2);
    expect(pickStock(of(line(1, 'PINK', true), line(2, 'PINK', true)), 'X')).toBeNull();
    expect(pickStock({}, 'X')).toBeNull();
  });

  it('has a positive integer id, or there is none', () => {
    const of = (conid: unknown) => ({ X: [{ assetClass: 'STK', contracts: [{ conid, isUS: true }] }] });
    expect(pickStock(of('756733'), 'X')?.conid).toBe(756_733);
    for (const spoilt of [0, -756_733, 0.1, 1e30, '756733e30', '', null])
      expect(pickStock(of(spoilt), 'X')).toBeNull();
  });

  it('selects the future and the option that expire on the requested day', () => {
    const months = [
      { symbol: 'ES', conid: 11, expirationDate: 20_260_320, ltd: 20_260_320 },
      { symbol: 'ES', conid: 12, expirationDate: 20_260_618, ltd: 20_260_618 },
    ];
    const june = { symbol: 'ES.2026M' as Symbol, expiry: '2026-06-18' as IsoDate };
    expect(pickFuture({ ES: months }, june)).toEqual({ conid: 12, secType: 'FUT' });
    expect(pickFuture({ ES: months }, { ...june, expiry: '2026-09-18' as IsoDate })).toBeNull();
    const options = [
      { conid: 21, maturityDate: '20260213' },
      { conid: 22, maturityDate: '20260220' },
    ];
    expect(pickOption(options, '2026-02-20')).toEqual({ conid: 22, secType: 'OPT' });
    expect(pickOption(options, '2026-03-20')).toBeNull();
  });

  it('for a currency pair or a coin is found by name', () => {
    const pairs = { EUR: [{ symbol: 'EUR.USD', conid: 3, ccyPair: 'USD' }] };
    expect(pickPair(pairs, 'EUR', 'USD')).toEqual({ conid: 3, secType: 'CASH' });
    expect(pickPair(pairs, 'EUR', 'CHF')).toBeNull();
    const found = [
      { conid: '1', symbol: 'BTC', sections: [{ secType: 'STK' }] },
      { conid: '2', symbol: 'BTC', sections: [{ secType: 'CRYPTO', conid: '4' }] },
    ];
    expect(pickCoin(found, 'BTC')).toEqual({ conid: 4, secType: 'CRYPTO' });
  });
});
