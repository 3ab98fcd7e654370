// Every instrument that a vectorized backtest has to do with, by number: the universe first, in its order, then the
// contracts and options that targets are placed in, as they come up.
import type { Symbol } from '#units/identifiers.ts';
import type { Instrument } from '../../market/instrument.ts';
import { optionInstrument, parseOption } from '../../market/option-contract.ts';
import { optionBars } from '../../market/derivatives/option-price.ts';
import { dollarsPerQuote } from '../../portfolio/quote-rate.ts';
import { lastClosedIndex } from '../../strategy/align.ts';
import type { Prepared } from '../../strategy/prepare.ts';
import { type BacktestInput, quotedInstruments } from '../settings.ts';
import { Slot } from './slot.ts';

export class Slots {
  readonly timeline: Float64Array;
  /** Every instrument known so far. */
  readonly listed: Map<Symbol, Instrument>;
  /** Whether an instrument has rows without its own bar. */
  hasGaps = false;
  readonly #input: BacktestInput;
  /** Null where nothing can be traded: the root of a future, an unknown instrument, a contract without bars. */
  readonly #slots: (Slot | null)[] = [];
  readonly #bySymbol = new Map<Symbol, number>();

  constructor(input: BacktestInput, { instruments, timeline }: Prepared) {
    this.timeline = timeline;
    this.listed = new Map(quotedInstruments(input));
    this.#input = input;
    for (const { symbol, bars, barOfRow } of instruments) {
      const instrument = this.listed.get(symbol);
      const raw = input.series.get(symbol) ?? bars;
      const isRead =
        instrument === undefined || (instrument.kind === 'futures' && instrument.expiry === null);
      this.#add(symbol, isRead ? null : this.#breakSlot(instrument, { bars: raw, barOfRow, base: 0 }));
    }
  }

  get count(): number {
    return this.#slots.length;
  }

  at(s: number): Slot | null {
    return this.#slots[s]!;
  }

  /** Throws RangeError when it cannot be traded. */
  traded(s: number): Slot {
    const slot = this.#slots[s];
    if (slot === undefined || slot === null) throw new RangeError('an instrument that is not traded is held');
    return slot;
  }

  /** -1 when it never came up. */
  find(symbol: Symbol): number {
    return this.#bySymbol.get(symbol) ?? -1;
  }

  /** The number of a contract or option that is followed from a row on. */
  list(symbol: Symbol, row: number): number {
    const known = this.find(symbol);
    if (known >= 0) return known;
    const option = parseOption(symbol);
    const { series } = this.#input;
    const underlying = option === null ? undefined : series.get(option.underlying);
    let bars = series.get(symbol);
    if (bars === undefined && option !== null && underlying !== undefined) {
      this.listed.set(symbol, optionInstrument(option));
      bars = optionBars(option, underlying);
    }
    const instrument = this.listed.get(symbol);
    if (bars === undefined || instrument === undefined) return this.#add(symbol, null);
    const barOfRow = lastClosedIndex(this.timeline.subarray(row), bars.closedAt);
    return this.#add(symbol, this.#breakSlot(instrument, { bars, barOfRow, base: row }));
  }

  /** The same at the close of a row. */
  rateAt(slot: Slot, price: number, row: number): number {
    if (slot.isDollar) return 1;
    return this.rate(slot, price, {
      of: (s) => (s < 0 ? Number.NaN : (this.at(s)?.mark(row) ?? Number.NaN)),
    });
  }

  /** US dollars for one unit of what an instrument is quoted in, `price` being its own; `marks` of the moment. */
  rate({ isDollar, instrument }: Slot, price: number, marks: MarksNow): number {
    if (isDollar) return 1;
    const { currency, unitCurrency } = instrument;
    if (unitCurrency === 'USD') return 1 / price;
    const direct = marks.of(this.find(`${currency}USD` as Symbol));
    if (direct > 0) return direct;
    const inverse = marks.of(this.find(`USD${currency}` as Symbol));
    return inverse > 0 ? 1 / inverse : dollarsPerQuote(instrument, price, NO_MARKS);
  }

  #breakSlot(instrument: Instrument, columns: ConstructorParameters<typeof Slot>[1]['columns']): Slot {
    this.hasGaps ||= columns.barOfRow !== null;
    const costs = this.#input.settings.costs[instrument.kind];
    return new Slot(this.#slots.length, { instrument, columns, costs, timeline: this.timeline });
  }

  #add(symbol: Symbol, slot: Slot | null): number {
    this.#bySymbol.set(symbol, this.#slots.length);
    return this.#slots.push(slot) - 1;
  }
}

/** The newest price by number; NaN where there is none. */
export type MarksNow = { of(s: number): number };

const NO_MARKS: ReadonlyMap<never, number> = new Map<never, number>();
