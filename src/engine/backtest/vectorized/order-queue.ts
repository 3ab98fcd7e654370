// The orders at the venue, oldest first. While they meet a bar, those that have met it and those that are left are kept
// apart: only what is left, or waits, is still working.
import type { WorkingOrder } from './claims.ts';

export type QueuedOrder = WorkingOrder & {
  /** Whether it was against what was held when it was written. */
  readonly reduces: boolean;
};

export class OrderQueue {
  /** How many working orders reduce what is held. */
  reducing = 0;
  readonly #orders: QueuedOrder[] = [];
  /** Working orders by number of their instrument. */
  #count = new Int32Array(16);
  #kept = 0;
  #next = 0;

  get isEmpty(): boolean {
    return this.#orders.length === 0;
  }

  add(order: QueuedOrder): void {
    this.#orders.push(order);
    if (order.s >= this.#count.length) {
      const wider = new Int32Array(order.s * 2);
      wider.set(this.#count);
      this.#count = wider;
    }
    this.#change(order, 1);
  }

  isWorking(s: number): boolean {
    return this.#orders.length > 0 && this.#count[s]! > 0;
  }

  /** What working orders of this side would trade in an instrument, signed. */
  tradedAlready(s: number, side: number): number {
    if (!this.isWorking(s)) return 0;
    let traded = 0;
    for (let i = 0; i < this.#orders.length; i++) {
      const order = this.#orders[i]!;
      if (this.#isWorkingAt(i) && order.s === s && Math.sign(order.traded) === side) traded += order.traded;
    }
    return traded;
  }

  /** Every order that is working, one after the other: the next one from a place on, with its place. */
  workingFrom(place: number): number {
    let i = place;
    while (i < this.#orders.length && !this.#isWorkingAt(i)) i++;
    return i < this.#orders.length ? i : -1;
  }

  at(place: number): QueuedOrder {
    return this.#orders[place]!;
  }

  /** The next order to meet a bar, taken out unless it is kept; null when each has, and the bar is over. */
  take(): QueuedOrder | null {
    if (this.#next === this.#orders.length) {
      this.#orders.length = this.#kept;
      this.#kept = 0;
      this.#next = 0;
      return null;
    }
    const order = this.#orders[this.#next++]!;
    this.#change(order, -1);
    return order;
  }

  /** The order that was taken last waits for another bar. */
  keep(order: QueuedOrder): void {
    this.#orders[this.#kept++] = order;
    this.#change(order, 1);
  }

  /** Takes out the orders of one instrument, one by one. */
  withdraw(s: number, ended: (order: QueuedOrder) => void): void {
    if (!this.isWorking(s)) return;
    for (const order of this.#orders.filter((one) => one.s === s)) {
      this.#orders.splice(this.#orders.indexOf(order), 1);
      this.#change(order, -1);
      ended(order);
    }
  }

  #isWorkingAt(place: number): boolean {
    return place < this.#kept || place >= this.#next;
  }

  #change(order: QueuedOrder, by: 1 | -1): void {
    this.#count[order.s]! += by;
    if (order.reduces) this.reducing += by;
  }
}
