// Answers of the vendor with something wrong in them: each is read to a sane value or is a failure. Ten thousand here;
// BROKER_MUTATIONS sets another number.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { reading } from '../answer-fields.ts';
import { parseBars, parseQuote, parseSearch } from './market-data.ts';
import { parseOrders, parseTrades } from './parse-orders.ts';
import { parseAccounts, parseLedger, parsePositions } from './parse-portfolio.ts';
import { parseSubmitAnswer } from './parse-submit-answer.ts';

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

describe('an answer with something wrong in it', () => {
  it('to an order never says more than it is known to say', () => {
    const accepted = [{ order_id: '1000000001', order_status: 'PreSubmitted', encrypt_message: '1' }];
    const question = [{ id: 'b1c2', message: ['Sure?'], isSuppressed: false, messageIds: ['o163'] }];
    fc.assert(
      fc.property(fc.constantFrom(accepted, question).chain(mutated), ({ text }) => {
        const body = parsed(text);
        const answer = parseSubmitAnswer({ kind: 'answered', status: 200, body, text });
        // Nothing was refused in the original: that it was, or was not read at all, must never be concluded.
        expect(['accepted', 'question', 'unclear']).toContain(answer.shape);
        if (answer.shape === 'accepted') expect(answer.brokerOrderId).not.toBe('');
        if (answer.shape === 'question') expect(answer.replyId).not.toBe('');
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
        parseTrades(body).every(
          ({ quantity, price, commission, at, executionId }) =>
            whole(quantity) &&
            quantity > 0 &&
            price > 0 &&
            price < 1e9 &&
            commission >= 0 &&
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
            whole(quantity) && quantity > 0 && filled >= 0 && filled <= quantity && brokerOrderId !== '',
        ),
    ],
    [
      'with positions',
      [POSITION],
      (body) => parsePositions(body).every(({ quantity }) => whole(quantity) && quantity !== 0),
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
      (body) => parseBars(body).every(({ low, high }) => low > 0 && low <= high),
    ],
    [
      'with a price',
      { conid: 756_733, '31': 'C584.01', '84': '584', '86': '584.02' },
      (body) => (parseQuote(body as never, 'SPY' as never)?.last ?? 1) > 0,
    ],
    [
      'with contracts',
      [{ conid: '756733', symbol: 'SPY', companyName: 'SPDR' }],
      (body) => parseSearch(body).length >= 0,
    ],
  ];
  for (const [what, original, isSane] of cases)
    it(`${what} is read to something sane, or is a failure`, () => {
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

/** The answer as text, after one to three changes of its values and perhaps one of the text. */
function mutated(original: unknown): fc.Arbitrary<{ readonly text: string }> {
  const change = fc.record({
    at: fc.nat(),
    how: fc.constantFrom(...VALUES),
    extra: fc.jsonValue({ maxDepth: 2 }),
  });
  return fc
    .record({
      changes: fc.array(change, { minLength: 1, maxLength: 3 }),
      cut: fc.nat(),
      spoil: fc.nat({ max: 9 }),
    })
    .map(({ changes, cut, spoil }) => {
      let value = structuredClone(original);
      for (const { at, how, extra } of changes) value = changedAt(value, { at, how, extra });
      const text = JSON.stringify(value) ?? '';
      if (spoil === 0) return { text: text.slice(0, cut % (text.length + 1)) };
      if (spoil === 1) return { text: `<html>${text}</html>` };
      return { text };
    });
}

type Change = { readonly at: number; readonly how: unknown; readonly extra: unknown };

/** Walks to one place of the tree, chosen by `at`, and puts something else there. */
function changedAt(value: unknown, { at, how, extra }: Change): unknown {
  if (typeof value !== 'object' || value === null || at % 7 === 0) return put(value, how, extra);
  const keys = Object.keys(value);
  const key = keys[at % Math.max(1, keys.length)];
  if (key === undefined) return put(value, how, extra);
  const inner = (value as Record<string, unknown>)[key];
  const next = { at: Math.floor(at / 3), how, extra };
  if (Array.isArray(value)) {
    if (how === 'drop') return value.filter((_, index) => String(index) !== key);
    return value.map((item: unknown, index) => (String(index) === key ? changedAt(inner, next) : item));
  }
  if (how === 'drop' && typeof inner !== 'object')
    return Object.fromEntries(Object.entries(value).filter(([name]) => name !== key));
  return { ...value, [key]: changedAt(inner, next) };
}

function put(value: unknown, how: unknown, extra: unknown): unknown {
  if (how === 'anything') return extra;
  if (how === 'huge') return typeof value === 'number' ? value * 1e30 : `${String(value)}e30`;
  if (how === 'negative') return typeof value === 'number' ? -value : `-${String(value)}`;
  if (how === 'list') return [value];
  return how === 'drop' ? undefined : how;
}

const VALUES = [
  'anything',
  'drop',
  'huge',
  'negative',
  'list',
  null,
  '',
  0,
  -1,
  0.1,
  1e308,
  'NaN',
  'Infinity',
  '1,300.5',
  '0x10',
  true,
  [],
  {},
] as const;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
