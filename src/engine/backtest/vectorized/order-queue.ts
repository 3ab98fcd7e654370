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
  readonly #count = new Map<number, number>();
  #kept = 0;
  #next = 0;

  get isEmpty(): boolean {
    return this.#orders.length === 0;
  }

  add(order: QueuedOrder): void {
    this.#orders.push(order);
    this.#change(order, 1);
  }

  isWorking(s: number): boolean {
    return this.#orders.length > 0 && (this.#count.get(s) ?? 0) > 0;
  }

  /** What working orders of this side would trade in an instrument, signed. */
  tradedAlready(s: number, side: number): number {
    let traded = 0;
    if (!this.isWorking(s)) return traded;
    this.forEach((order) => {
      if (order.s === s && Math.sign(order.traded) === side) traded += order.traded;
    });
    return traded;
  }

  forEach(visit: (order: QueuedOrder) => void): void {
    for (let i = 0; i < this.#kept; i++) visit(this.#orders[i]!);
    for (let i = this.#next; i < this.#orders.length; i++) visit(this.#orders[i]!);
  }

  /**
   * Each order in turn: kept while `waits` says so, else taken out and given to `meet`, which may add orders that then
   * meet the same bar.
   */
  meet(waits: ((order: QueuedOrder) => boolean) | null, meet: (order: QueuedOrder) => void): void {
    const orders = this.#orders;
    for (let i = 0; i < orders.length; i++) {
      const order = orders[i]!;
      this.#next = i + 1;
      if (waits?.(order)) orders[this.#kept++] = order;
      else {
        this.#change(order, -1);
        meet(order);
      }
    }
    orders.length = this.#kept;
    this.#kept = 0;
    this.#next = 0;
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

  #change(order: QueuedOrder, by: 1 | -1): void {
    this.#count.set(order.s, (this.#count.get(order.s) ?? 0) + by);
    if (order.reduces) this.reducing += by;
  }
}
