import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cryptoInstrument, equityInstrument, instrumentMap } from '#tests/support/engine/random-market.ts';
import type { Symbol } from '#units/identifiers.ts';
import type { IsoDate } from '#units/instant.ts';
import { instantOfDate } from '#units/instant.ts';
import { toMicro } from '#units/money.ts';
import { quantity, toQuantity } from '#units/quantity.ts';
import { nextTradingDay } from '../market/calendar.ts';
import type { CorporateAction } from '../market/corporate-action.ts';
import type { Portfolio } from '../portfolio/portfolio.ts';
import { applyPositionEvent } from '../portfolio/apply-position-event.ts';
import { type ClosedSession, endOfDayEvents } from './end-of-day-events.ts';

const SHARE = equityInstrument('AAA');
const COIN = cryptoInstrument('BTCUSD');
const DATE = '2026-03-03' as IsoDate;
const NEXT = nextTradingDay('us-equity', DATE);
const instruments = instrumentMap(SHARE, COIN);

function closed(actions: readonly CorporateAction[], close: number | undefined = 100): ClosedSession {
  return {
    calendar: 'us-equity',
    date: DATE,
    instruments,
    actions: new Map([[SHARE.symbol, actions]]),
    marks: new Map(),
    closeOf: () => close,
    isHeldToExpiry: false,
  };
}
const held = (units: number) => ({ symbol: SHARE.symbol, held: toQuantity(units), heldOf: () => undefined });

describe('the end of a session', () => {
  test('does nothing to an instrument of another calendar, or to an unlisted one', () => {
    const nothing = { events: [], missingClose: null };
    expect(endOfDayEvents({ ...held(1), symbol: COIN.symbol }, closed([]))).toEqual(nothing);
    expect(endOfDayEvents({ ...held(1), symbol: 'ZZZ' as Symbol }, closed([]))).toEqual(nothing);
  });

  test('waits for a close', () => {
    const session = { ...closed([]), closeOf: () => undefined };
    expect(endOfDayEvents(held(1), session)).toEqual({ events: null, missingClose: SHARE.symbol });
  });

  test('an action counts only at the session before its ex-date', () => {
    const exDates = fc.integer({ min: -5, max: 5 }).map((days) => {
      const day = new Date(`${NEXT}T00:00:00Z`);
      day.setUTCDate(day.getUTCDate() + days);
      return day.toISOString().slice(0, 10) as IsoDate;
    });
    fc.assert(
      fc.property(exDates, (exDate) => {
        const session = closed([{ kind: 'dividend', exDate, amount: 1 }]);
        const { events } = endOfDayEvents(held(10), session);
        expect(events).toHaveLength(exDate > DATE && exDate <= NEXT ? 1 : 0);
      }),
    );
  });

  test('a split into more units than one quantity can hold is refused in words', () => {
    const units = toQuantity(1_000_000);
    const position = { symbol: SHARE.symbol, quantity: units, cost: toMicro(1) };
    const portfolio = {
      cash: toMicro(0),
      realized: toMicro(0),
      positions: new Map([[SHARE.symbol, position]]),
    };
    const { events } = endOfDayEvents(
      held(1_000_000),
      closed([{ kind: 'split', exDate: NEXT, amount: 100 }]),
    );
    const terms = { instruments, marks: new Map(), at: instantOfDate(NEXT) };
    expect(() => applyPositionEvent(portfolio, events![0]!, terms)).toThrow('more than 90 million units');
  });

  test('a split changes the number of shares and no money; a dividend money and no shares', () => {
    const action = fc.record({
      kind: fc.constantFrom('split', 'dividend'),
      exDate: fc.constant(NEXT),
      amount: fc.integer({ min: 1, max: 20 }),
    });
    fc.assert(
      fc.property(action, fc.integer({ min: -1_000, max: 1_000 }), (one, units) => {
        fc.pre(units !== 0);
        const position = {
          symbol: SHARE.symbol,
          quantity: toQuantity(units),
          cost: toMicro(units * 100),
        };
        let portfolio: Portfolio = {
          cash: toMicro(0),
          realized: toMicro(0),
          positions: new Map([[SHARE.symbol, position]]),
        };
        const { events } = endOfDayEvents(held(units), closed([one]));
        for (const event of events ?? []) {
          const at = instantOfDate(NEXT);
          portfolio = applyPositionEvent(portfolio, event, { instruments, marks: new Map(), at })!.portfolio;
        }
        const after = portfolio.positions.get(SHARE.symbol)!.quantity;
        const isSplit = one.kind === 'split';
        expect(after).toBe(quantity(position.quantity * (isSplit ? one.amount : 1)));
        expect(portfolio.cash).toBe(toMicro(isSplit ? 0 : units * one.amount));
      }),
    );
  });
});
