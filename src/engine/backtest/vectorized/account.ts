// Cash, positions and their newest prices in numbers. Booked with the arithmetic of applyFill, valued as
// valuePortfolio does.
import { micro } from '#units/money.ts';
import { roundHalfEven } from '#units/round.ts';
import { IndexList } from './index-list.ts';
import type { MarksNow, Slots } from './slots.ts';

export class Account implements MarksNow {
  cash: number;
  /** Signed, whole 1e-8 units, by number of the instrument. */
  quantity = new Float64Array(FEW);
  /** Of the quantity, signed like it, in the quote currency. */
  cost = new Float64Array(FEW);
  /** The instruments held, in the order in which they were opened. */
  readonly held = new IndexList();
  /** The row whose closes are the newest prices; -1 before the first. */
  markedRow = -1;
  /** As of the last `revalue`. */
  equity: number;
  gross = 0;
  #isValued = false;
  readonly slots: Slots;
  #isHeld = new Uint8Array(FEW);
  /** Prices that are newer than those of the marked row. */
  readonly #newer = new IndexList();
  #newerPrice = new Float64Array(FEW).fill(Number.NaN);

  constructor(slots: Slots, cash: number) {
    this.slots = slots;
    this.cash = cash;
    this.equity = cash;
    this.makeRoom();
  }

  /** For every instrument that there is by now. */
  makeRoom(): void {
    const { count } = this.slots;
    if (count <= this.quantity.length) return;
    this.quantity = grown(this.quantity, new Float64Array(count * 2));
    this.cost = grown(this.cost, new Float64Array(count * 2));
    this.#isHeld = grown(this.#isHeld, new Uint8Array(count * 2));
    this.#newerPrice = grown(this.#newerPrice, new Float64Array(count * 2).fill(Number.NaN));
  }

  isHeld(s: number): boolean {
    return this.#isHeld[s] === 1;
  }

  of(s: number): number {
    if (this.#newer.count > 0 && s >= 0) {
      const newer = this.#newerPrice[s]!;
      if (newer === newer) return newer;
    }
    const slot = s < 0 || this.markedRow < 0 ? null : this.slots.at(s);
    return slot === null ? Number.NaN : slot.mark(this.markedRow);
  }

  /** The closes of a row become the newest prices; an invalid close keeps the price known before. */
  markAt(row: number): void {
    this.markedRow = row;
    this.#isValued = false;
    let kept = 0;
    for (let i = 0; i < this.#newer.count; i++) {
      const s = this.#newer.at(i);
      if (this.slots.traded(s).isPricedAt(row)) this.#newerPrice[s] = Number.NaN;
      else this.#newer.put(kept++, s);
    }
    this.#newer.cut(kept);
  }

  /** The same where closes up to this row are known to be newer than all else. */
  markFresh(row: number): void {
    this.markedRow = row;
    this.#isValued = false;
    for (let i = 0; i < this.#newer.count; i++) this.#newerPrice[this.#newer.at(i)] = Number.NaN;
    this.#newer.cut(0);
  }

  /** Whether the close of a row leaves a price that is newer than closes. */
  keepsNewer(row: number): boolean {
    for (let i = 0; i < this.#newer.count; i++) {
      if (!this.slots.traded(this.#newer.at(i)).isPricedAt(row)) return true;
    }
    return false;
  }

  /** A price that is newer than the closes of the marked row. */
  markNewer(s: number, price: number): void {
    this.#isValued = false;
    const known = this.#newerPrice[s]!;
    if (known !== known) this.#newer.add(s);
    this.#newerPrice[s] = price;
  }

  /** Computes equity and gross exposure from the newest prices. */
  revalue(): void {
    if (this.#isValued) return;
    this.#isValued = true;
    let positions = 0;
    let gross = 0;
    for (let i = 0; i < this.held.count; i++) {
      const s = this.held.at(i);
      const slot = this.slots.traded(s);
      const mark = this.of(s);
      let worth = roundHalfEven((this.quantity[s]! * mark * slot.multiplier) / 100);
      if (slot.isCash) positions += worth;
      else {
        const profit = worth - this.cost[s]!;
        const rate = this.slots.rate(slot, mark, this);
        positions += rate === 1 ? profit : roundHalfEven(profit * rate);
        if (rate !== 1) worth = roundHalfEven(worth * rate);
      }
      gross += Math.abs(worth);
    }
    this.equity = this.cash + positions;
    this.gross = gross;
  }

  /** Books a fill; what it realised in dollars, before commission. */
  book(s: number, traded: number, price: number, commission: number): number {
    const slot = this.slots.traded(s);
    const { multiplier, isCash, isDollar, instrument } = slot;
    if (isCash && !isDollar)
      throw new RangeError(
        `${slot.symbol} is quoted in ${instrument.currency}: only dollar prices settle in cash`,
      );
    const paid = roundHalfEven((traded * price * multiplier) / 100);
    const before = this.quantity[s]!;
    const costBefore = this.cost[s]!;
    const after = before + traded;
    let cost = 0;
    let profit = 0;
    if (this.#isHeld[s] === 0) cost = paid;
    else if (before > 0 === traded > 0 && before !== 0) cost = costBefore + paid;
    else if (after === 0 || after > 0 === traded > 0) {
      cost = roundHalfEven((after * price * multiplier) / 100);
      profit = cost - paid - costBefore;
    } else {
      cost = roundHalfEven((costBefore * after) / before);
      profit = cost - costBefore - paid;
    }
    const rate = isDollar ? 1 : this.slots.rate(slot, price, this);
    if (rate !== 1) profit = roundHalfEven(profit * rate);
    this.pay(profit - (isCash ? cost - costBefore : 0) - commission);
    this.#hold(s, after, cost);
    return profit;
  }

  /** Adds to cash; negative takes from it. */
  pay(amount: number): void {
    this.cash = micro(this.cash + amount);
    this.#isValued = false;
  }

  /** New units for old. */
  split(s: number, ratio: number): void {
    this.#isValued = false;
    const held = this.quantity[s]!;
    this.quantity[s] = held + roundHalfEven(held * (ratio - 1));
  }

  #hold(s: number, quantity: number, cost: number): void {
    if (quantity === 0) {
      this.held.remove(s);
      this.#isHeld[s] = 0;
    } else if (this.#isHeld[s] === 0) {
      this.held.add(s);
      this.#isHeld[s] = 1;
    }
    this.quantity[s] = quantity;
    this.cost[s] = quantity === 0 ? 0 : cost;
  }
}

function grown<Column extends Float64Array | Uint8Array>(from: Column, to: Column): Column {
  to.set(from);
  return to;
}

/** Instruments; more are made room for. */
const FEW = 8;
