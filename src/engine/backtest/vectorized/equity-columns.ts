// Equity, cash and exposure at each close, written in whole stretches while what is held stays the same.
import { roundHalfEven } from '#units/round.ts';
import type { RowRange } from '../settings.ts';
import type { Account } from './account.ts';
import type { Slot } from './slot.ts';

export class EquityColumns {
  readonly equity: Float64Array;
  readonly cash: Float64Array;
  readonly exposure: Float64Array;
  /** The row of the first value. */
  readonly first: number;
  readonly #account: Account;

  constructor(account: Account, { first, end }: RowRange) {
    const rows = Math.max(0, end - first);
    // In one piece: many short backtests ask for many of them.
    const values = new Float64Array(3 * rows);
    this.equity = values.subarray(0, rows);
    this.cash = values.subarray(rows, 2 * rows);
    this.exposure = values.subarray(2 * rows);
    this.first = first;
    this.#account = account;
  }

  /** One row, at the newest prices. */
  writeRow(row: number): void {
    this.#account.revalue();
    const at = row - this.first;
    this.equity[at] = this.#account.equity;
    this.cash[at] = this.#account.cash;
    this.exposure[at] = this.#account.gross;
  }

  /** The rows from `from` up to, not including, `to`, at their own closes. */
  writeRows(from: number, to: number): void {
    const start = from - this.first;
    const end = to - this.first;
    if (end <= start) return;
    const { cash, held, slots } = this.#account;
    if (held.count === 1) {
      const slot = slots.traded(held.at(0));
      if (slot.isCash && this.#writeOnly(slot, start, end)) return;
    }
    const { equity, exposure, cash: money } = this;
    for (let i = start; i < end; i++) {
      equity[i] = cash;
      money[i] = cash;
      exposure[i] = 0;
    }
    for (let i = 0; i < held.count; i++) {
      const slot = slots.traded(held.at(i));
      if (slot.isCash) this.#addWorth(slot, start, end);
      else this.#addProfit(slot, start, end);
    }
  }

  /** Values all holdings in one pass; false when one of the closes is invalid. */
  #writeOnly(slot: Slot, start: number, end: number): boolean {
    const { equity, cash, exposure } = this;
    const money = this.#account.cash;
    const quantity = this.#account.quantity[slot.index]!;
    const { multiplier, marks } = slot;
    const shift = this.first - slot.base;
    let bad = 0;
    for (let i = start; i < end; i++) {
      const price = marks[i + shift]!;
      if (!(price > 0 && price < Number.POSITIVE_INFINITY)) bad++;
      const worth = roundHalfEven((quantity * price * multiplier) / 100);
      equity[i] = money + worth;
      cash[i] = money;
      exposure[i] = Math.abs(worth);
    }
    return bad === 0;
  }

  #addWorth(slot: Slot, start: number, end: number): void {
    const { equity, exposure } = this;
    const quantity = this.#account.quantity[slot.index]!;
    const { multiplier } = slot;
    const side = quantity > 0 ? 1 : -1;
    const shift = this.first - slot.base;
    let { marks } = slot;
    for (let i = start; i < end; i++) {
      let price = marks[i + shift]!;
      if (!(price > 0 && price < Number.POSITIVE_INFINITY)) {
        price = slot.mark(i + this.first);
        ({ marks } = slot);
      }
      const worth = roundHalfEven((quantity * price * multiplier) / 100);
      equity[i] = equity[i]! + worth;
      exposure[i] = exposure[i]! + worth * side;
    }
  }

  #addProfit(slot: Slot, start: number, end: number): void {
    const { equity, exposure } = this;
    const { slots } = this.#account;
    const quantity = this.#account.quantity[slot.index]!;
    const cost = this.#account.cost[slot.index]!;
    for (let i = start; i < end; i++) {
      const row = i + this.first;
      const price = slot.mark(row);
      const rate = slots.rateAt(slot, price, row);
      const worth = roundHalfEven((quantity * price * slot.multiplier) / 100);
      equity[i] = equity[i]! + (rate === 1 ? worth - cost : roundHalfEven((worth - cost) * rate));
      exposure[i] = exposure[i]! + Math.abs(rate === 1 ? worth : roundHalfEven(worth * rate));
    }
  }
}
