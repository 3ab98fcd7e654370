// Fills as columns, grown as they come: no object for each.

export class FillLog {
  count = 0;
  /** Room for more than `count`. */
  bar = new Int32Array(CAPACITY);
  /** Signed, whole 1e-8 units. */
  traded = new Float64Array(CAPACITY);
  price = new Float64Array(CAPACITY);
  /** Micro. */
  commission = new Float64Array(CAPACITY);

  add(bar: number, traded: number, price: number, commission: number): void {
    if (this.count === this.bar.length) this.#grow();
    const i = this.count++;
    this.bar[i] = bar;
    this.traded[i] = traded;
    this.price[i] = price;
    this.commission[i] = commission;
  }

  columns() {
    return {
      bar: this.bar.subarray(0, this.count),
      traded: this.traded.subarray(0, this.count),
      price: this.price.subarray(0, this.count),
      commission: this.commission.subarray(0, this.count),
    };
  }

  #grow(): void {
    this.bar = grown(this.bar, new Int32Array(this.bar.length * 4));
    this.traded = grown(this.traded, new Float64Array(this.traded.length * 4));
    this.price = grown(this.price, new Float64Array(this.price.length * 4));
    this.commission = grown(this.commission, new Float64Array(this.commission.length * 4));
  }
}

export function grown<Column extends Float64Array | Int32Array | Uint8Array>(
  column: Column,
  larger: Column,
): Column {
  larger.set(column);
  return larger;
}

const CAPACITY = 1_024;
