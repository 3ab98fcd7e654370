// The orders at the venue, oldest first, as columns. While they meet a bar, those that have met it and those that are
// left do not count here: only what is left, or waits, is still working.

export class OrderQueue {
  /** How many working orders reduce what is held. */
  reducing = 0;
  /** The order that was taken last. */
  s = -1;
  /** Signed. */
  traded = 0;
  limitPrice = 0;
  #length = 0;
  #slots = new Int32Array(FEW);
  #traded = new Float64Array(FEW);
  #limits = new Float64Array(FEW);
  #reduces = new Uint8Array(FEW);
  /** Working orders by number of their instrument. */
  #count = new Int32Array(FEW);
  #kept = 0;
  #next = 0;

  get isEmpty(): boolean {
    return this.#length === 0;
  }

  /** `reduces`: whether it is against what is held. */
  add(s: number, traded: number, limitPrice: number, reduces: boolean): void {
    if (this.#length === this.#slots.length) this.#makeRoom();
    if (s >= this.#count.length) this.#count = grown(this.#count, new Int32Array(s * 2));
    const at = this.#length++;
    this.#slots[at] = s;
    this.#traded[at] = traded;
    this.#limits[at] = limitPrice;
    this.#reduces[at] = reduces ? 1 : 0;
    this.#change(at, 1);
  }

  isWorking(s: number): boolean {
    return this.#length > 0 && this.#count[s]! > 0;
  }

  /** What working orders of this side would trade in an instrument, signed. */
  tradedAlready(s: number, isBuy: boolean): number {
    if (!this.isWorking(s)) return 0;
    let traded = 0;
    for (let at = this.workingFrom(0); at >= 0; at = this.workingFrom(at + 1)) {
      const one = this.#traded[at]!;
      if (this.#slots[at] === s && one > 0 === isBuy) traded += one;
    }
    return traded;
  }

  /** The place of the next order from a place on that is working; -1 after the last. */
  workingFrom(place: number): number {
    let at = place;
    while (at < this.#length && at >= this.#kept && at < this.#next) at++;
    return at < this.#length ? at : -1;
  }

  /** Reads the order at a place into `s`, `traded` and `limitPrice`. */
  read(place: number): void {
    this.s = this.#slots[place]!;
    this.traded = this.#traded[place]!;
    this.limitPrice = this.#limits[place]!;
  }

  /** Reads the next order to meet a bar and takes it out; false when each has met it, and the bar is over. */
  take(): boolean {
    if (this.#next === this.#length) {
      this.#length = this.#kept;
      this.#kept = 0;
      this.#next = 0;
      return false;
    }
    this.#change(this.#next, -1);
    this.read(this.#next++);
    return true;
  }

  /** The order that was taken last waits for another bar. */
  keep(): void {
    this.#move(this.#next - 1, this.#kept);
    this.#change(this.#kept++, 1);
  }

  /** Takes out the orders of one instrument, oldest first, and tells of each. */
  withdraw(s: number, ended: (traded: number) => void): void {
    let left = this.#count[s] ?? 0;
    for (let at = 0; at < this.#length && left > 0; ) {
      if (this.#slots[at] !== s) {
        at++;
        continue;
      }
      const traded = this.#traded[at]!;
      this.#change(at, -1);
      for (let i = at + 1; i < this.#length; i++) this.#move(i, i - 1);
      this.#length--;
      left--;
      ended(traded);
    }
  }

  #move(from: number, to: number): void {
    this.#slots[to] = this.#slots[from]!;
    this.#traded[to] = this.#traded[from]!;
    this.#limits[to] = this.#limits[from]!;
    this.#reduces[to] = this.#reduces[from]!;
  }

  #change(at: number, by: 1 | -1): void {
    this.#count[this.#slots[at]!]! += by;
    this.reducing += this.#reduces[at]! * by;
  }

  #makeRoom(): void {
    const length = this.#length * 4;
    this.#slots = grown(this.#slots, new Int32Array(length));
    this.#traded = grown(this.#traded, new Float64Array(length));
    this.#limits = grown(this.#limits, new Float64Array(length));
    this.#reduces = grown(this.#reduces, new Uint8Array(length));
  }
}

function grown<Column extends Float64Array | Int32Array | Uint8Array>(from: Column, to: Column): Column {
  to.set(from);
  return to;
}

const FEW = 8;
