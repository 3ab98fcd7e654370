// The fills of a backtest by columns: kept as numbers, made into fills and round trips only when they are asked for.
import type { ClientOrderId, Symbol } from '#units/identifiers.ts';
import { instant } from '#units/instant.ts';
import { type Micro, micro } from '#units/money.ts';
import { quantity } from '#units/quantity.ts';
import type { BacktestFill } from '../result.ts';
import type { Instrument } from '../../market/instrument.ts';
import { type ClosedTrade, TradeBook } from '../../portfolio/closed-trades.ts';

export class ColumnFills {
  count = 0;
  /** How many round trips have closed. */
  closed = 0;
  readonly #instruments: readonly Instrument[];
  readonly #timeline: Float64Array;
  #lines = new Float64Array(256 * WIDTH);
  #fills: BacktestFill[] | null = null;
  #trades: readonly ClosedTrade[] | null = null;

  constructor(instruments: readonly Instrument[], timeline: Float64Array) {
    this.#instruments = instruments;
    this.#timeline = timeline;
  }

  add(row: number, s: number, { traded, price, commission, profit }: FillNumbers): void {
    if ((this.count + 1) * WIDTH > this.#lines.length) {
      const larger = new Float64Array(this.#lines.length * 4);
      larger.set(this.#lines);
      this.#lines = larger;
    }
    const at = this.count++ * WIDTH;
    this.#lines[at] = row;
    this.#lines[at + 1] = s;
    this.#lines[at + 2] = traded;
    this.#lines[at + 3] = price;
    this.#lines[at + 4] = commission;
    this.#lines[at + 5] = profit;
  }

  fills(): readonly BacktestFill[] {
    this.#fills ??= Array.from({ length: this.count }, (_, i) => this.#fill(i));
    return this.#fills;
  }

  trades(): readonly ClosedTrade[] {
    this.#trades ??= this.#roundTrips();
    return this.#trades;
  }

  #roundTrips(): readonly ClosedTrade[] {
    const book = new TradeBook();
    this.fills().forEach((fill, i) => {
      const instrument = this.#instruments[this.#lines[i * WIDTH + 1]!]!;
      const profit = micro(this.#lines[i * WIDTH + 5]!);
      book.take({ ...fill, clientOrderId: NO_ORDER }, profit, instrument);
    });
    return book.closed;
  }

  #fill(i: number): BacktestFill {
    const at = i * WIDTH;
    const traded = this.#lines[at + 2]!;
    return {
      symbol: this.#instruments[this.#lines[at + 1]!]!.symbol as Symbol,
      side: traded > 0 ? 'buy' : 'sell',
      quantity: quantity(Math.abs(traded)),
      price: this.#lines[at + 3]!,
      commission: this.#lines[at + 4]! as Micro,
      at: instant(this.#timeline[this.#lines[at]!]!),
    };
  }
}

export type FillNumbers = {
  readonly traded: number;
  readonly price: number;
  readonly commission: number;
  /** What the fill realised, before commission. */
  readonly profit: number;
};

const WIDTH = 6;
const NO_ORDER = '' as ClientOrderId;
