// What a replay trades, with raw bars: the universe, but for a root of futures or the shares of an option structure the
// contracts that were followed. Options are listed as they are chosen.
import type { Symbol } from '#units/identifiers.ts';
import { type Instant, type IsoDate, utcDate } from '#units/instant.ts';
import type { Quantity } from '#units/quantity.ts';
import { ZERO_QUANTITY } from '#units/quantity.ts';
import type { TargetWeight } from '#engine/event.ts';
import type { BarSeries } from '#engine/market/bar-series.ts';
import { nextTradingDay } from '#engine/market/calendar.ts';
import type { CorporateAction } from '#engine/market/corporate-action.ts';
import type { PositionEvent } from '#engine/market/position-event.ts';
import type { Instrument, Marks } from '#engine/market/instrument.ts';
import type { UnderlyingEndOfDay } from '#engine/market/kinds/kind-rules.ts';
import { KIND_RULES } from '#engine/market/kinds/rules-of.ts';
import { optionInstrument, parseOption } from '#engine/market/option-contract.ts';
import { optionBars } from '#engine/market/derivatives/option-price.ts';
import type { Portfolio } from '#engine/portfolio/portfolio.ts';
import { dollarsPerQuote } from '#engine/portfolio/quote-rate.ts';
import { lastClosedIndex } from '#engine/strategy/align.ts';
import { asTraded, rollsAfter } from '#engine/strategy/as-traded.ts';
import { optionsEndOn, withOptions } from '#engine/strategy/option-overlay.ts';
import { endsDay } from '#engine/market/trading-day.ts';
import { barAt, type Prepared, type PreparedInstrument } from '#engine/strategy/prepare.ts';

export type Traded = Pick<PreparedInstrument, 'symbol' | 'bars' | 'barOfRow'>;

export class TradedInstruments {
  /** Every instrument known so far; options appear in this map as they are listed. */
  readonly listed: Map<Symbol, Instrument>;
  readonly #prepared: Prepared;
  readonly #series: ReadonlyMap<Symbol, BarSeries>;
  readonly #traded = new Map<Symbol, Traded>();
  readonly #hasRoots: boolean;

  constructor(
    prepared: Prepared,
    {
      instruments,
      series,
    }: {
      readonly instruments: ReadonlyMap<Symbol, Instrument>;
      readonly series: ReadonlyMap<Symbol, BarSeries>;
    },
  ) {
    this.listed = new Map(instruments);
    this.#prepared = prepared;
    this.#series = series;
    for (const { symbol, bars, barOfRow } of prepared.instruments) {
      if (isRoot(instruments.get(symbol))) continue;
      this.#traded.set(symbol, { symbol, bars: series.get(symbol) ?? bars, barOfRow });
    }
    this.#hasRoots = this.#traded.size < prepared.instruments.length;
  }

  /** Throws RangeError for a name that is not traded. */
  get(symbol: Symbol): Traded {
    const found = this.#traded.get(symbol);
    if (found === undefined) throw new RangeError(`not traded: ${symbol}`);
    return found;
  }

  instrumentOf(symbol: Symbol): Instrument {
    const found = this.listed.get(symbol);
    if (found === undefined) throw new RangeError(`not known as an instrument: ${symbol}`);
    return found;
  }

  tradesIn(instrument: Traded, row: number): boolean {
    const bar = barAt(instrument, row);
    return bar >= 0 && instrument.bars.closedAt[bar] === this.#prepared.timeline[row];
  }

  /** The newest close of each, where that is a price. */
  closesAt(row: number): Marks {
    const marks = new Map<Symbol, number>();
    for (const instrument of this.#traded.values()) {
      const bar = barAt(instrument, row);
      const close = bar < 0 ? 0 : instrument.bars.close[bar]!;
      if (close > 0 && close < Number.POSITIVE_INFINITY) marks.set(instrument.symbol, close);
    }
    return marks;
  }

  /** Whether another contract is followed from the next session on. */
  rollsAt(row: number, followed: readonly TargetWeight[]): boolean {
    const { options } = this.#prepared.definition;
    if (options !== undefined && followed.length > 0 && optionsEndOn(this.dateOf(row))) return true;
    if (!this.#hasRoots || row === 0) return false;
    return rollsAfter(followed, { date: this.dateOf(row), before: this.dateOf(row - 1) }, this.listed);
  }

  /**
   * The target in the contracts that its orders will trade, each from now on with its bars and its mark. What has ended
   * is forgotten, but for what is `needed`.
   */
  inContracts(
    weights: readonly TargetWeight[],
    row: number,
    needed: (symbol: Symbol) => boolean,
  ): readonly TargetWeight[] {
    const { options } = this.#prepared.definition;
    if (!this.#hasRoots && options === undefined) return weights;
    const date = this.dateOf(row);
    const own = asTraded(weights, date, this.listed);
    const knownOf = (symbol: Symbol) => {
      const shares = this.#traded.get(symbol);
      return shares ? { bars: shares.bars, last: barAt(shares, row) } : null;
    };
    const traded = options ? withOptions(own, options, knownOf) : own;
    for (const symbol of this.#traded.keys()) {
      const isGone = (this.listed.get(symbol)?.expiry ?? 'z') < date;
      if (isGone && !needed(symbol)) this.#traded.delete(symbol);
    }
    for (const { symbol } of traded) {
      const bars = this.#series.get(symbol) ?? this.#listOption(symbol);
      if (bars === null || this.#traded.has(symbol)) continue;
      const barOfRow = lastClosedIndex(this.#prepared.timeline, bars.closedAt);
      this.#traded.set(symbol, { symbol, bars, barOfRow });
    }
    return traded;
  }

  /** What the end of the session does to a holding, if its bar closed in this row. */
  endOfDayEvents(symbol: Symbol, row: number, { portfolio, marks }: Held): readonly PositionEvent[] {
    const instrument = this.instrumentOf(symbol);
    const { overnight } = KIND_RULES[instrument.kind];
    const actions = this.#series.get(symbol)?.actions ?? NO_ACTIONS;
    if (overnight === null || (instrument.kind === 'equity' && actions.length === 0)) return [];
    const traded = this.get(symbol);
    // A session ends with its last bar, however many it has.
    if (!this.tradesIn(traded, row) || !endsDay(traded.bars.closedAt, barAt(traded, row))) return [];
    const held = heldOf(portfolio, symbol);
    const date = this.dateOf(row);
    const close = traded.bars.close[barAt(traded, row)]!;
    const rate = dollarsPerQuote(instrument, close, marks);
    const next = nextTradingDay(instrument.calendar, date);
    const underlying = this.#underlyingOf(symbol, row, portfolio);
    return overnight({ instrument, held, date, next, close, rate, actions, underlying });
  }

  dateOf(row: number): IsoDate {
    return utcDate((this.#prepared.timeline[row]! - 1) as Instant);
  }

  /** The bars of an option that is listed from now on; null when the symbol is no option's. */
  #listOption(symbol: Symbol): BarSeries | null {
    const option = parseOption(symbol);
    const underlying = option && this.#series.get(option.underlying);
    if (!option || !underlying) return null;
    this.listed.set(symbol, optionInstrument(option));
    return optionBars(option, underlying);
  }

  #underlyingOf(symbol: Symbol, row: number, portfolio: Portfolio): UnderlyingEndOfDay | null {
    const option = parseOption(symbol);
    if (option === null) return null;
    const shares = this.get(option.underlying);
    return {
      close: shares.bars.close[barAt(shares, row)]!,
      actions: this.#series.get(option.underlying)?.actions ?? NO_ACTIONS,
      held: heldOf(portfolio, option.underlying),
    };
  }
}

export type Held = { readonly portfolio: Portfolio; readonly marks: Marks };

function heldOf({ positions }: Portfolio, symbol: Symbol): Quantity {
  return positions.get(symbol)?.quantity ?? ZERO_QUANTITY;
}

/** The continuous series of a future: it is read and never held. */
function isRoot(instrument: Instrument | undefined): boolean {
  return instrument?.kind === 'futures' && instrument.expiry === null;
}

const NO_ACTIONS: readonly CorporateAction[] = [];
