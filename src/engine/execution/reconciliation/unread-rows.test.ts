import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ClientOrderId, ExecutionId, Symbol } from '#units/identifiers.ts';
import {
  judgeUnreadRows,
  rowSubject,
  type OwnOrder,
  type UnreadFacts,
  type UnreadInstrument,
  type UnreadRow,
  UNREAD_LISTS,
  UNREAD_REASONS,
  unsureInstruments,
} from './unread-rows.ts';

const SYMBOLS = ['AAPL', 'MSFT', 'EURUSD', 'SPY'] as Symbol[];
const symbol = fc.constantFrom(...SYMBOLS);
const clientOrderId = fc.constantFrom('BW1', 'BW2', 'mine') as fc.Arbitrary<ClientOrderId>;
const brokerOrderId = fc.constantFrom('11', '12', '13');
const executionId = fc.constantFrom('e1', 'e2') as fc.Arbitrary<ExecutionId>;
const instrument: fc.Arbitrary<UnreadInstrument> = fc.oneof(
  fc.record({ type: fc.constant('listed' as const), symbol }),
  fc.record({ type: fc.constant('not_listed' as const), name: fc.constant('IBM 2x1') }),
  fc.record({ type: fc.constant('unread' as const) }),
);
const row: fc.Arbitrary<UnreadRow> = fc.record({
  list: fc.constantFrom(...UNREAD_LISTS),
  key: fc.string(),
  reason: fc.constantFrom(...UNREAD_REASONS),
  clientOrderId: fc.option(clientOrderId),
  brokerOrderId: fc.option(brokerOrderId),
  executionId: fc.option(executionId),
  instrument,
  raw: fc.string(),
});
const order: fc.Arbitrary<OwnOrder> = fc.record({
  clientOrderId,
  brokerOrderId: fc.option(brokerOrderId),
  symbol,
  isAtBroker: fc.boolean(),
});
const facts: fc.Arbitrary<UnreadFacts> = fc.record({
  orders: fc.array(order, { maxLength: 4 }),
  known: fc.uniqueArray(executionId).map((ids) => new Set(ids)),
  inUse: fc.uniqueArray(symbol).map((found) => new Set(found)),
  positioned: fc.uniqueArray(symbol).map((found) => new Set(found)),
  ignored: fc.constant(new Set<string>()),
});

const NOTHING: UnreadFacts = {
  orders: [],
  known: new Set(),
  inUse: new Set(),
  positioned: new Set(),
  ignored: new Set(),
};
const ROW: UnreadRow = {
  list: 'executions',
  key: 'e1',
  reason: 'price',
  clientOrderId: null,
  brokerOrderId: null,
  executionId: 'e1' as ExecutionId,
  instrument: { type: 'not_listed', name: 'IBM 2x1' },
  raw: '{}',
};
const judge = (changes: Partial<UnreadRow>, known: Partial<UnreadFacts>) => {
  const [verdict] = judgeUnreadRows([{ ...ROW, ...changes }], { ...NOTHING, ...known });
  return { unsure: verdict?.unsure, concernsUs: verdict?.concernsUs };
};

describe('a row that cannot be ours', () => {
  it('is kept and stops nothing', () => {
    expect(judge({}, { inUse: new Set(SYMBOLS) })).toEqual({ unsure: [], concernsUs: false });
    const clients = { clientOrderId: 'mine' as ClientOrderId, instrument: { type: 'unread' } as const };
    const ours = { clientOrderId: 'BW1' as ClientOrderId, brokerOrderId: '11', symbol: SYMBOLS[0]! };
    expect(judge(clients, { orders: [{ ...ours, isAtBroker: true }], inUse: new Set(SYMBOLS) })).toEqual({
      unsure: [],
      concernsUs: false,
    });
  });

  it('of an instrument that no deployment uses waits there for the first order', () => {
    expect(judge({ instrument: { type: 'listed', symbol: SYMBOLS[0]! } }, {})).toEqual({
      unsure: ['AAPL'],
      concernsUs: false,
    });
  });

  it('is an execution that is booked already', () => {
    const booked = { known: new Set(['e1' as ExecutionId]), inUse: new Set(SYMBOLS) };
    expect(judge({ instrument: { type: 'listed', symbol: SYMBOLS[0]! } }, booked).unsure).toEqual([]);
  });
});

describe('a row that may be ours', () => {
  const ours: OwnOrder = {
    clientOrderId: 'BW1' as ClientOrderId,
    brokerOrderId: '11',
    symbol: SYMBOLS[0]!,
    isAtBroker: true,
  };

  it('names an order of ours by either id, whatever its instrument says', () => {
    for (const name of [{ clientOrderId: ours.clientOrderId }, { brokerOrderId: '11' }])
      expect(judge(name, { orders: [ours] })).toEqual({ unsure: ['AAPL'], concernsUs: true });
  });

  it('without id and instrument may be any order at the broker', () => {
    const unread = { instrument: { type: 'unread' } as const, list: 'orders' as const };
    const other = { ...ours, clientOrderId: 'BW2' as ClientOrderId, symbol: SYMBOLS[1]!, isAtBroker: false };
    expect(judge(unread, { orders: [ours, other] }).unsure).toEqual(['AAPL']);
    // Our order has another id; one whose id we do not know yet may have this one.
    expect(judge({ ...unread, brokerOrderId: '99' }, { orders: [ours] }).unsure).toEqual([]);
    const sent = { ...ours, brokerOrderId: null };
    expect(judge({ ...unread, brokerOrderId: '99' }, { orders: [sent] }).unsure).toEqual(['AAPL']);
  });

  it('a position without instrument may be any one in use that the list does not show', () => {
    const unread = { list: 'positions', executionId: null, instrument: { type: 'unread' } } as const;
    const used = { inUse: new Set([SYMBOLS[0]!, SYMBOLS[1]!]), positioned: new Set([SYMBOLS[0]!]) };
    expect(judge(unread, used)).toEqual({ unsure: ['MSFT'], concernsUs: true });
  });
});

describe('for every list and every account', () => {
  it('only instruments of the row, of our orders or in use become unsure, and never more', () => {
    fc.assert(
      fc.property(fc.array(row, { maxLength: 5 }), facts, (rows, known) => {
        const verdicts = judgeUnreadRows(rows, known);
        expect(verdicts.map((verdict) => verdict.row)).toEqual(rows);
        for (const { row: judged, unsure, concernsUs } of verdicts) {
          const listed = judged.instrument.type === 'listed' ? [judged.instrument.symbol] : [];
          const possible = new Set([...listed, ...known.inUse, ...known.orders.map((one) => one.symbol)]);
          expect(unsure.every((one) => possible.has(one))).toBe(true);
          if (concernsUs) expect(unsure).not.toEqual([]);
        }
        const unsure = unsureInstruments(verdicts);
        expect(new Set(unsure.keys())).toEqual(new Set(verdicts.flatMap((verdict) => verdict.unsure)));
      }),
    );
  });

  it('a row in an instrument in use, or of an order of ours, is never only kept unless it is booked', () => {
    fc.assert(
      fc.property(row, facts, (judged, known) => {
        const [verdict] = judgeUnreadRows([judged], known);
        const isBooked = judged.executionId !== null && known.known.has(judged.executionId);
        const isUsed = judged.instrument.type === 'listed' && known.inUse.has(judged.instrument.symbol);
        const isNamed = known.orders.some(
          (one) =>
            one.clientOrderId === judged.clientOrderId ||
            (one.brokerOrderId !== null && one.brokerOrderId === judged.brokerOrderId),
        );
        if (isUsed || isNamed) expect(verdict?.concernsUs).toBe(!isBooked);
      }),
    );
  });

  it('what two people set aside is quiet, unless it names or may be an order of ours, or shows a position in use', () => {
    fc.assert(
      fc.property(row, facts, (judged, known) => {
        const [agreed] = judgeUnreadRows([judged], { ...known, ignored: new Set([rowSubject(judged)]) });
        const [before] = judgeUnreadRows([judged], known);
        const isBooked = judged.executionId !== null && known.known.has(judged.executionId);
        const names = known.orders.filter(
          (one) =>
            one.clientOrderId === judged.clientOrderId ||
            (one.brokerOrderId !== null && one.brokerOrderId === judged.brokerOrderId),
        );
        const isOurs =
          names.some((one) => one.isAtBroker || judged.list === 'executions') ||
          (judged.list === 'positions' &&
            judged.instrument.type === 'listed' &&
            known.inUse.has(judged.instrument.symbol));
        if (isOurs && !isBooked) expect(agreed).toEqual(before);
        expect(agreed?.isIgnored).toBe(agreed?.ignoreRefusal === null);
        if (agreed?.isIgnored) expect(agreed.unsure).toEqual([]);
        expect(before?.isIgnored).toBe(false);
      }),
    );
  });

  it('a row that was cut, or that may be an order whose id we do not know yet, cannot be set aside', () => {
    const ignored = new Set([rowSubject(ROW)]);
    const listed = { ...ROW, instrument: { type: 'listed', symbol: SYMBOLS[0]! } } as const;
    const sent = {
      clientOrderId: 'BW1' as ClientOrderId,
      brokerOrderId: null,
      symbol: SYMBOLS[0]!,
      isAtBroker: true,
    };
    const refusal = (one: UnreadRow, orders: readonly OwnOrder[]) =>
      judgeUnreadRows([one], { ...NOTHING, ignored, orders })[0]?.ignoreRefusal;
    expect(refusal({ ...listed, raw: 'x'.repeat(4_000) }, [])).toBe('cut');
    expect(refusal({ ...listed, brokerOrderId: '99' }, [sent])).toBe('open_order');
    expect(refusal({ ...listed, brokerOrderId: '99' }, [{ ...sent, brokerOrderId: '98' }])).toBe(null);
    expect(refusal(listed, [{ ...sent, symbol: SYMBOLS[1]! }])).toBe(null);
  });
});
