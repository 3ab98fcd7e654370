// Histories of a deployment's books for tests: each step is booked by the engine, as the trader books it.
import * as fc from 'fast-check';
import type { Instrument } from '#engine/market/instrument.ts';
import type { PositionEvent } from '#engine/market/position-event.ts';
import type { Fill } from '#engine/order/order.ts';
import { applyFill, openPortfolio } from '#engine/portfolio/apply-fill.ts';
import { applyPositionEvent } from '#engine/portfolio/apply-position-event.ts';
import { valuePortfolio } from '#engine/portfolio/value.ts';
import type {
  BookedTransaction,
  StatementBooks,
  Valuation,
} from '#rules/portfolio/statement/statement-books.ts';
import type { ClientOrderId, DeploymentId, Symbol } from '#units/identifiers.ts';
import { DAY_MS, HOUR_MS, type Instant, instant, instantOfDate, utcDate } from '#units/instant.ts';
import { add, micro, toMicro, ZERO_MICRO } from '#units/money.ts';
import { toQuantity } from '#units/quantity.ts';
import { cryptoInstrument, equityInstrument, forexInstrument } from './engine/random-market.ts';

export const KNOWN: readonly Instrument[] = [
  equityInstrument('AAA'),
  equityInstrument('BBB'),
  cryptoInstrument('BTCUSD'),
  forexInstrument('EURUSD'),
  forexInstrument('USDJPY'),
];
export const INSTRUMENTS = new Map(KNOWN.map((one) => [one.symbol, one]));
export const FIRST = instantOfDate('2026-01-05');

export type BookingStep =
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

  take(step: BookingStep): void {
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

export function booksOf(
  id: string,
  steps: readonly BookingStep[],
  endedAt: Instant | null = null,
): StatementBooks {
  const books = new Books(id);
  for (const step of steps) books.take(step);
  return books.result(endedAt);
}

export const night = { does: 'night' } as const;
export const buy = (of: number, units: number, cents: number, commission = 100): BookingStep => ({
  does: 'trade',
  of,
  units,
  cents,
  commission,
});

export const bookingStep: fc.Arbitrary<BookingStep> = fc.oneof(
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
