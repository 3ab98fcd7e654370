import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Symbol } from '#units/identifiers.ts';
import { instant, type IsoDate } from '#units/instant.ts';
import { toMicro } from '#units/money.ts';
import { fromQuantity, quantity, toQuantity } from '#units/quantity.ts';
import { applyFill, openPortfolio } from '../../portfolio/apply-fill.ts';
import { applyPositionEvent } from '../../portfolio/apply-position-event.ts';
import type { Portfolio } from '../../portfolio/portfolio.ts';
import { valuePortfolio } from '../../portfolio/value.ts';
import { equityInstrument, instrumentMap } from '#tests/support/engine/random-market.ts';
import type { CorporateAction } from '../corporate-action.ts';
import { isDelivery } from '../position-event.ts';
import { intrinsicValue, optionContract, optionInstrument } from '../option-contract.ts';
import { optionPrice } from '../derivatives/option-price.ts';
import { OPTIONS } from './options.ts';

const day = (text: string) => text as IsoDate;
const AAA = equityInstrument('AAA');
const LAST_DAY = { date: day('2026-03-20'), next: day('2026-03-23') };
const EARLIER = { date: day('2026-03-10'), next: day('2026-03-11') };

const contract = (right: 'call' | 'put', strike: number, settlement: 'shares' | 'cash' = 'shares') =>
  optionContract({ underlying: AAA.symbol, right, strike, expiry: LAST_DAY.date, settlement });

type Evening = {
  readonly option: ReturnType<typeof contract>;
  readonly held: number;
  readonly spot: number;
  readonly close?: number;
  readonly shares?: number;
  readonly dividend?: number;
  readonly days?: typeof LAST_DAY;
  readonly isHeldToExpiry?: boolean;
};

function endOfDayOf({
  option,
  held,
  spot,
  close,
  shares = 0,
  dividend = 0,
  days = LAST_DAY,
  ...kept
}: Evening) {
  const paid: CorporateAction = { kind: 'dividend', exDate: days.next, amount: dividend };
  return OPTIONS.overnight!({
    instrument: optionInstrument(option),
    held: toQuantity(held),
    ...days,
    close: close ?? intrinsicValue(option, spot),
    rate: 1,
    actions: [],
    underlying: { close: spot, actions: dividend > 0 ? [paid] : [], held: toQuantity(shares) },
    ...kept,
  });
}

const named = (evening: Evening) =>
  endOfDayOf(evening).map((event) =>
    isDelivery(event)
      ? [event.type, fromQuantity(event.contracts), fromQuantity(event.shares), event.strike]
      : [event.type, 'price' in event ? event.price : null],
  );

describe('where brokers report exercises before the expiry, an option', () => {
  const rich = { spot: 120, shares: 300, isHeldToExpiry: true };

  it('is not exercised or assigned early by our rule', () => {
    const put = { ...rich, option: contract('put', 150), held: 3, days: EARLIER };
    const call = { ...rich, option: contract('call', 100), held: -3, dividend: 2, days: EARLIER };
    expect(named(put)).toEqual([]);
    expect(named(call)).toEqual([]);
    for (const evening of [put, call]) expect(named({ ...evening, isHeldToExpiry: false })).not.toEqual([]);
  });

  it('ends at its expiry as elsewhere', () => {
    expect(named({ ...rich, option: contract('call', 100), held: -3 })).toEqual([
      ['assignment', -3, -300, 100],
    ]);
  });
});

describe('at the end of its last day an option', () => {
  it('is exercised when it is in the money by a cent: shares change hands at the strike', () => {
    expect(named({ option: contract('call', 100), held: 3, spot: 100.01 })).toEqual([
      ['exercise', 3, 300, 100],
    ]);
    expect(named({ option: contract('call', 100), held: -3, spot: 104 })).toEqual([
      ['assignment', -3, -300, 100],
    ]);
    expect(named({ option: contract('put', 100), held: -2, spot: 91 })).toEqual([
      ['assignment', -2, 200, 100],
    ]);
  });

  it('ends worthless when it is not', () => {
    expect(named({ option: contract('call', 100), held: -3, spot: 100 })).toEqual([['expiry', 0]]);
    expect(named({ option: contract('put', 100), held: 2, spot: 100.004, shares: 200 })).toEqual([
      ['expiry', 0],
    ]);
  });

  it('exercises held puts only as far as there are shares to deliver', () => {
    const puts = { option: contract('put', 100), held: 3, spot: 90 };
    expect(named({ ...puts, shares: 300 })).toEqual([['exercise', 3, -300, 100]]);
    expect(named({ ...puts, shares: 250 })).toEqual([
      ['exercise', 2, -200, 100],
      ['expiry', 10],
    ]);
    expect(named(puts)).toEqual([['expiry', 10]]);
  });

  it('pays its exercise value when it settles in cash', () => {
    expect(named({ option: contract('call', 100, 'cash'), held: -3, spot: 104 })).toEqual([['expiry', 4]]);
    expect(named({ option: contract('put', 100, 'cash'), held: 3, spot: 104 })).toEqual([['expiry', 0]]);
  });
});

describe('before its last day an option', () => {
  const call = { option: contract('call', 100), held: -1, spot: 110, days: EARLIER };

  it('is assigned on the evening before a dividend that is more than its time value', () => {
    expect(named({ ...call, close: 10.4, dividend: 0.5 })).toEqual([['assignment', -1, -100, 100]]);
    expect(named({ ...call, close: 10.6, dividend: 0.5 })).toEqual([]);
    expect(named({ ...call, close: 10 })).toEqual([]);
    expect(named({ ...call, spot: 99, close: 0.2, dividend: 0.5 })).toEqual([]);
  });

  it('is assigned as a put once no time value is left', () => {
    const put = { option: contract('put', 100), held: -1, spot: 70, days: EARLIER };
    expect(named({ ...put, close: 30 })).toEqual([['assignment', -1, 100, 100]]);
    expect(named({ ...put, close: 30.02 })).toEqual([]);
  });

  it('keeps puts that no shares can be delivered for', () => {
    expect(named({ option: contract('put', 100), held: 2, spot: 70, close: 30, days: EARLIER })).toEqual([]);
  });

  it('is left alone when it is European', () => {
    expect(named({ ...call, option: contract('call', 100, 'cash'), close: 10, dividend: 0.5 })).toEqual([]);
  });
});

const NO_MARKS = new Map<Symbol, number>();
const AT = instant(1);

function portfolioOf(option: Evening['option'], held: number, premium: number, shares: number): Portfolio {
  let portfolio = openPortfolio(toMicro(1_000_000));
  const trades = [
    [AAA, shares, 97.31],
    [optionInstrument(option), held, premium],
  ] as const;
  for (const [instrument, traded, price] of trades) {
    if (traded === 0) continue;
    const side = traded > 0 ? 'buy' : 'sell';
    const size = toQuantity(Math.abs(traded));
    const order = {
      clientOrderId: '' as never,
      symbol: instrument.symbol,
      side,
      commission: toMicro(0),
    } as const;
    const fill = { ...order, quantity: size, price, at: AT };
    portfolio = applyFill(portfolio, fill, instrument, NO_MARKS).portfolio;
  }
  return portfolio;
}

describe('a delivery', () => {
  it('adds the premium to the cost or proceeds of the shares, and realises nothing on the option', () => {
    const option = contract('call', 100);
    const instruments = instrumentMap(AAA, optionInstrument(option));
    const [event] = endOfDayOf({ option, held: -2, spot: 108 });
    const before = portfolioOf(option, -2, 1.5, 200);
    const applied = applyPositionEvent(before, event!, { instruments, marks: NO_MARKS, at: AT })!;
    expect(applied.portfolio.positions.size).toBe(0);
    expect(applied.realizedPnl).toBe(toMicro(200 * (100 + 1.5 - 97.31)));
    expect(applied.portfolio.cash - before.cash).toBe(toMicro(20_000));

    const put = contract('put', 100);
    const [assigned] = endOfDayOf({ option: put, held: -2, spot: 95 });
    const bought = applyPositionEvent(portfolioOf(put, -2, 1.5, 0), assigned!, {
      instruments: instrumentMap(AAA, optionInstrument(put)),
      marks: NO_MARKS,
      at: AT,
    })!;
    expect(bought.realizedPnl).toBe(0);
    expect(bought.portfolio.positions.get(AAA.symbol)).toEqual({
      symbol: 'AAA',
      quantity: toQuantity(200),
      cost: toMicro(200 * 98.5),
    });
  });

  it('leaves equity unchanged at expiry, otherwise moves it by mark less exercise value; every entry balances', () => {
    const cents = (min: number, max: number) => fc.integer({ min, max }).map((value) => value / 100);
    fc.assert(
      fc.property(
        fc.constantFrom('call' as const, 'put' as const),
        fc.integer({ min: -9, max: 9 }).filter((held) => held !== 0),
        fc.integer({ min: 0, max: 12 }).map((lots) => lots * 73),
        cents(5_000, 15_000),
        cents(1, 3_000),
        fc.boolean(),
        (right, held, shares, spot, premium, isLast) => {
          const option = contract(right, 100);
          const instruments = instrumentMap(AAA, optionInstrument(option));
          const days = isLast ? LAST_DAY : EARLIER;
          const mark = optionPrice(option, { spot, level: 0.2, date: days.date });
          const marks = new Map([
            [AAA.symbol, spot],
            [option.symbol, mark],
          ]);
          let portfolio = portfolioOf(option, held, premium, shares);
          const before = valuePortfolio(portfolio, marks, instruments);
          const events = endOfDayOf({ option, held, spot, close: mark, shares, dividend: 0.4, days });
          const wasShort = (portfolio.positions.get(AAA.symbol)?.quantity ?? 0) < 0;
          for (const event of events) {
            const applied = applyPositionEvent(portfolio, event, { instruments, marks, at: AT })!;
            const { cash, holdings, realized, commission } = applied.booking;
            expect(cash + holdings + realized + commission).toBe(0);
            expect(applied.portfolio.cash - portfolio.cash).toBe(cash);
            portfolio = applied.portfolio;
          }
          const after = valuePortfolio(portfolio, marks, instruments);
          const timeValue = mark - Math.round(intrinsicValue(option, spot) * 100) / 100;
          const given = events.length === 0 ? 0 : -held * 100 * timeValue;
          expect(after.equity - before.equity).toBe(isLast ? 0 : toMicro(given));
          expect(after.equity).toBe(portfolio.cash + after.positionsValue);
          expect(after.equity).toBe(toMicro(1_000_000) + portfolio.realized + after.unrealized);
          // A holder who never wrote an option never ends shorter of shares than before.
          const left = portfolio.positions.get(AAA.symbol)?.quantity ?? 0;
          if (held > 0) expect(left < 0).toBe(wasShort);
          // The same for a writer of no more calls than the shares cover.
          if (right === 'call' && -held * 100 <= shares) expect(left).toBeGreaterThanOrEqual(0);
          if (isLast) expect(portfolio.positions.has(option.symbol)).toBe(false);
        },
      ),
      { numRuns: 400 },
    );
  });

  it('takes only the assigned quantity from a position that has grown since', () => {
    const option = contract('call', 100);
    const instruments = instrumentMap(AAA, optionInstrument(option));
    const [event] = endOfDayOf({ option, held: -2, spot: 108 });
    const applied = applyPositionEvent(portfolioOf(option, -5, 1.5, 500), event!, {
      instruments,
      marks: NO_MARKS,
      at: AT,
      entitled: quantity(-2e8),
    })!;
    expect(applied.portfolio.positions.get(option.symbol)).toMatchObject({
      quantity: toQuantity(-3),
      cost: toMicro(-450),
    });
    expect(applied.portfolio.positions.get(AAA.symbol)?.quantity).toBe(toQuantity(300));
  });
});

describe('marks', () => {
  it('of options that settle in cash keep put-call parity to the cent; American ones stay within its bounds', () => {
    const prices = fc.integer({ min: 60, max: 140 });
    fc.assert(
      fc.property(
        prices,
        fc.integer({ min: 5_000, max: 15_000 }),
        fc.integer({ min: 10, max: 60 }),
        (strike, spotCents, level) => {
          const market = { spot: spotCents / 100, level: level / 100, date: EARLIER.date };
          const years = 10 / 365;
          const forward = market.spot - strike * Math.exp(-0.02 * years);
          const priced = (settlement: 'shares' | 'cash') =>
            (['call', 'put'] as const).map((right) =>
              optionPrice(contract(right, strike, settlement), market),
            );
          const [call, put] = priced('cash');
          // Each is rounded to a cent, and is never below one.
          expect(Math.abs(call! - put! - forward)).toBeLessThanOrEqual(0.0201);
          const [american, americanPut] = priced('shares');
          expect(american! - americanPut!).toBeLessThanOrEqual(forward + 0.0201);
          expect(american! - americanPut!).toBeGreaterThanOrEqual(market.spot - strike - 0.0201);
          expect(americanPut!).toBeGreaterThanOrEqual(Math.max(0, strike - market.spot) - 0.0051);
        },
      ),
      { numRuns: 300 },
    );
  });
});
