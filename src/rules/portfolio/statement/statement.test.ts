import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Instrument } from '#engine/market/instrument.ts';
import { applyFill, openPortfolio } from '#engine/portfolio/apply-fill.ts';
import { applyPositionEvent } from '#engine/portfolio/apply-position-event.ts';
import { valuePortfolio } from '#engine/portfolio/value.ts';
import type { Fill } from '#engine/order/order.ts';
import type { PositionEvent } from '#engine/market/position-event.ts';
import { cryptoInstrument, equityInstrument, forexInstrument } from '#tests/support/engine/random-market.ts';
import type { ClientOrderId, DeploymentId, Symbol } from '#units/identifiers.ts';
import {
  DAY_MS,
  HOUR_MS,
  type Instant,
  instant,
  instantOfDate,
  type IsoDate,
  utcDate,
} from '#units/instant.ts';
import { add, type Micro, micro, toMicro, ZERO_MICRO } from '#units/money.ts';
import { toQuantity } from '#units/quantity.ts';
import { LOT_METHODS, type LotMethod } from '../tax-lots/tax-lot.ts';
import { periodOf } from './period.ts';
import { STATEMENT_LINES, statementOf } from './statement.ts';
import type { BookedTransaction, StatementBooks, Valuation } from './statement-books.ts';

const KNOWN: readonly Instrument[] = [
  equityInstrument('AAA'),
  equityInstrument('BBB'),
  cryptoInstrument('BTCUSD'),
  forexInstrument('EURUSD'),
  forexInstrument('USDJPY'),
];
const INSTRUMENTS = new Map(KNOWN.map((one) => [one.symbol, one]));
const FIRST = instantOfDate('2026-01-05');

type Step =
  | {
      readonly does: 'trade';
      readonly of: number;
      readonly units: number;
      readonly cents: number;
      readonly commission: number;
    }
  | { readonly does: 'dividend'; readonly of: number; readonly cents: number }
  | { readonly does: 'split'; readonly of: number }
  | { readonly does: 'fee'; readonly cents: number }
  | { readonly does: 'flow'; readonly cents: number }
  | { readonly does: 'late'; readonly cents: number }
  | { readonly does: 'night' };

/** Books these steps by the engine, as the trader does: transactions, events and a valuation at the end of each day. */
class Books {
  #portfolio = openPortfolio(toMicro(100_000));
  #place = 0;
  #day = 0;
  readonly #marks = new Map<Symbol, number>(KNOWN.map(({ symbol }) => [symbol, 100]));
  readonly #transactions: BookedTransaction[] = [];
  readonly #fills: StatementBooks['fills'][number][] = [];
  readonly #events: StatementBooks['events'][number][] = [];
  readonly #days: StatementBooks['days'][number][] = [];
  readonly #id: DeploymentId;

  constructor(id: string) {
    this.#id = id as DeploymentId;
    this.#book('opening', null, { cash: toMicro(100_000), capital: toMicro(-100_000) });
  }

  take(step: Step): void {
    const instrument = 'of' in step ? KNOWN[step.of]! : KNOWN[0]!;
    const { symbol } = instrument;
    switch (step.does) {
      case 'trade': {
        const fill: Fill = {
          clientOrderId: '' as ClientOrderId,
          symbol,
          side: step.units > 0 ? 'buy' : 'sell',
          quantity: toQuantity(Math.abs(step.units)),
          price: step.cents / 100,
          commission: toMicro(step.commission / 100),
          at: this.#now(),
        };
        const { portfolio, booking } = applyFill(this.#portfolio, fill, instrument, this.#marks);
        this.#portfolio = portfolio;
        this.#marks.set(symbol, fill.price);
        this.#book('fill', symbol, booking);
        this.#fills.push({ id: `X${this.#place}`, place: this.#place, fill });
        return;
      }
      case 'dividend':
        return this.#happen({ type: 'dividend', symbol, perUnit: step.cents / 100, markAfter: 0 });
      case 'split':
        this.#marks.set(symbol, this.#marks.get(symbol)! / 2);
        return this.#happen({ type: 'split', symbol, ratio: 2, markAfter: 0 });
      case 'fee':
        return this.#book('fee', null, { fees: toMicro(step.cents / 100) });
      case 'flow': {
        const flow = toMicro(step.cents / 100);
        this.#portfolio = { ...this.#portfolio, cash: add(this.#portfolio.cash, flow) };
        return this.#book('flow', null, { cash: flow, capital: micro(-flow) });
      }
      case 'late': {
        // The broker states another commission for an execution of days ago: booked now, at its own time.
        const change = toMicro(step.cents / 100);
        this.#portfolio = { ...this.#portfolio, cash: add(this.#portfolio.cash, micro(-change)) };
        return this.#book('commission', null, { cash: micro(-change), commission: change }, 2 * DAY_MS);
      }
      case 'night':
        this.#days.push({ date: utcDate(this.#now()), ...this.#valued() });
        this.#day += 1;
        return;
    }
  }

  result(endedAt: Instant | null = null): StatementBooks {
    return {
      id: this.#id,
      strategyName: 'Trend',
      deployedAt: FIRST,
      endedAt,
      transactions: this.#transactions,
      fills: this.#fills,
      events: this.#events,
      days: this.#days,
      now: this.#valued(),
    };
  }

  #happen(event: PositionEvent): void {
    const terms = { instruments: INSTRUMENTS, marks: this.#marks, at: this.#now() };
    const entitled = this.#portfolio.positions.get(event.symbol)?.quantity;
    const applied = applyPositionEvent(this.#portfolio, event, terms);
    if (applied === null || entitled === undefined) return;
    this.#portfolio = applied.portfolio;
    this.#events.push({ afterEntry: this.#place, date: utcDate(this.#now()), event, entitled });
    if (event.type !== 'split') this.#book(event.type, event.symbol, applied.booking);
  }

  #book(cause: string, symbol: Symbol | null, amounts: Partial<BookedTransaction>, ago = 0): void {
    this.#place = nextPlace++;
    const nothing = {
      cash: ZERO_MICRO,
      capital: ZERO_MICRO,
      realized: ZERO_MICRO,
      commission: ZERO_MICRO,
      fees: ZERO_MICRO,
    };
    this.#transactions.push({
      place: this.#place,
      at: instant(this.#now() - ago),
      cause,
      symbol,
      ...nothing,
      ...amounts,
    });
  }

  #now(): Instant {
    return instant(FIRST + this.#day * DAY_MS + 15 * HOUR_MS);
  }

  #valued(): Valuation {
    const { equity } = valuePortfolio(this.#portfolio, this.#marks, INSTRUMENTS);
    const held = [...this.#portfolio.positions].map(
      ([symbol, { quantity }]) => [symbol, { units: quantity, price: this.#marks.get(symbol)! }] as const,
    );
    return { at: this.#now(), cash: this.#portfolio.cash, equity, held: new Map(held) };
  }
}

let nextPlace = 1;

function booksOf(id: string, steps: readonly Step[], endedAt: Instant | null = null): StatementBooks {
  const books = new Books(id);
  for (const step of steps) books.take(step);
  return books.result(endedAt);
}

const statement = (
  books: readonly StatementBooks[],
  days: { from: string; to: string },
  method: LotMethod = 'fifo',
) =>
  statementOf(books, {
    days: { from: days.from as IsoDate, to: days.to as IsoDate },
    method,
    instruments: INSTRUMENTS,
    shown: () => true,
  });

const night = { does: 'night' } as const;
const buy = (of: number, units: number, cents: number, commission = 100): Step => ({
  does: 'trade',
  of,
  units,
  cents,
  commission,
});

describe('a statement', () => {
  const steps: readonly Step[] = [
    buy(0, 10, 10_000),
    night,
    { does: 'dividend', of: 0, cents: 50 },
    buy(0, -4, 11_000),
    { does: 'fee', cents: 900 },
    night,
    buy(0, 1, 12_000),
    night,
  ];

  it('says what there was, what came and went, what was earned and paid, and what there is', () => {
    const { total } = statement([booksOf('D', steps)], { from: '2026-01-06', to: '2026-01-06' });
    expect(total).toEqual({
      startValue: toMicro(99_999),
      moneyIn: 0,
      moneyOut: 0,
      income: toMicro(5),
      financing: 0,
      realizedGains: toMicro(40),
      unrealizedChange: toMicro(60),
      costs: toMicro(-1),
      performanceFees: toMicro(-9),
      invoicedApart: toMicro(9),
      corrections: 0,
      residual: 0,
      endValue: toMicro(100_103),
    });
  });

  it('begins with nothing in the period in which the money was put in', () => {
    const { total } = statement([booksOf('D', steps)], { from: '2026-01-01', to: '2026-01-05' });
    expect(total).toMatchObject({ startValue: 0, moneyIn: toMicro(100_000), endValue: toMicro(99_999) });
  });

  it('ends with nothing in the period in which the deployment ended: its money is back in the account', () => {
    const ended = booksOf('D', [...steps, buy(0, -7, 12_000), night], instant(FIRST + 4 * DAY_MS));
    const { total } = statement([ended], periodOf('month', '2026-01-20' as IsoDate));
    expect(total.endValue).toBe(0);
    expect(total.moneyOut).toBe(-ended.now.equity);
    expect(total.residual).toBe(0);
    const later = statement([ended], { from: '2026-02-01', to: '2026-02-28' }).total;
    expect(STATEMENT_LINES.map((line) => later[line]).every((amount) => amount === 0)).toBe(true);
  });

  it('shows what the books do not explain', () => {
    const books = booksOf('D', steps);
    const wrong = { ...books, now: { ...books.now, equity: add(books.now.equity, toMicro(3)) } };
    expect(statement([wrong], { from: '2026-01-01', to: '2026-12-31' }).total.residual).toBe(toMicro(3));
  });

  it('takes the gain of a sale from the lots of the method', () => {
    const more = [buy(0, 10, 10_000, 0), night, buy(0, 10, 12_000, 0), night, buy(0, -10, 11_000, 0), night];
    const gain = (method: LotMethod) =>
      statement([booksOf('D', more)], { from: '2026-01-07', to: '2026-01-07' }, method).total.realizedGains;
    expect(gain('fifo')).toBe(toMicro(100));
    expect(gain('lifo')).toBe(toMicro(-100));
  });

  it('lists the sales of the period, and says what later purchases disallowed of earlier ones', () => {
    const washed = [buy(0, 10, 10_000, 0), night, buy(0, -10, 9_000, 0), night, buy(0, 10, 9_500, 0), night];
    const of = (day: string) => statement([booksOf('D', washed)], { from: day, to: day }).deployments[0]!;
    const sold = of('2026-01-06');
    expect(sold.lots.map(({ gain, disallowed }) => [gain, disallowed])).toEqual([[toMicro(-100), 0]]);
    const bought = of('2026-01-07');
    expect(bought.lots).toEqual([]);
    expect(bought.disallowedSince).toBe(toMicro(100));
    expect([bought.realizedGains, bought.unrealizedChange]).toEqual([0, 0]);
    const whole = statement([booksOf('D', washed)], { from: '2026-01-01', to: '2026-01-31' }).deployments[0]!;
    expect(whole.lots[0]!.disallowed).toBe(toMicro(100));
  });
});

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      does: fc.constant('trade' as const),
      of: fc.nat({ max: KNOWN.length - 1 }),
      units: fc.integer({ min: -60, max: 60 }).filter((units) => units !== 0),
      cents: fc.integer({ min: 50, max: 30_000 }),
      commission: fc.integer({ min: -20, max: 300 }),
    }),
  },
  { weight: 3, arbitrary: fc.constant(night) },
  {
    weight: 1,
    arbitrary: fc.record({
      does: fc.constant('dividend' as const),
      of: fc.nat({ max: 1 }),
      cents: fc.integer({ min: 1, max: 200 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('split' as const), of: fc.nat({ max: 1 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      does: fc.constantFrom('fee' as const, 'flow' as const, 'late' as const),
      cents: fc.integer({ min: 1, max: 50_000 }),
    }),
  },
);

it.each(LOT_METHODS)('by %s, every period of every history sums to the last micro-dollar', (method) => {
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 40 }),
      fc.array(step, { maxLength: 15 }),
      fc.nat({ max: 12 }),
      fc.nat({ max: 12 }),
      (one, other, start, length) => {
        const day = (i: number) => utcDate(instant(FIRST + i * DAY_MS));
        const books = [booksOf('D', [...one, night]), booksOf('E', [...other, night])];
        const { deployments, total } = statement(
          books,
          { from: day(start), to: day(start + length) },
          method,
        );
        for (const figures of [...deployments, total]) {
          const { endValue, residual } = figures;
          const explained = STATEMENT_LINES.filter((line) => line !== 'endValue').map(
            (line) => figures[line],
          );
          expect(add(...(explained as Micro[]))).toBe(endValue);
          expect(residual).toBe(0);
        }
      },
    ),
    { numRuns: 200 },
  );
});

describe('a period', () => {
  it.each([
    ['day', '2024-02-29', '2024-02-29', '2024-02-29'],
    ['month', '2024-02-10', '2024-02-01', '2024-02-29'],
    ['quarter', '2026-05-31', '2026-04-01', '2026-06-30'],
    ['quarter', '2026-12-31', '2026-10-01', '2026-12-31'],
    ['year', '2026-07-04', '2026-01-01', '2026-12-31'],
  ] as const)('%s of %s', (length, day, from, to) =>
    expect(periodOf(length, day as IsoDate)).toEqual({ from, to }),
  );
});
