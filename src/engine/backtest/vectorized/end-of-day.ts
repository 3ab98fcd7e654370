// What the end of a session does to what is held, in numbers: splits, dividends, financing, settlements and deliveries,
// in the order of the replay. `nextRow` says how long nothing of it can happen.
import type { Micro } from '#units/money.ts';
import type { Quantity } from '#units/quantity.ts';
import { roundHalfEven } from '#units/round.ts';
import type { CorporateAction } from '../../market/corporate-action.ts';
import { deliveryLegs } from '../../market/derivatives/delivery-legs.ts';
import { KIND_RULES } from '../../market/kinds/rules-of.ts';
import { intrinsicValue } from '../../market/option-contract.ts';
import { type Delivery, isDelivery, type PositionEvent } from '../../market/position-event.ts';
import type { BacktestInput } from '../settings.ts';
import type { Account } from './account.ts';
import { ActionRows } from './action-rows.ts';
import type { FillLog } from './fill-log.ts';
import { IndexList } from './index-list.ts';
import type { OrderQueue } from './orders/order-queue.ts';
import type { SessionDates } from './session-dates.ts';
import type { Slot } from './slot.ts';

/** Of an order that was withdrawn: its instrument and what it would have traded, signed. */
type Ended = (s: number, traded: number, row: number) => void;

export class EndOfDay {
  readonly #account: Account;
  readonly #orders: OrderQueue;
  readonly #dates: SessionDates;
  readonly #fills: FillLog;
  readonly #series: BacktestInput['series'];
  readonly #ended: Ended;
  readonly #hasOptions: boolean;
  readonly #actions: ActionRows;
  readonly #passed = new IndexList();
  /** By number of a contract the row from which it settles. */
  readonly #settlementRows = new Map<number, number>();

  /** `ended` hears of each order that is withdrawn. */
  constructor(
    account: Account,
    {
      orders,
      dates,
      fills,
      series,
      ended,
      hasOptions,
    }: {
      readonly orders: OrderQueue;
      readonly dates: SessionDates;
      readonly fills: FillLog;
      readonly series: BacktestInput['series'];
      readonly ended: Ended;
      readonly hasOptions: boolean;
    },
  ) {
    this.#account = account;
    this.#orders = orders;
    this.#dates = dates;
    this.#actions = new ActionRows(dates);
    this.#fills = fills;
    this.#series = series;
    this.#ended = ended;
    this.#hasOptions = hasOptions;
  }

  /** The first row from `from` on, at most `to`, whose end may change a holding. */
  nextRow(from: number, to: number): number {
    let next = to;
    const { held, slots } = this.#account;
    for (let i = 0; i < held.count; i++) {
      const slot = slots.traded(held.at(i));
      if (slot.hasEndOfDay) next = this.#nextRowOf(slot, from, next);
    }
    return next;
  }

  /** The session of a row ends, of which `nextRow` says that something may happen. */
  pass(row: number): void {
    const { held } = this.#account;
    if (held.count === 1 && !this.#hasOptions) {
      this.#passOne(held.at(0), row);
      return;
    }
    // What is held may change on the way: shares may be called away by the options before them.
    const passed = this.#passed;
    if (this.#hasOptions) passed.copyFrom(this.#optionsFirst());
    else held.copyTo(passed);
    for (let i = 0; i < passed.count; i++) {
      const s = passed.at(i);
      if (this.#account.isHeld(s)) this.#passOne(s, row);
    }
  }

  #passOne(s: number, row: number): void {
    const slot = this.#account.slots.traded(s);
    if (this.#nextRowOf(slot, row, row + 1) !== row) return;
    if (slot.instrument.kind === 'equity') this.#passActions(slot, row);
    else for (const event of this.#eventsOf(slot, row)) this.#happen(s, event, row);
  }

  #nextRowOf(slot: Slot, from: number, to: number): number {
    switch (slot.instrument.kind) {
      case 'crypto':
        return to;
      case 'equity':
        return slot.hasEndOfDay ? Math.min(to, this.#actions.next(slot, from)) : to;
      case 'forex':
        return Math.min(to, slot.nextDayEnd(from));
      case 'futures':
        return Math.min(to, slot.nextDayEnd(Math.max(from, this.#settlementOf(slot))));
      case 'options': {
        for (let row = from; row < to; row++) {
          row = slot.nextDayEnd(row);
          if (row < to && this.#mayEnd(slot, row)) return row;
        }
        return to;
      }
    }
  }

  /** False where an option surely neither ends nor is exercised after the session of a row. */
  #mayEnd(slot: Slot, row: number): boolean {
    const { option } = slot;
    if (option === null || row >= this.#settlementOf(slot)) return true;
    if (option.settlement === 'cash') return false;
    const shares = this.#account.slots.traded(this.#account.slots.find(option.underlying));
    const worth = intrinsicValue(option, shares.bars.close[shares.barAt(row)]!);
    if (worth === 0) return false;
    if (option.right === 'put') return true;
    // A call is exercised before a dividend only.
    const sameDays = shares.instrument.calendar === slot.instrument.calendar;
    return !sameDays || this.#actions.next(shares, row) === row;
  }

  #eventsOf(slot: Slot, row: number): readonly PositionEvent[] {
    const account = this.#account;
    const { instrument, bars } = slot;
    const { overnight } = KIND_RULES[instrument.kind];
    if (overnight === null) return [];
    const close = bars.close[slot.barAt(row)]!;
    const date = this.#dates.of(row);
    return overnight({
      instrument,
      held: account.quantity[slot.index]! as Quantity,
      date,
      next: this.#dates.next(instrument.calendar, date),
      close,
      rate: account.slots.rate(slot, close, account),
      actions: NO_ACTIONS,
      underlying: this.#underlyingOf(slot, row),
    });
  }

  /** As market/kinds/equity.ts has it, without an event for each. */
  #passActions(slot: Slot, row: number): void {
    const account = this.#account;
    const s = slot.index;
    let mark = slot.bars.close[slot.barAt(row)]!;
    const { splits, amounts } = this.#actions.columnsOf(slot);
    let i = this.#actions.placeOf(slot);
    do {
      const amount = amounts[i]!;
      const isSplit = splits[i] === 1;
      if (isSplit) this.#withdraw(s, row);
      const held = account.quantity[s]!;
      mark = isSplit ? mark / amount : mark - amount;
      if (held !== 0) {
        if (isSplit) {
          account.split(s, amount);
          this.#fills.split(s, amount);
        } else this.#pay(s, roundHalfEven((held * amount) / 100), row);
        if (mark > 0) account.markNewer(s, mark);
      }
      i++;
    } while (this.#actions.isOf(row, slot, i));
  }

  #withdraw(s: number, row: number): void {
    this.#orders.withdraw(s, (traded) => this.#ended(s, traded, row));
  }

  #pay(s: number, amount: number, row: number): void {
    this.#account.pay(amount);
    this.#fills.credit(row, s, amount);
  }

  #underlyingOf({ option }: Slot, row: number) {
    if (option === null) return null;
    const s = this.#account.slots.find(option.underlying);
    const shares = this.#account.slots.traded(s);
    return {
      close: shares.bars.close[shares.barAt(row)]!,
      actions: this.#series.get(option.underlying)?.actions ?? [],
      held: (this.#account.quantity[s] ?? 0) as Quantity,
    };
  }

  #happen(s: number, event: PositionEvent, row: number): void {
    const account = this.#account;
    // Orders that were decided in the old units, or in what no longer trades, are withdrawn.
    if (event.type !== 'dividend' && event.type !== 'swap') this.#withdraw(s, row);
    const held = account.quantity[s]!;
    if (held === 0) return;
    if (isDelivery(event)) {
      this.#deliver(s, event, row);
      return;
    }
    switch (event.type) {
      case 'split':
        account.split(s, event.ratio);
        this.#fills.split(s, event.ratio);
        break;
      case 'dividend':
      case 'swap':
        this.#pay(s, roundHalfEven((held * event.perUnit) / 100), row);
        break;
      case 'expiry': {
        const profit = account.book(s, -held, event.price, 0);
        this.#fills.add(row, s, -held, event.price, 0, profit);
        break;
      }
    }
    const markAfter = event.type === 'expiry' ? event.price : event.markAfter;
    if (markAfter > 0) account.markNewer(s, markAfter);
  }

  #deliver(s: number, event: Delivery, row: number): void {
    const account = this.#account;
    const held = account.quantity[s]!;
    const part = Math.min(1, event.contracts / held);
    const cost = Math.sign(held) === Math.sign(event.contracts) ? roundHalfEven(account.cost[s]! * part) : 0;
    for (const { symbol, side, quantity, price } of deliveryLegs(event, cost as Micro)) {
      const of = account.slots.find(symbol);
      const traded = side === 'buy' ? quantity : -quantity;
      const profit = account.book(of, traded, price, 0);
      this.#fills.add(row, of, traded, price, 0, profit);
    }
  }

  /** Who held the shares that evening is known once deliveries are. */
  #optionsFirst(): number[] {
    const { slots } = this.#account;
    const held = this.#account.held.list();
    const options = held.filter((s) => slots.traded(s).option !== null);
    const delivered = options.map((s) => slots.find(slots.traded(s).option!.underlying));
    return [...new Set([...options, ...held, ...delivered])];
  }

  #settlementOf(slot: Slot): number {
    let row = this.#settlementRows.get(slot.index);
    if (row === undefined) this.#settlementRows.set(slot.index, (row = this.#dates.settlementRow(slot)));
    return row;
  }
}

const NO_ACTIONS: readonly CorporateAction[] = [];
