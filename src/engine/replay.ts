// Drives one deployment's step over closed bars: opens fill what is working, closes mark and decide. The order of
// events is the live trader's: fills, then marks, then the target.
import type { ClientOrderId, Symbol } from '#units/identifiers.ts';
import { type Instant, instant, type IsoDate, utcDate } from '#units/instant.ts';
import { type Micro, subtract, ZERO_MICRO } from '#units/money.ts';
import { type Quantity, ZERO_QUANTITY } from '#units/quantity.ts';
import type { DeploymentState, Notice, StepResult, TradingTerms } from './deployment-state.ts';
import type { EngineEvent, TargetWeight } from './event.ts';
import type { BarSeries } from './market/bar-series.ts';
import { commissionOf, type TradingCosts } from './market/costs.ts';
import { nextTradingDay } from './market/calendar.ts';
import type { CorporateAction } from './market/corporate-action.ts';
import { type Delivery, type PositionEvent, isDelivery } from './market/position-event.ts';
import type { Instrument, Marks } from './market/instrument.ts';
import { inEndOfDayOrder, type UnderlyingEndOfDay } from './market/kinds/kind-rules.ts';
import { KIND_RULES } from './market/kinds/rules-of.ts';
import type { ApprovedOrder, Fill, RefusalCode } from './order/order.ts';
import { applyFill } from './portfolio/apply-fill.ts';
import { deliveryFills } from './portfolio/apply-position-event.ts';
import { TradeBook } from './portfolio/closed-trades.ts';
import { dollarsPerQuote } from './portfolio/quote-rate.ts';
import { step } from './step.ts';
import { lastClosedIndex } from './strategy/align.ts';
import { optionInstrument, parseOption } from './market/option-contract.ts';
import { optionBars } from './market/option-price.ts';
import { optionsEndOn, withOptions } from './strategy/option-overlay.ts';
import { asTraded, rollsAfter } from './strategy/as-traded.ts';
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
  /** Raw bars of everything that may be traded, contracts included. */
  readonly series: ReadonlyMap<Symbol, BarSeries>;
  /** The instruments of the terms; options are added to them. */
  readonly listed: Map<Symbol, Instrument>;
};

type Traded = Pick<PreparedInstrument, 'symbol' | 'bars' | 'barOfRow'>;

export class Replay {
  state: DeploymentState;
  readonly fills: Omit<Fill, 'clientOrderId'>[] = [];
  readonly book = new TradeBook();
  readonly notices: { readonly at: Instant; readonly notice: Notice }[] = [];
  readonly refusals = new Map<RefusalCode, number>();
  readonly #terms: TradingTerms;
  readonly #settings: ReplayTerms['settings'];
  readonly #prepared: Prepared;
  readonly #series: ReplayTerms['series'];
  readonly #listed: ReplayTerms['listed'];
  /** What is or may be held, with raw bars: the universe, but for a root the contracts that were followed. */
  readonly #traded = new Map<Symbol, Traded>();
  readonly #hasRoots: boolean;
  #followed: readonly TargetWeight[] = [];
  /** Orders at the venue, oldest first. */
  #queue: ApprovedOrder[] = [];

  constructor(state: DeploymentState, { terms, settings, prepared, series, listed }: ReplayTerms) {
    this.state = state;
    this.#terms = terms;
    this.#settings = settings;
    this.#prepared = prepared;
    this.#series = series;
    this.#listed = listed;
    for (const { symbol, bars, barOfRow } of prepared.instruments) {
      if (isRoot(terms.instruments.get(symbol))) continue;
      this.#traded.set(symbol, { symbol, bars: series.get(symbol) ?? bars, barOfRow });
    }
    this.#hasRoots = this.#traded.size < prepared.instruments.length;
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
    if (this.state.portfolio.positions.size > 0) this.#processSession(row);
  }

  /** Whether what is followed is another contract from the next session on. */
  rolls(row: number): boolean {
    const { options } = this.#prepared.definition;
    if (options !== undefined && this.#followed.length > 0 && optionsEndOn(this.#date(row))) return true;
    if (!this.#hasRoots || row === 0) return false;
    const days = { date: this.#date(row), before: this.#date(row - 1) };
    return rollsAfter(this.#followed, days, this.#terms.instruments);
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
    this.#followed = weights;
    const { options } = this.#prepared.definition;
    const isPlain = !this.#hasRoots && options === undefined;
    const traded = isPlain ? weights : this.#inContracts(weights, row);
    this.#take({ type: 'target', at, id: `target-${at}`, weights: traded, marks: this.state.marks });
    if (this.#settings.fill !== 'same_close') return;
    this.#match(row, (order, { symbol }) => {
      return priceAgainst(order, this.state.marks.get(symbol)!, this.#venueTerms(order));
    });
  }

  #match(row: number, priceOf: (order: ApprovedOrder, instrument: Traded) => number | null | 'waits'): void {
    const waiting: ApprovedOrder[] = [];
    // A fill may release further orders; they join the end of the queue and meet the same bar.
    for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) {
      const price = priceOf(next, this.#traded.get(next.symbol)!);
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

  #tradesIn(instrument: Traded, row: number): boolean {
    const bar = barAt(instrument, row);
    return bar >= 0 && instrument.bars.closedAt[bar] === this.#prepared.timeline[row];
  }

  #closes(row: number): Marks {
    const marks = new Map<Symbol, number>();
    for (const instrument of this.#traded.values()) {
      const bar = barAt(instrument, row);
      if (bar >= 0) marks.set(instrument.symbol, instrument.bars.close[bar]!);
    }
    return marks;
  }

  /** The target in the contracts that its orders will trade, each with its bars and its mark. */
  #inContracts(weights: readonly TargetWeight[], row: number): TargetWeight[] {
    const { instruments } = this.#terms;
    const { options } = this.#prepared.definition;
    const own = asTraded(weights, this.#date(row), instruments);
    const knownOf = (symbol: Symbol) => {
      const shares = this.#traded.get(symbol);
      return shares ? { bars: shares.bars, last: barAt(shares, row) } : null;
    };
    const traded = options ? withOptions(own, options, knownOf) : own;
    for (const symbol of this.#traded.keys()) {
      const gone = (instruments.get(symbol)?.expiry ?? 'z') < this.#date(row);
      if (gone && !this.state.portfolio.positions.has(symbol)) this.#traded.delete(symbol);
    }
    for (const { symbol } of traded) {
      const bars = this.#series.get(symbol) ?? this.#listOption(symbol);
      if (bars === null || this.#traded.has(symbol)) continue;
      const barOfRow = lastClosedIndex(this.#prepared.timeline, bars.closedAt);
      this.#traded.set(symbol, { symbol, bars, barOfRow });
    }
    this.state = { ...this.state, marks: this.#closes(row) };
    return traded;
  }

  /** The bars of an option that is listed from now on; null when the symbol is no option's. */
  #listOption(symbol: Symbol): BarSeries | null {
    const option = parseOption(symbol);
    const underlying = option && this.#series.get(option.underlying);
    if (!option || !underlying) return null;
    this.#listed.set(symbol, optionInstrument(option));
    return optionBars(option, underlying);
  }

  /** What the end of the session does to everything held whose bar closed in this row. */
  #processSession(row: number): void {
    const held = [...this.state.portfolio.positions.keys()];
    for (const symbol of inEndOfDayOrder(held)) {
      // Shares may have been called away by the options before them.
      const quantity = this.state.portfolio.positions.get(symbol)?.quantity;
      if (quantity === undefined) continue;
      for (const event of this.#eventsOf(symbol, quantity, row)) this.#happen(event, this.#at(row));
    }
  }

  #eventsOf(symbol: Symbol, held: Quantity, row: number): readonly PositionEvent[] {
    const instrument = this.#terms.instruments.get(symbol)!;
    const { overnight } = KIND_RULES[instrument.kind];
    const actions = this.#series.get(symbol)?.actions ?? NO_ACTIONS;
    if (overnight === null || (instrument.kind === 'equity' && actions.length === 0)) return [];
    const traded = this.#traded.get(symbol)!;
    if (!this.#tradesIn(traded, row)) return [];
    const date = this.#date(row);
    const close = traded.bars.close[barAt(traded, row)]!;
    const rate = dollarsPerQuote(instrument, close, this.state.marks);
    const next = nextTradingDay(instrument.calendar, date);
    const underlying = this.#underlyingOf(symbol, row);
    return overnight({ instrument, held, date, next, close, rate, actions, underlying });
  }

  #underlyingOf(symbol: Symbol, row: number): UnderlyingEndOfDay | null {
    const option = parseOption(symbol);
    if (option === null) return null;
    const shares = this.#traded.get(option.underlying)!;
    return {
      close: shares.bars.close[barAt(shares, row)]!,
      actions: this.#series.get(option.underlying)?.actions ?? NO_ACTIONS,
      held: this.state.portfolio.positions.get(option.underlying)?.quantity ?? ZERO_QUANTITY,
    };
  }

  #happen(event: PositionEvent, at: Instant): void {
    const { symbol } = event;
    // Orders that were decided in the old units, or in what no longer trades, are withdrawn.
    if (event.type !== 'dividend' && event.type !== 'swap') {
      const ended = this.#queue.filter((order) => order.symbol === symbol);
      this.#queue = this.#queue.filter((order) => order.symbol !== symbol);
      for (const { clientOrderId } of ended) this.#take({ type: 'order_ended', at, clientOrderId });
    }
    const held = this.state.portfolio.positions.get(symbol)?.quantity;
    if (held === undefined) return;
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
      this.book.take(
        { ...settled, clientOrderId: '' as ClientOrderId },
        gained,
        this.#terms.instruments.get(symbol)!,
      );
      this.fills.push(settled);
    } else this.book.credit(symbol, gained);
  }

  #deliver(event: Delivery, at: Instant): void {
    const { portfolio } = this.state;
    let booked = portfolio;
    for (const fill of deliveryFills(portfolio, event, at)) {
      const instrument = this.#terms.instruments.get(fill.symbol)!;
      const applied = applyFill(booked, fill, instrument, this.state.marks);
      booked = applied.portfolio;
      this.book.take(fill, applied.realizedPnl, instrument);
      const { symbol, side, quantity, price, commission } = fill;
      this.fills.push({ symbol, side, quantity, price, commission, at });
    }
    this.#take({ type: 'position_event', at, event });
  }

  #date(row: number): IsoDate {
    return utcDate((this.#prepared.timeline[row]! - 1) as Instant);
  }

  #at(row: number): Instant {
    return instant(this.#prepared.timeline[row]!);
  }
}

/** The continuous series of a future: it is read and never held. */
function isRoot(instrument: Instrument | undefined): boolean {
  return instrument?.kind === 'futures' && instrument.expiry === null;
}

const NO_ACTIONS: readonly CorporateAction[] = [];
