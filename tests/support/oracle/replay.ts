// Drives one deployment's step over closed bars: opens fill what is working, closes mark and decide. The order of
// events is the live trader's: fills, then marks, then the end of day, then the target.
import type { ClientOrderId, Symbol } from '#units/identifiers.ts';
import { type Instant, instant } from '#units/instant.ts';
import { type Micro, subtract, ZERO_MICRO } from '#units/money.ts';
import { type Quantity, ZERO_QUANTITY } from '#units/quantity.ts';
import type { DeploymentState, Notice, StepResult, TradingTerms } from '#engine/deployment-state.ts';
import type { EngineEvent, TargetWeight } from '#engine/event.ts';
import { commissionOf } from '#engine/market/costs.ts';
import { type Delivery, type PositionEvent, isDelivery } from '#engine/market/position-event.ts';
import type { Marks } from '#engine/market/instrument.ts';
import { inEndOfDayOrder } from '#engine/market/kinds/kind-rules.ts';
import type { ApprovedOrder, RefusalCode } from '#engine/order/order.ts';
import { applyFill } from '#engine/portfolio/apply-fill.ts';
import { deliveryFills } from '#engine/portfolio/apply-position-event.ts';
import { TradeBook } from '#engine/portfolio/closed-trades.ts';
import { dollarsPerQuote } from '#engine/portfolio/quote-rate.ts';
import { valuePortfolio } from '#engine/portfolio/value.ts';
import { step } from '#engine/step.ts';
import { barAt, type Prepared } from '#engine/strategy/prepare.ts';
import type { TargetTable } from '#engine/strategy/targets/target-table.ts';
import type { BacktestFill } from '#engine/backtest/result.ts';
import { type BacktestInput, type BacktestSettings, quotedInstruments } from '#engine/backtest/settings.ts';
import { priceAgainst, priceWithin } from './simulated-venue.ts';
import { type Traded, TradedInstruments } from './traded-instruments.ts';
import { shareOfUnits } from '#engine/backtest/units.ts';

type Execution = Pick<ApprovedOrder, 'symbol' | 'side' | 'quantity' | 'clientOrderId'>;

export class Replay {
  state: DeploymentState;
  readonly traded: TradedInstruments;
  readonly fills: BacktestFill[] = [];
  readonly book = new TradeBook();
  readonly income: { readonly at: Instant; readonly amount: Micro }[] = [];
  readonly notices: { readonly at: Instant; readonly notice: Notice }[] = [];
  readonly refusals = new Map<RefusalCode, number>();
  readonly #terms: TradingTerms;
  readonly #settings: BacktestSettings;
  readonly #prepared: Prepared;
  #followed: readonly TargetWeight[] = [];
  /** With market orders: what trades at the next open. */
  #pending: readonly TargetWeight[] | null = null;
  /** Orders at the venue, oldest first. */
  #queue: ApprovedOrder[] = [];

  constructor(state: DeploymentState, input: BacktestInput, prepared: Prepared) {
    const { series, settings } = input;
    const { costs, collar, noTradeBand } = settings;
    this.state = state;
    this.traded = new TradedInstruments(prepared, { instruments: quotedInstruments(input), series });
    this.#terms = { instruments: this.traded.listed, costs, collar, noTradeBand };
    this.#settings = settings;
    this.#prepared = prepared;
  }

  /** The bars of this row open: working orders of instruments that trade in it fill or expire. */
  openRow(row: number): void {
    if (this.#queue.length > 0) {
      this.#match(row, (order, instrument) => {
        if (!this.traded.tradesIn(instrument, row)) return 'waits';
        const bar = barAt(instrument, row);
        const { open, high, low } = instrument.bars;
        const day = { open: open[bar]!, high: high[bar]!, low: low[bar]! };
        return priceWithin(order, day, this.#venueTerms(order));
      });
    }
    if (this.#pending === null) return;
    this.#tradeAtMarket(row, this.#pending, 'open');
    this.#pending = null;
  }

  /** With market orders: the stop or target that the bar of this row reached, at the price it was reached at. */
  leaveWithin({ symbols, exitPrices }: TargetTable, line: number, row: number): void {
    const [symbol] = symbols;
    const price = exitPrices?.[line];
    if (symbol === undefined || price === undefined || Number.isNaN(price)) return;
    const position = this.state.portfolio.positions.get(symbol);
    if (position === undefined) return;
    const side = position.quantity > 0 ? 'sell' : 'buy';
    const quantity = Math.abs(position.quantity) as Quantity;
    this.#fill(
      { symbol, side, quantity, clientOrderId: NO_ORDER },
      this.#rawPrice(price, row),
      this.#at(row),
    );
  }

  /** The bars of this row close: everything is marked at its newest close. */
  closeRow(row: number): void {
    this.#take({ type: 'mark', at: this.#at(row), marks: this.traded.closesAt(row) });
    if (this.state.portfolio.positions.size > 0) this.#endDay(row);
  }

  /** Whether another contract is followed from the next session on. */
  rolls(row: number): boolean {
    return this.traded.rollsAt(row, this.#followed);
  }

  /** The strategy's target as of this row. */
  follow(table: TargetTable, line: number, row: number): void {
    const width = table.symbols.length;
    const weights: TargetWeight[] = [];
    for (let s = 0; s < width; s++) {
      const weight = table.weights[line * width + s]!;
      if (weight !== 0) weights.push({ symbol: table.symbols[s]!, weight });
    }
    this.#followed = weights;
    const isSameClose = this.#settings.fill === 'same_close';
    if (this.#settings.orders === 'market') {
      if (!isSameClose) {
        this.#pending = weights;
        return;
      }
      this.#tradeAtMarket(row, weights, 'close');
      this.#markAgain(row);
      return;
    }
    const { portfolio, working } = this.state;
    const isNeeded = (symbol: Symbol) =>
      portfolio.positions.has(symbol) || working.some((order) => order.symbol === symbol);
    const traded = this.traded.inContracts(weights, row, isNeeded);
    if (traded !== weights) this.#markAgain(row);
    this.#aim(row, traded, this.state.marks);
    if (!isSameClose) return;
    this.#match(row, (order, { symbol }) => {
      return priceAgainst(order, this.state.marks.get(symbol)!, this.#venueTerms(order));
    });
  }

  /** What came up only now is marked like all else. */
  #markAgain(row: number): void {
    const marks = new Map([...this.state.marks, ...this.traded.closesAt(row)]);
    this.state = { ...this.state, marks };
  }

  /** Exits come first; an entry is sized at its fill price. */
  #tradeAtMarket(row: number, weights: readonly TargetWeight[], when: 'open' | 'close'): void {
    const [symbol] = this.#prepared.definition.universe;
    if (symbol === undefined) return;
    const traded = this.traded.get(symbol);
    const market = traded.bars[when][barAt(traded, row)]!;
    // An invalid price trades nothing.
    if (!(market > 0 && market < Number.POSITIVE_INFINITY)) return;
    const side = Math.sign(weights[0]?.weight ?? 0);
    const held = Math.sign(this.state.portfolio.positions.get(symbol)?.quantity ?? 0);
    const { slippageRate } = this.#settings.costs[this.traded.instrumentOf(symbol).kind];
    const tradeAt = (price: number, wanted: readonly TargetWeight[]) => {
      this.#aim(row, wanted, new Map([[symbol, price]]));
      this.#match(row, () => price);
    };
    if (held !== 0 && side !== held) tradeAt(market, []);
    if (side !== 0 && side !== held) tradeAt(market * (1 + side * slippageRate), weights);
  }

  #aim(row: number, weights: readonly TargetWeight[], marks: Marks): void {
    const at = this.#at(row);
    this.#take({ type: 'target', at, id: `target-${at}`, weights: this.#inUnits(weights, marks), marks });
  }

  #inUnits(weights: readonly TargetWeight[], marks: Marks): readonly TargetWeight[] {
    const { units } = this.#settings;
    if (units === undefined) return weights;
    const { equity } = valuePortfolio(this.state.portfolio, marks, this.traded.listed);
    return weights.map(({ symbol, weight }) => {
      const instrument = this.traded.instrumentOf(symbol);
      const mark = marks.get(symbol) ?? Number.NaN;
      const unit = instrument.multiplier * mark * dollarsPerQuote(instrument, mark, marks);
      const share = shareOfUnits(units, { step: instrument.quantityStep, unit, equity });
      return { symbol, weight: Math.sign(weight) * share };
    });
  }

  #match(row: number, priceOf: (order: ApprovedOrder, instrument: Traded) => number | null | 'waits'): void {
    const waiting: ApprovedOrder[] = [];
    // A fill may release further orders; they join the end of the queue and meet the same bar.
    for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) {
      const price = priceOf(next, this.traded.get(next.symbol));
      if (price === 'waits') waiting.push(next);
      else if (price === null) {
        this.#take({ type: 'order_ended', at: this.#at(row), clientOrderId: next.clientOrderId });
      } else this.#fill(next, price, this.#at(row));
    }
    this.#queue = waiting;
  }

  #fill({ symbol, side, quantity, clientOrderId }: Execution, price: number, at: Instant): void {
    const instrument = this.traded.instrumentOf(symbol);
    const rate = dollarsPerQuote(instrument, price, this.state.marks);
    const { costs } = this.#settings;
    const commission = commissionOf({ quantity, price }, instrument, { costs, rate });
    const before: Micro = this.state.portfolio.realized;
    const fill = { clientOrderId, symbol, side, quantity, price, commission, at };
    this.#take({ type: 'fill', at, fill });
    const net = subtract(this.state.portfolio.realized, before);
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

  #venueTerms({ symbol }: ApprovedOrder) {
    const instrument = this.traded.instrumentOf(symbol);
    return { instrument, slippageRate: this.#settings.costs[instrument.kind].slippageRate };
  }

  /** End-of-session events of all positions whose bar closed in this row. */
  #endDay(row: number): void {
    for (const symbol of inEndOfDayOrder([...this.state.portfolio.positions.keys()])) {
      // Shares may have been called away by the options before them.
      if (!this.state.portfolio.positions.has(symbol)) continue;
      for (const event of this.traded.endOfDayEvents(symbol, row, this.state))
        this.#happen(event, this.#at(row));
    }
  }

  #happen(event: PositionEvent, at: Instant): void {
    const { symbol } = event;
    // Orders that were decided in the old units, or in what no longer trades, are withdrawn.
    if (event.type !== 'dividend' && event.type !== 'swap') {
      const ended = this.#queue.filter((order) => order.symbol === symbol);
      this.#queue = this.#queue.filter((order) => order.symbol !== symbol);
      for (const { clientOrderId } of ended) this.#take({ type: 'order_ended', at, clientOrderId });
    }
    const held = this.state.portfolio.positions.get(symbol)?.quantity ?? ZERO_QUANTITY;
    if (held === 0) return;
    if (isDelivery(event)) {
      this.#deliver(event, at);
      return;
    }
    const before = this.state.portfolio.realized;
    this.#take({ type: 'position_event', at, event });
    const gained = subtract(this.state.portfolio.realized, before);
    if (event.type === 'split') this.book.split(symbol, event.ratio);
    else if (event.type === 'expiry') {
      const side = held > 0 ? 'sell' : 'buy';
      const quantity = Math.abs(held) as Quantity;
      const settled = { symbol, side, quantity, price: event.price, commission: ZERO_MICRO, at } as const;
      this.book.take(settled, gained, this.traded.instrumentOf(symbol));
      this.fills.push(settled);
    } else {
      this.book.credit(symbol, gained);
      this.income.push({ at, amount: gained });
    }
  }

  #deliver(event: Delivery, at: Instant): void {
    const { portfolio } = this.state;
    let booked = portfolio;
    for (const fill of deliveryFills(portfolio, event, at)) {
      const instrument = this.traded.instrumentOf(fill.symbol);
      const applied = applyFill(booked, fill, instrument, this.state.marks);
      booked = applied.portfolio;
      this.book.take(fill, applied.realizedPnl, instrument);
      const { symbol, side, quantity, price, commission } = fill;
      this.fills.push({ symbol, side, quantity, price, commission, at });
    }
    this.#take({ type: 'position_event', at, event });
  }

  /** Of a price as signals read it. */
  #rawPrice(price: number, row: number): number {
    const [instrument] = this.#prepared.instruments;
    if (instrument === undefined) return price;
    const { bars } = this.traded.get(instrument.symbol);
    if (bars === instrument.bars) return price;
    const bar = barAt(instrument, row);
    return (price * bars.close[bar]!) / instrument.bars.close[bar]!;
  }

  #at(row: number): Instant {
    return instant(this.#prepared.timeline[row]!);
  }
}

/** Of an execution that belongs to no order. */
const NO_ORDER = '' as ClientOrderId;
