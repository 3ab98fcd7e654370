// Which members of the universe take part: the most traded ones, chosen again where the rules are looked at. It reads closed bars
// only, so that a day's basket never knows which instruments were traded later.
import type { Basket } from '../definition.ts';
import { turnover } from '../feature-column.ts';
import { barAt, isStale, type Prepared } from '../prepare.ts';

export class Membership {
  /** 1 takes part. Nobody does before the first choice. */
  readonly members: Uint8Array;
  readonly #prepared: Prepared;
  readonly #basket: Basket;
  readonly #columns: readonly Float64Array[];
  readonly #masked: Int8Array;

  constructor(prepared: Prepared, basket: Basket) {
    this.#prepared = prepared;
    this.#basket = basket;
    this.#columns = prepared.instruments.map(({ bars }) => turnover(bars, basket.length));
    this.members = new Uint8Array(prepared.instruments.length);
    this.#masked = new Int8Array(prepared.instruments.length);
  }

  /** Turnover at a row; NaN of what is not known, or no longer trades. */
  turnoverAt(s: number, row: number): number {
    const { instruments, timeline } = this.#prepared;
    const instrument = instruments[s]!;
    const bar = barAt(instrument, row);
    if (bar < 0 || isStale(instrument, bar, timeline[row]!)) return Number.NaN;
    return this.#columns[s]![bar]!;
  }

  /** Ties go to the one that the universe names first. */
  choose(row: number): void {
    const order = this.orderAt(row);
    this.members.fill(0);
    for (const s of order.slice(0, this.#basket.most)) this.members[s] = 1;
  }

  /** The highest turnover first. */
  orderAt(row: number): readonly number[] {
    const values = Array.from(this.members, (_, s) => this.turnoverAt(s, row));
    return values
      .map((_, s) => s)
      .filter((s) => !Number.isNaN(values[s]!))
      .sort((one, other) => values[other]! - values[one]! || one - other);
  }

  /** The sides of those that take part; all others are flat. */
  masked(sides: Int8Array): Int8Array {
    for (let s = 0; s < sides.length; s++) this.#masked[s] = this.members[s] === 1 ? sides[s]! : 0;
    return this.#masked;
  }
}

export function membershipOf(prepared: Prepared): Membership | null {
  const { basket } = prepared.definition;
  return basket === undefined ? null : new Membership(prepared, basket);
}
