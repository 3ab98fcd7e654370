// Every form in which the vendor answers an order, refuses a query, shows a price and names a contract, one row per form.
import { describe, expect, it } from 'vitest';
import {
  createContractBook,
  derivativeSymbol,
  pickCoin,
  pickOption,
  pickStock,
} from '#adapters/broker/interactive-brokers/market-data/contracts.ts';
import { failureOf } from '#adapters/broker/interactive-brokers/failure-of.ts';
import { parseQuote } from '#adapters/broker/interactive-brokers/market-data/parse-quote.ts';
import { parseSubmitAnswer } from '#adapters/broker/interactive-brokers/orders/parse-submit-answer.ts';
import type { Symbol } from '#units/identifiers.ts';

describe('the answer to an order', () => {
  const shapeOf = (body: unknown, status = 200) =>
    parseSubmitAnswer({ kind: 'answered', status, body, text: JSON.stringify(body) ?? '' }).shape;
  const accepted = { order_id: '123456789', order_status: 'PreSubmitted', encrypt_message: '1' };
  const prompt = {
    orderId: 123_456_789,
    reqId: '22170',
    dismissable: [],
    text: 'If your order is not immediately executable…',
    options: ['Use on this order', 'Always use', 'Do not use'],
    type: 'M',
    messageId: 'p12',
  };
  const question = { id: '99097238', isSuppressed: false, message: ['Are you sure?'], messageIds: ['o354'] };
  const forms: readonly [string, unknown, number, string][] = [
    ['one order in a list', [accepted], 200, 'accepted'],
    ['one order without a list', accepted, 200, 'accepted'],
    ['an order id as a number', [{ ...accepted, order_id: 123_456_789 }], 200, 'accepted'],
    ['an empty order id', [{ ...accepted, order_id: '' }], 200, 'unclear'],
    ['an order beside an error', { ...accepted, error: 'late' }, 200, 'unclear'],
    ['a question in a list', [question], 200, 'question'],
    ['a question without a list', question, 200, 'question'],
    ['a question that does not say which', [{ ...question, messageIds: undefined }], 200, 'question'],
    ['a prompt', { ...prompt, prompt: true }, 200, 'choice'],
    ['a prompt without its flag', prompt, 200, 'choice'],
    ['a prompt in a list', [{ ...prompt, prompt: 'true' }], 200, 'choice'],
    ['an error', { error: 'No trading permission' }, 200, 'rejected'],
    ['an error under 400', { error: 'Bad Request: price', statusCode: 400 }, 400, 'rejected'],
    [
      'a problem under 400',
      { type: '/x', title: 'Bad Request', status: 400, detail: 'quantity' },
      400,
      'rejected',
    ],
    ['an error that is a time-out', { error: 'Request timed out' }, 200, 'unclear'],
    ['an error under 408', { error: 'Not responding' }, 408, 'unclear'],
    ['an error under 409', { error: 'Conflict' }, 409, 'unclear'],
    ['an error under 500', { error: 'Invalid account ID' }, 500, 'unclear'],
    ['nothing under 503', undefined, 503, 'unclear'],
    ['nothing under 200', undefined, 200, 'unclear'],
    ['an empty list', [], 200, 'unclear'],
    ['null', null, 200, 'unclear'],
    ['a status of an order alone', [{ order_status: 'Submitted' }], 200, 'unclear'],
    // Whether the session was up is asked of the vendor, not read from its words.
    ['no bridge', { error: 'Bad Request: no bridge', statusCode: 400 }, 400, 'rejected'],
    [
      'accounts first',
      { error: 'Bad Request: Please query /accounts first', statusCode: 400 },
      400,
      'rejected',
    ],
    [
      'an expired token',
      { type: '/simple', title: 'Unauthorized', status: 401, detail: 'Access token expired' },
      401,
      'turned_away',
    ],
    ['a token bound elsewhere', undefined, 410, 'turned_away'],
    [
      'a permission that covers no trading',
      { title: 'Forbidden', status: 403, detail: 'Permission denied' },
      403,
      'turned_away',
    ],
    ['the box', undefined, 429, 'turned_away'],
    [
      'a repeated id',
      { error: "Order couldn't be submitted: Local order ID=d1 is already registered." },
      400,
      'duplicate',
    ],
    [
      'a repeated id in other letters',
      { error: "Order couldn't be submitted: local order id=d1" },
      500,
      'duplicate',
    ],
  ];
  for (const [what, body, status, shape] of forms)
    it(`${what} is ${shape}`, () => expect(shapeOf(body, status)).toBe(shape));
});

describe('a query that failed', () => {
  const codeOf = (status: number, body?: unknown) =>
    failureOf({ kind: 'answered', status, body, text: '' })?.code ?? 'none';
  const forms: readonly [string, number, unknown, string][] = [
    ['an expired token', 401, { title: 'Unauthorized', detail: 'Access token expired' }, 'unauthorized'],
    [
      'an unknown consumer',
      401,
      { error: 'id: 39687, error: invalid consumer', statusCode: 401 },
      'unauthorized',
    ],
    ['a token bound elsewhere', 410, undefined, 'no_session'],
    ['a permission that does not cover it', 403, { title: 'Forbidden', detail: 'denied' }, 'refused'],
    ['a page of something in between', 403, undefined, 'unreachable'],
    ['the box', 429, { error: 'Too Many Requests' }, 'rate_limited'],
    ['no bridge', 400, { error: 'Bad Request: no bridge' }, 'refused'],
    ['no bridge as a server error', 500, { error: 'no bridge' }, 'unreachable'],
    ['the upstream time-out', 503, undefined, 'unreachable'],
    ['a server error', 500, { error: 'failed to generate sso dh token' }, 'unreachable'],
    ['a page under 200', 200, undefined, 'unreadable'],
    ['an answer', 200, [], 'none'],
  ];
  for (const [what, status, body, code] of forms)
    it(`${what} is ${code}`, () => expect(codeOf(status, body)).toBe(code));
});

describe('a price', () => {
  const read = (row: object) => parseQuote({ conid: 265_598, ...row }, 'AAPL' as Symbol);
  it('may bear a C or an H, a comma, and an availability', () => {
    expect(read({ '31': 'C1,192.26', '6509': 'RpB' })).toMatchObject({ last: 1192.26, status: 'close' });
    expect(read({ '31': 'H192.26', '6509': 'R' })).toMatchObject({ last: 192.26, status: 'halted' });
    expect(read({ '31': '192.26', '6509': 'RPB' })).toMatchObject({ status: 'live' });
    for (const word of ['DPB', 'ZB', 'Y', 'N', undefined])
      expect(read({ '31': '192.26', '6509': word })).toMatchObject({ status: 'delayed' });
  });
  it('is absent without a quote', () => {
    expect(read({ '31': '192.26', '84': '-1', '86': '0' })).toMatchObject({ bid: null, ask: null });
    expect(read({ '31': 'C', '84': '' })).toBeNull();
    expect(read({ conidEx: '265598' })).toBeNull();
  });
});

describe('a contract', () => {
  it('of an option may come alone, and must be of the right and strike that were asked for', () => {
    const line = { conid: 8314, right: 'C', strike: 440, maturityDate: '20250117', symbol: 'SPY' };
    const terms = { right: 'C', strike: 440 } as const;
    const found = { conid: 8314, secType: 'OPT' };
    expect(pickOption(line, '2025-01-17', { terms })).toEqual(found);
    expect(pickOption([{ ...line, conid: '8314', strike: '440' }], '2025-01-17', { terms })).toEqual(found);
    expect(pickOption([{ ...line, strike: 445 }], '2025-01-17', { terms })).toBeNull();
    expect(pickOption([{ ...line, right: 'P' }], '2025-01-17', { terms })).toBeNull();
  });
  it('of a share is on a primary exchange, in any segment of it', () => {
    const contracts = [
      { conid: 1, exchange: 'MEXI', isUS: false },
      { conid: 2, exchange: 'NASDAQ.NMS', isUS: 'true' },
      { conid: 3, exchange: 'PINK', isUS: true },
    ];
    expect(pickStock({ AAPL: [{ assetClass: 'STK', contracts }] }, 'AAPL')?.conid).toBe(2);
  });
  it('of a coin is named by its section or by its row', () => {
    expect(
      pickCoin([{ conid: '479624278', symbol: 'BTC', sections: [{ secType: 'CRYPTO' }] }], 'BTC'),
    ).toEqual({
      conid: 479_624_278,
      secType: 'CRYPTO',
    });
  });
  it('of a derivative is named by its definition', () => {
    const option = {
      conid: 584_891_614,
      ticker: 'SPY',
      assetClass: 'OPT',
      expiry: '20250117',
      putOrCall: 'C',
      strike: '440',
    };
    const future = { conid: 495_512_563, ticker: 'ES', assetClass: 'FUT', expiry: '20251219', strike: '0' };
    expect(derivativeSymbol({ secdef: [option] }, '584891614')).toBe('SPY.250117C440');
    expect(derivativeSymbol({ secdef: [future] }, '495512563')).toBe('ES.2025Z');
    expect(derivativeSymbol({ secdef: [{ ...option, expiry: null }] }, '584891614')).toBeNull();
    expect(derivativeSymbol({ secdef: [] }, '1')).toBeNull();
  });
  it('of a derivative that the orders name by its underlying is recognised after a restart', async () => {
    const symbol = 'ES.2025Z' as Symbol;
    const known = { symbol, kind: 'futures', expiry: '2025-12-19', currency: 'USD' } as never;
    const book = createContractBook((wanted) => (wanted === symbol ? known : null));
    const asked: string[] = [];
    const ask = ({ path }: { path: string }) => {
      asked.push(path);
      const value =
        path === '/trsrv/secdef'
          ? { secdef: [{ conid: 495_512_563, ticker: 'ES', assetClass: 'FUT', expiry: '20251219' }] }
          : { ES: [{ symbol: 'ES', conid: 495_512_563, expirationDate: 20_251_219 }] };
      return Promise.resolve({ outcome: 'ok', value } as const);
    };
    const row = { conid: '495512563', name: 'ES', secType: 'FUT' };
    expect(await book.recognize(row, ask)).toEqual({ outcome: 'ok', value: symbol });
    const foreign = { conid: '777', name: 'NQ', secType: 'FUT' };
    expect(await book.recognize(foreign, ask)).toEqual({ outcome: 'ok', value: null });
    await book.recognize(foreign, ask);
    expect(asked).toEqual(['/trsrv/secdef', '/trsrv/futures', '/trsrv/secdef']);
  });
});
