// Every form in which the vendor's published and recorded answers write the same value, one row per form, and how it must be
// read. An ambiguous form must fail or be unclear.
import { describe, expect, it } from 'vitest';
import { asFlag, asNumber, reading } from '#adapters/broker/answer-fields.ts';
import {
  parseOrders,
  parseOrderStatus,
  parseTrades,
} from '#adapters/broker/interactive-brokers/orders/parse-orders.ts';
import {
  parseLedger,
  parsePositions,
} from '#adapters/broker/interactive-brokers/portfolio/parse-portfolio.ts';
import { parseInstant } from '#units/instant.ts';
import { toMicro } from '#units/money.ts';
import { toQuantity } from '#units/quantity.ts';

const text = (parse: () => unknown) => {
  const read = reading(parse);
  return read.outcome === 'failed' ? read.code : read.value;
};

describe('a number', () => {
  const forms: readonly [unknown, number | null][] = [
    [1300, 1300],
    ['1300', 1300],
    ['1,300', 1300],
    ['1,300.25', 1300.25],
    ['-2', -2],
    ['1.0', 1],
    ['.5', 0.5],
    ['1E3', 1000],
    ['', null],
    [' ', null],
    ['0x10', null],
    ['1.2K', null],
    ['N/A', null],
    ['Infinity', null],
    [Number.NaN, null],
    [null, null],
    [undefined, null],
    [[5], null],
  ];
  for (const [form, meant] of forms)
    it(`${JSON.stringify(form)} is ${meant}`, () => expect(asNumber(form)).toBe(meant));
});

describe('a flag', () => {
  const forms: readonly [unknown, boolean | null][] = [
    [true, true],
    ['true', true],
    ['1', true],
    [1, true],
    [false, false],
    ['false', false],
    [0, false],
    [null, null],
    [undefined, null],
    ['perhaps', null],
  ];
  for (const [form, meant] of forms)
    it(`${JSON.stringify(form)} is ${meant}`, () => expect(asFlag(form)).toBe(meant));
});

describe('a live order', () => {
  const row = {
    acct: 'U1234567',
    conid: '265598',
    orderId: 1_799_796_559,
    ticker: 'AAPL',
    secType: 'STK',
    side: 'BUY',
    price: '',
    totalSize: '10',
    filledQuantity: '0',
    status: 'Submitted',
  };
  const read = (fields: object) =>
    text(() => parseOrders({ orders: [{ ...row, ...fields }], snapshot: true }).rows[0] ?? 'unreadable');
  const forms: readonly [string, object, object | 'unreadable'][] = [
    ['the status in lower case', { status: 'submitted' }, { status: 'working' }],
    ['the status as filters write it', { status: 'pre_submitted' }, { status: 'working' }],
    ['one l in cancelled', { status: 'Canceled' }, { status: 'cancelled' }],
    ['an unknown status', { status: 'ApiStrange' }, 'unreadable'],
    ['no status', { status: null }, 'unreadable'],
    ['a side in other letters', { side: 'Buy' }, { side: 'buy' }],
    ['a side of executions', { side: 'SLD' }, { side: 'sell' }],
    ['no side', { side: '' }, 'unreadable'],
    ['only account', { acct: undefined, account: 'U1234567' }, { account: 'U1234567' }],
    ['an empty acct beside account', { acct: '', account: 'U1234567' }, { account: 'U1234567' }],
    ['an order id beyond 32 bits', { orderId: 17_437_897_932 }, { brokerOrderId: '17437897932' }],
    ['an order id as text', { orderId: '17437897932' }, { brokerOrderId: '17437897932' }],
    ['no order id', { orderId: null }, 'unreadable'],
    [
      'the contract id in conidex alone',
      { conid: null, conidex: '265598@SMART' },
      { instrument: { conid: '265598' } },
    ],
    ['a price of zero, as market orders have', { price: '0.0' }, { limitPrice: null }],
    ['no price', { price: null }, { limitPrice: null }],
    [
      'a stop with an empty price beside it',
      { orderType: 'Stop', price: '95.5', auxPrice: '0.0' },
      { stopPrice: 95.5 },
    ],
    [
      'a fraction',
      { totalSize: '0.3175', filledQuantity: '0.3175', status: 'Filled' },
      { quantity: toQuantity(0.3175) },
    ],
    [
      'filled with less than its size, as cash orders end',
      { totalSize: 2806.46, filledQuantity: 2499.99, status: 'Filled' },
      { status: 'filled', filled: toQuantity(2499.99) },
    ],
    [
      'more filled than ordered',
      { filledQuantity: '11' },
      { filled: toQuantity(11), quantity: toQuantity(10) },
    ],
    ['no filled quantity while it works', { filledQuantity: null }, { filled: 0 }],
    [
      'what remains instead of what is filled',
      { filledQuantity: null, remainingQuantity: '7' },
      { filled: toQuantity(3) },
    ],
    ['an end without a filled quantity', { filledQuantity: null, status: 'Cancelled' }, 'unreadable'],
    ['a sale of borrowed shares', { side: 'SSHORT' }, { side: 'sell' }],
    [
      'an order for money, nothing filled',
      { totalSize: '', totalCashSize: '100.0' },
      { filled: 0, quantity: 1 },
    ],
    [
      'an order for money, half filled',
      { totalSize: 0, totalCashSize: '100', filledQuantity: '0.2', remainingQuantity: '0.3' },
      { quantity: toQuantity(0.5) },
    ],
    ['neither size nor money', { totalSize: 0 }, 'unreadable'],
    [
      'a system reason that is an expiry',
      { status: 'Cancelled', order_cancellation_by_system_reason: 'Order expired' },
      { status: 'cancelled', note: 'Order expired' },
    ],
  ];
  for (const [what, fields, meant] of forms)
    it(what, () => {
      if (typeof meant === 'string') expect(read(fields)).toBe(meant);
      else expect(read(fields)).toMatchObject(meant);
    });

  for (const body of [{ error: 'x' }, {}, { orders: null }, { orders: {} }, null, undefined, [], 'html'])
    it(`is not 'none' in ${JSON.stringify(body)}`, () =>
      expect(text(() => parseOrders(body))).toBe('unreadable'));
});

describe('one order asked for alone', () => {
  const row = {
    order_id: 1_799_796_559,
    conid: 265_598,
    symbol: 'AAPL',
    side: 'S',
    size: '0.0',
    total_size: '5.0',
    order_type: 'MARKET',
    cum_fill: '5.0',
    order_status: 'Filled',
    sec_type: 'STK',
    account: 'U1234567',
  };
  it('has its fill under either name', () => {
    const filled = toQuantity(5);
    expect(parseOrderStatus(row)).toMatchObject({ filled, side: 'sell', account: 'U1234567' });
    const other = { ...row, cum_fill: null, filled_quantity: '5.0' };
    expect(parseOrderStatus(other)).toMatchObject({ filled });
  });
  it('is unreadable without its total size: its size is the remaining quantity', () => {
    expect(text(() => parseOrderStatus({ ...row, total_size: null, size: '5.0' }))).toBe('unreadable');
  });
});

describe('an execution', () => {
  const row = {
    execution_id: '0000e0d5.6576fd38.01.01',
    symbol: 'AAPL',
    side: 'S',
    trade_time: '20231211-18:00:49',
    size: 5,
    price: '192.26',
    order_ref: 'Order123',
    commission: '1.01',
    account: 'U1234567',
    sec_type: 'STK',
    conid: 265_598,
    order_id: 17_437_897_932,
  };
  const read = (fields: object) => text(() => parseTrades([{ ...row, ...fields }]).rows[0] ?? 'unreadable');
  const at = parseInstant('2023-12-11T18:00:49Z');
  const forms: readonly [string, object, object | string][] = [
    ['the time as text', {}, { at }],
    ['the time with a space', { trade_time: '20231211 18:00:49' }, { at }],
    ['the time in milliseconds', { trade_time: null, trade_time_r: 1_702_317_649_000 }, { at }],
    ['the milliseconds as text', { trade_time_r: '1702317649000' }, { at }],
    ['seconds where milliseconds belong', { trade_time_r: 1_702_317_649 }, 'unreadable'],
    ['a day that is none', { trade_time: '20231399-18:00:49' }, 'unreadable'],
    ['an hour that is none', { trade_time: '20231211-25:00:49' }, 'unreadable'],
    ['the size as text', { size: '1,300' }, { quantity: toQuantity(1300) }],
    ['the price as a number', { price: 192.26 }, { price: 192.26 }],
    ['a rebate', { commission: '-0.35' }, { commission: toMicro(-0.35) }],
    ['a commission not known yet, as a number', { commission: '-1' }, { commission: null }],
    ['a commission not known yet, and left out', { commission: undefined }, { commission: null }],
    ['a commission of nothing', { commission: '0' }, { commission: 0 }],
    ['a commission not known yet', { commission: '' }, { commission: null }],
    ['a commission in words', { commission: 'pending' }, 'unreadable'],
    ['the account under its code', { account: null, accountCode: 'U1234567' }, { account: 'U1234567' }],
    [
      'the account as positions write it',
      { account: undefined, acctId: 'U1234567' },
      { account: 'U1234567' },
    ],
    ['no account', { account: null }, 'unreadable'],
    ['no name of ours', { order_ref: undefined }, { clientOrderId: null }],
    ['no order id', { order_id: undefined }, 'unreadable'],
  ];
  for (const [what, fields, meant] of forms)
    it(what, () => {
      if (typeof meant === 'string') expect(read(fields)).toBe(meant);
      else expect(read(fields)).toMatchObject(meant);
    });
  for (const body of [{ error: 'x' }, {}, null, undefined, 'html'])
    it(`is not 'none' in ${JSON.stringify(body)}`, () =>
      expect(text(() => parseTrades(body))).toBe('unreadable'));
  for (const body of [[null], [[]], [{}]])
    it(`is a row that cannot be read in ${JSON.stringify(body)}`, () =>
      expect(parseTrades(body)).toMatchObject({ rows: [], spoilt: [{ place: 0 }] }));
});

describe('a position', () => {
  it('of an option has the price of one unit, even if the broker reports only the cost of a contract', () => {
    const option = {
      acctId: 'DU123456',
      conid: 584_891_614,
      contractDesc: 'SPY    JAN2025 440 C [SPY   250117C00440000 100]',
      position: 1.0,
      mktPrice: 95.70706175,
      currency: 'USD',
      avgCost: 5801.0401,
      avgPrice: 58.010401,
      expiry: '20250117',
      putOrCall: 'C',
      multiplier: 100.0,
      strike: '440',
      assetClass: 'OPT',
    };
    expect(parsePositions([option]).rows[0]).toMatchObject({ averagePrice: 58.010401 });
    const [costAlone] = parsePositions([{ ...option, avgPrice: null }]).rows;
    expect(costAlone?.averagePrice).toBeCloseTo(58.010401, 9);
  });
  it('may be short, a fraction, and without a price', () => {
    const coin = { conid: '479624278', description: 'BTC CRYPTO', secType: 'CRYPTO', currency: 'USD' };
    const [held] = parsePositions([
      { ...coin, position: '-0.00365831', avgPrice: '27608.3', marketPrice: null },
    ]).rows;
    expect(held).toMatchObject({ quantity: toQuantity(-0.00365831), marketPrice: null });
  });
  for (const body of [{ error: 'x' }, {}, null, 'html'])
    it(`is not 'flat' in ${JSON.stringify(body)}`, () =>
      expect(text(() => parsePositions(body))).toBe('unreadable'));
  for (const body of [[{}], [{ conid: 1, position: 'many' }]])
    it(`is a row that cannot be read in ${JSON.stringify(body)}`, () =>
      expect(parsePositions(body)).toMatchObject({ rows: [], spoilt: [{ place: 0 }] }));
});

describe('the ledger', () => {
  const line = (cashbalance: unknown, exchangerate: unknown) => ({
    cashbalance,
    netliquidationvalue: cashbalance,
    exchangerate,
  });
  it('is in the currency that the account list names', () => {
    const ledger = { USD: line(1, 0.8), BASE: line(5, 1) };
    expect(parseLedger(ledger, 'CHF')).toMatchObject({ currency: 'CHF', cash: toMicro(5) });
  });
  it('is in the one currency at a rate of one where no list was asked for', () => {
    expect(parseLedger({ AUD: line(1, 0.65), USD: line('5.5', '1'), BASE: line('6', 1) })).toMatchObject({
      currency: 'USD',
      cash: toMicro(6),
    });
  });
  it('is never in a guessed currency', () => {
    for (const ledger of [{ BASE: line(5, 1) }, { USD: line(1, 1), USDX: line(1, 1), BASE: line(5, 1) }])
      expect(text(() => parseLedger(ledger))).toBe('unreadable');
  });
});
