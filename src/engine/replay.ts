// Drives one deployment's step over closed bars: opens fill what is working, closes mark and decide. The order of
// events is the live trader's: fills, then marks, then the target.
import type { Symbol } from '#units/identifiers.ts';
import { type Instant, instant } from '#units/instant.ts';
import { type Micro, subtract } from '#units/money.ts';
import type { DeploymentState, Notice, StepResult, TradingTerms } from './deployment-state.ts';
import type { EngineEvent, TargetWeight } from './event.ts';
import { commissionOf, type TradingCosts } from './market/costs.ts';
import type { Marks } from './market/instrument.ts';
import type { ApprovedOrder, Fill, RefusalCode } from './order/order.ts';
import { TradeBook } from './portfolio/closed-trades.ts';
import { dollarsPerQuote } from './portfolio/quote-rate.ts';
import { step } from './step.ts';
import { barAt, type Prepared, type PreparedInstrument } from './strategy/prepare.ts';
import type { TargetTable } from './strategy/target-table.ts';
import { type LimitOrder, priceAgainst, priceWithin } from './venue/simulated-venue.ts';

export type ReplayTerms = {
  readonly terms: TradingTerms;
  readonly settings: {
    readonly costs: TradingCosts;
    readonly fill?: 'next_open' | 'same_close';
  };
  readonly prepared: Prepared;
};

export class Replay {
  state: DeploymentState;
  readonly fills: Omit<Fill, 'clientOrderId'>[] = [];
  readonly book = new TradeBook();
  readonly notices: { readonly at: Instant; readonly notice: Notice }[] = [];
  readonly refusals = new Map<RefusalCode, number>();
  readonly #terms: TradingTerms;
  readonly #settings: ReplayTerms['settings'];
  readonly #prepared: Prepared;
  readonly #bySymbol: ReadonlyMap<Symbol, PreparedInstrument>;
  /** Orders at the venue, oldest first. */
  #queue: ApprovedOrder[] = [];

  constructor(state: DeploymentState, { terms, settings, prepared }: ReplayTerms) {
    this.state = state;
    this.#terms = terms;
    this.#settings = settings;
    this.#prepared = prepared;
    this.#bySymbol = new Map(prepared.instruments.map((one) => [one.symbol, one]));
  }

  /** The bars of this row open: working orders of instruments that trade in it fill or expire. */
  openRow(row: number): void {
    if (this.#queue.length === 0) return;
    this.#match(row, (order, instrument) => {
      if (!this.#tradesIn(instrument, row)) return 'waits';
      const bar = barAt(instrument, row);
      const { open, high, low } = instrument.bars;
      const day = { open: open[bar]!, high: high[bar]!, low: low[bar]! };
      return priceWithin(order, day, this.#venueTerms(order));
    });
  }

  /** The bars of this row close: everything is marked at its newest close. */
  closeRow(row: number): void {
    this.#take({ type: 'mark', at: this.#at(row), marks: this.#closes(row) });
  }

  /** The strategy's target as of this row. */
  follow(table: TargetTable, line: number, row: number): void {
    const at = this.#at(row);
    const width = table.symbols.length;
    const weights: TargetWeight[] = [];
    for (let s = 0; s < width; s++) {
      const weight = table.weights[line * width + s]!;
      if (weight !== 0) weights.push({ symbol: table.symbols[s]!, weight });
    }
    this.#take({ type: 'target', at, id: `target-${at}`, weights, marks: this.state.marks });
    if (this.#settings.fill !== 'same_close') return;
    this.#match(row, (order, { symbol }) => {
      return priceAgainst(order, this.state.marks.get(symbol)!, this.#venueTerms(order));
    });
  }

  #match(
    row: number,
    priceOf: (order: ApprovedOrder, instrument: PreparedInstrument) => number | null | 'waits',
  ): void {
    const waiting: ApprovedOrder[] = [];
    // A fill may release further orders; they join the end of the queue and meet the same bar.
    for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) {
      const price = priceOf(next, this.#bySymbol.get(next.symbol)!);
      if (price === 'waits') waiting.push(next);
      else if (price === null) {
        this.#take({ type: 'order_ended', at: this.#at(row), clientOrderId: next.clientOrderId });
      } else this.#fill(next, price, this.#at(row));
    }
    this.#queue = waiting;
  }

  #fill(order: ApprovedOrder, price: number, at: Instant): void {
    const { symbol, side, quantity, clientOrderId } = order;
    const instrument = this.#terms.instruments.get(symbol)!;
    const rate = dollarsPerQuote(instrument, price, this.state.marks);
    const { costs } = this.#settings;
    const commission = commissionOf({ quantity, price }, instrument, { costs, rate });
    const before: Micro = this.state.portfolio.realized;
    this.#take({ type: 'fill', at, fill: { clientOrderId, symbol, side, quantity, price, commission, at } });
    const net = subtract(this.state.portfolio.realized, before);
    const fill = { clientOrderId, symbol, side, quantity, price, commission, at };
    this.book.take(fill, (net + commission) as Micro, instrument);
    this.fills.push({ symbol, side, quantity, price, commission, at });
  }

  #take(event: EngineEvent): void {
    const result: StepResult = step(this.state, event, this.#terms);
    this.state = result.state;
    for (const order of result.orders) this.#queue.push(order);
    for (const notice of result.notices) this.notices.push({ at: event.at, notice });
    for (const { code } of result.refusals) this.refusals.set(code, (this.refusals.get(code) ?? 0) + 1);
  }

  #venueTerms(order: LimitOrder & { readonly symbol: Symbol }) {
    const instrument = this.#terms.instruments.get(order.symbol)!;
    return { instrument, slippageRate: this.#settings.costs[instrument.kind].slippageRate };
  }

  #tradesIn(instrument: PreparedInstrument, row: number): boolean {
    const bar = barAt(instrument, row);
    return bar >= 0 && instrument.bars.closedAt[bar] === this.#prepared.timeline[row];
  }

  #closes(row: number): Marks {
    const marks = new Map<Symbol, number>();
    for (const instrument of this.#prepared.instruments) {
      const bar = barAt(instrument, row);
      if (bar >= 0) marks.set(instrument.symbol, instrument.bars.close[bar]!);
    }
    return marks;
  }

  #at(row: number): Instant {
    return instant(this.#prepared.timeline[row]!);
  }
}
