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
import { mayConfirm, topicOf } from './orders/reply-policy.ts';

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

  it('reads every status that the documents name, and no words beside it', () => {
    const statusOf = (fields: object) =>
      parseOrders({ orders: [{ ...order, ...fields }], snapshot: true }).rows[0]?.status;
    const because = (reason: string) => ({ order_cancellation_by_system_reason: reason });
    expect(statusOf({ status: 'Cancelled' })).toBe('cancelled');
    // The reason comes in the language of its user.
    for (const reason of ['Order expired', 'Die Order ist abgelaufen'])
      expect(statusOf({ status: 'Cancelled', ...because(reason) })).toBe('cancelled');
    expect(statusOf({ status: 'Expired' })).toBe('expired');
    expect(statusOf({ status: 'Rejected' })).toBe('rejected');
    expect(statusOf({ status: 'ApiCancelled' })).toBe('cancelled');
    expect(statusOf({ status: 'ApiPending' })).toBe('working');
    expect(statusOf({ status: 'Unknown' })).toBe('attention');
    expect(statusOf({ status: 'Inactive', ...because('No margin') })).toBe('rejected');
    expect(statusOf({ status: 'Inactive' })).toBe('attention');
    expect(statusOf({ status: 'PendingCancel' })).toBe('working');
  });

  it('keeps a row that it cannot read with what the row says it is about, and reads the others', () => {
    const odd = [
      [{ status: 'Sideways' }, 'status'],
      [{ side: '?' }, 'side'],
      [{ totalSize: 'many' }, 'quantity'],
      [{ totalSize: 0 }, 'quantity'],
      [{ status: 'Cancelled', filledQuantity: null }, 'quantity'],
      [{ conid: null }, 'instrument'],
      [{ orderId: null }, 'id'],
    ] as const;
    for (const [fields, reason] of odd) {
      const list = parseOrders({ orders: [order, { ...order, ...fields }], snapshot: true });
      expect(list.rows).toHaveLength(1);
      expect(list.spoilt).toMatchObject([{ reason, place: 1, account: 'U1', clientOrderId: 'bw-1' }]);
      expect(JSON.parse(list.spoilt[0]!.raw)).toEqual({ ...order, ...fields });
    }
    for (const row of [null, 'row', []])
      expect(parseOrders({ orders: [row, order] })).toMatchObject({
        rows: [{ account: 'U1' }],
        spoilt: [{ reason: 'form', account: null, instrument: null }],
      });
  });

  it('is no list when it is none', () => {
    expect(() => parseOrders([])).toThrow(Unreadable);
    expect(() => parseOrders({ snapshot: true })).toThrow(Unreadable);
  });
});

describe('the trade list', () => {
  it('reads a trade with the time as text', () => {
    expect(parseTrades([trade]).rows[0]).toEqual({
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
    const [first, second] = parseTrades([trade, bust]).rows;
    expect(second).toMatchObject({ revisionStem: first!.revisionStem, quantity: 0 });
    expect(parseTrades([{ ...trade, execution_id: 'e-1' }]).rows[0]!.revisionStem).toBeNull();
    // There is no earlier revision that it could bust.
    expect(parseTrades([{ ...trade, size: 0 }])).toMatchObject({
      rows: [],
      spoilt: [{ reason: 'quantity' }],
    });
  });

  it('does not read a trade without id, account, time, price or amount, and reads the others', () => {
    const odd = [
      [{ execution_id: '' }, 'id'],
      [{ account: null }, 'account'],
      [{ trade_time: 'noon' }, 'time'],
      [{ price: 'free' }, 'price'],
      [{ size: 0 }, 'quantity'],
      [{ side: 'X' }, 'side'],
      [{ commission: 'soon' }, 'commission'],
    ] as const;
    for (const [fields, reason] of odd) {
      const list = parseTrades([{ ...trade, ...fields }, trade]);
      expect(list.rows).toHaveLength(1);
      expect(list.spoilt).toMatchObject([{ reason, place: 0 }]);
    }
  });

  it('reads what the documents allow: credits, expiries, short sales, and a commission that names its currency', () => {
    const read = (fields: object) => parseTrades([{ ...trade, ...fields }]).rows[0];
    for (const price of ['-1.25', '-37.63', '0', 0])
      expect(read({ price })).toMatchObject({ price: Number(price) });
    expect(read({ side: 'SSHORT' })).toMatchObject({ side: 'sell' });
    expect(read({ commission: '1.01 USD' })).toMatchObject({ commission: toMicro(1.01) });
  });
});

describe('the portfolio', () => {
  it('leaves closed positions out', () => {
    const row = { conid: 1, contractDesc: 'SPY', assetClass: 'STK', avgPrice: 1, currency: 'USD' };
    expect(
      parsePositions([
        { ...row, position: 0 },
        { ...row, position: '-2' },
      ]).rows,
    ).toHaveLength(1);
  });

  it('reads a position without currency or average, and not one without quantity', () => {
    const { rows, spoilt } = parsePositions([
      { conid: 1, position: 3 },
      { conid: 2, acctId: 'U1' },
    ]);
    expect(rows).toMatchObject([{ averagePrice: null, currency: null, quantity: toQuantity(3) }]);
    expect(spoilt).toMatchObject([{ reason: 'quantity', account: 'U1', instrument: { conid: '2' } }]);
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
    expect(shapeOf(undefined, 429).shape).toBe('turned_away');
    expect(shapeOf({ error: 'gone wrong' }, 500).shape).toBe('unclear');
    expect(shapeOf({ error: "reply id not found: 'r'" }).shape).toBe('unclear');
    expect(shapeOf(undefined).shape).toBe('unclear');
    expect(shapeOf([{ order_id: '1' }, { order_id: '2' }]).shape).toBe('unclear');
  });
});

const REFUSES = { withoutMarketData: false };
const ALLOWS = { withoutMarketData: true };

describe('the questions', () => {
  it('are confirmed by id, all of them or none', () => {
    expect(mayConfirm(['o10151'], REFUSES)).toBe(true);
    expect(mayConfirm(['o10151', 'o163'], REFUSES)).toBe(false);
    expect(mayConfirm(['o99999'], REFUSES)).toBe(false);
    expect(mayConfirm([], REFUSES)).toBe(false);
  });

  it('about market data are confirmed only where the owner of the connection allows it', () => {
    expect(mayConfirm(['o354'], REFUSES)).toBe(false);
    expect(mayConfirm(['o354'], ALLOWS)).toBe(true);
    expect(mayConfirm(['o10331', 'o354'], ALLOWS)).toBe(true);
    expect(mayConfirm(['o354', 'o163'], ALLOWS)).toBe(false);
    expect(mayConfirm([], ALLOWS)).toBe(false);
  });

  it('that are declined have the topic that decided it', () => {
    expect(topicOf(['o10331', 'o354'], REFUSES)).toBe('market_data');
    // To allow the one would not have answered the other.
    expect(topicOf(['o354', 'o163'], REFUSES)).toBe('price');
    expect(topicOf(['o354', 'o163'], ALLOWS)).toBe('price');
    expect(topicOf(['o382'], REFUSES)).toBe('price');
    expect(topicOf(['o383'], REFUSES)).toBe('size');
    expect(topicOf(['o451'], REFUSES)).toBe('value');
    expect(topicOf(['o99999'], REFUSES)).toBe('other');
    expect(topicOf([], REFUSES)).toBe('other');
  });

  it('are not confirmed when one of their ids cannot be read', () => {
    for (const unreadable of [null, {}, { toString: false }, '']) {
      const body = [{ id: 'r', message: ['Sure?'], messageIds: ['o10151', unreadable] }];
      const answer = parseSubmitAnswer({ kind: 'answered', status: 200, body, text: '' });
      expect(answer.shape === 'question' && !mayConfirm(answer.messageIds, ALLOWS)).toBe(true);
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
