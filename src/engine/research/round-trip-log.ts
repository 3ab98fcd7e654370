// Round trips as columns: one line for each position from its entry to its exit.
import { type FillLog, grown } from './fill-log.ts';

export type RoundTrip = {
  readonly entryBar: number;
  readonly exitBar: number;
  /** Signed, whole 1e-8 units. */
  readonly quantity: number;
  readonly entryPrice: number;
  readonly exitPrice: number;
  /** Of entry and exit together, Micro. */
  readonly commission: number;
  /** Net of commission, Micro. */
  readonly pnl: number;
};

export class RoundTripLog {
  count = 0;
  #entryBar = new Int32Array(CAPACITY);
  #exitBar = new Int32Array(CAPACITY);
  /** quantity, entryPrice, exitPrice, commission, pnl of each line. */
  #values = new Float64Array(CAPACITY * WIDTH);

  add(trip: RoundTrip): void {
    if (this.count === this.#entryBar.length) this.#grow();
    const i = this.count++;
    this.#entryBar[i] = trip.entryBar;
    this.#exitBar[i] = trip.exitBar;
    const values = this.#values;
    const at = i * WIDTH;
    values[at] = trip.quantity;
    values[at + 1] = trip.entryPrice;
    values[at + 2] = trip.exitPrice;
    values[at + 3] = trip.commission;
    values[at + 4] = trip.pnl;
  }

  /** The trip from one fill to the newest; `profit` is before commission. */
  addOf(fills: FillLog, entry: number, profit: number): void {
    const exit = fills.count - 1;
    const { bar, traded, price, commission } = fills;
    if (this.count === this.#entryBar.length) this.#grow();
    const i = this.count++;
    this.#entryBar[i] = bar[entry]!;
    this.#exitBar[i] = bar[exit]!;
    const values = this.#values;
    const at = i * WIDTH;
    values[at] = traded[entry]!;
    values[at + 1] = price[entry]!;
    values[at + 2] = price[exit]!;
    values[at + 3] = commission[entry]! + commission[exit]!;
    values[at + 4] = profit - commission[entry]! - commission[exit]!;
  }

  get(i: number): RoundTrip {
    const at = i * WIDTH;
    return {
      entryBar: this.#entryBar[i]!,
      exitBar: this.#exitBar[i]!,
      quantity: this.#values[at]!,
      entryPrice: this.#values[at + 1]!,
      exitPrice: this.#values[at + 2]!,
      commission: this.#values[at + 3]!,
      pnl: this.#values[at + 4]!,
    };
  }

  list(): RoundTrip[] {
    return Array.from({ length: this.count }, (_, i) => this.get(i));
  }

  #grow(): void {
    this.#entryBar = grown(this.#entryBar, new Int32Array(this.#entryBar.length * 4));
    this.#exitBar = grown(this.#exitBar, new Int32Array(this.#exitBar.length * 4));
    this.#values = grown(this.#values, new Float64Array(this.#values.length * 4));
  }
}

const CAPACITY = 1_024;
const WIDTH = 5;
