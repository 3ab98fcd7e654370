// What new prices call for, in numbers: the freeze, margin calls and stop losses of rebalance/on-marks.ts and
// rebalance/revalue.ts.
import type { Symbol } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';
import type { Micro } from '#units/money.ts';
import { roundHalfEven } from '#units/round.ts';
import type { Notice } from '../../deployment-state.ts';
import { drawdownPercent, passesFreeze } from '../../risk/freeze.ts';
import type { Limits } from '../../risk/limits.ts';
import type { BacktestResult } from '../result.ts';
import type { Account } from './account.ts';
import { uncoveredCalls } from './orders/cover.ts';
import type { EquityColumns } from './equity-columns.ts';
import type { OrderQueue } from './orders/order-queue.ts';
import type { OrderWriter } from './orders/order-writer.ts';
import type { Rebalancer } from './orders/rebalancer.ts';

export class Guard {
  readonly notices: BacktestResult['notices'][number][] = [];
  readonly #account: Account;
  readonly #orders: OrderQueue;
  readonly #rebalancer: Rebalancer;
  readonly #writer: OrderWriter;
  readonly #limits: Limits;
  readonly #hasOptions: boolean;
  #peak: number;

  constructor(
    account: Account,
    {
      orders,
      rebalancer,
      writer,
      limits,
      hasOptions,
    }: {
      readonly orders: OrderQueue;
      readonly rebalancer: Rebalancer;
      readonly writer: OrderWriter;
      readonly limits: Limits;
      readonly hasOptions: boolean;
    },
  ) {
    this.#account = account;
    this.#orders = orders;
    this.#rebalancer = rebalancer;
    this.#writer = writer;
    this.#limits = limits;
    this.#hasOptions = hasOptions;
    this.#peak = account.cash;
  }

  /** Whether a higher or lower equity changes anything. */
  get watchesEquity(): boolean {
    return this.#limits.freezeOnDrawdownPercent > 0 && !this.#writer.isFrozen;
  }

  /** Values the account and freezes it when it has fallen too far from the peak. */
  revalue(row: number): void {
    this.#account.revalue();
    this.#lookAt(this.#account.equity, row);
  }

  /** The same along equity that was written already: rows from `from` up to, not including, `to`. */
  followEquity({ equity, first }: EquityColumns, from: number, to: number): void {
    if (this.#limits.freezeOnDrawdownPercent <= 0 || this.#writer.isFrozen) return;
    for (let row = from; row < to; row++) this.#lookAt(equity[row - first]!, row);
  }

  /** New closes: exits are ordered where a limit or a margin asks for them. */
  onMarks(row: number): void {
    const account = this.#account;
    const { stopLossPercentage, freezeOnDrawdownPercent } = this.#limits;
    const isExposed = this.isExposed;
    if (stopLossPercentage <= 0 && freezeOnDrawdownPercent <= 0 && !isExposed && !this.#hasOptions) return;
    this.revalue(row);
    if (account.held.count === 0) return;
    const called = isExposed ? this.#closedForMargin() : NOBODY;
    const uncovered = this.#hasOptions ? uncoveredCalls(account) : NOTHING;
    if (stopLossPercentage <= 0 && called.length + uncovered.length === 0) return;
    for (const s of called) {
      if (!this.#closeWhole(s)) continue;
      this.#tell(row, { type: 'margin_call', symbol: this.#symbol(s) });
      this.#rebalancer.stopOut(s);
    }
    for (const { s, contracts } of uncovered) {
      if (this.#orders.isWorking(s)) continue;
      if (this.#writer.exit(s, contracts)) this.#tell(row, { type: 'margin_call', symbol: this.#symbol(s) });
    }
    if (stopLossPercentage > 0) this.#stopLosses(row);
  }

  /** Whether there are written calls that no shares cover: these are checked at every close. */
  get owesCover(): boolean {
    return this.#hasOptions && uncoveredCalls(this.#account).length > 0;
  }

  /** Whether anything is held that could be called for margin. */
  get isExposed(): boolean {
    const { held, quantity, slots } = this.#account;
    for (let i = 0; i < held.count; i++) {
      const s = held.at(i);
      if (quantity[s]! < 0 || !slots.traded(s).isCash) return true;
    }
    return false;
  }

  /** The first row from `from` on, at most `to`, in which a stop loss is passed. */
  firstStop(from: number, to: number): number {
    if (this.#limits.stopLossPercentage <= 0) return to;
    let first = to;
    const { held } = this.#account;
    for (let i = 0; i < held.count; i++) first = this.#firstStopOf(held.at(i), from, first);
    return first;
  }

  /**
   * The first row from `from` on, at most `to`, in which margin might be short, by equity and exposure already written:
   * the caller then checks that row exactly.
   */
  firstMarginLook({ equity, exposure, first }: EquityColumns, from: number, to: number): number {
    if (!this.isExposed) return to;
    const { held, slots } = this.#account;
    let most = 0;
    for (let i = 0; i < held.count; i++) most = Math.max(most, slots.traded(held.at(i)).maintenance);
    for (let row = from; row < to; row++) {
      if (exposure[row - first]! * most + held.count > equity[row - first]!) return row;
    }
    return to;
  }

  #lookAt(equity: number, row: number): void {
    if (this.#limits.freezeOnDrawdownPercent <= 0 || this.#writer.isFrozen) return;
    if (equity > this.#peak) this.#peak = equity;
    const percent = drawdownPercent(this.#peak as Micro, equity as Micro);
    if (!passesFreeze(this.#limits, percent)) return;
    this.#writer.isFrozen = true;
    this.#tell(row, { type: 'frozen', drawdownPercent: percent });
  }

  #closedForMargin(): readonly number[] {
    const { held, quantity, slots, equity } = this.#account;
    const asked = held.list().map((s) => {
      const slot = slots.traded(s);
      const mark = this.#account.of(s);
      const rate = slots.rate(slot, mark, this.#account);
      let worth = roundHalfEven((quantity[s]! * mark * slot.multiplier) / 100);
      if (rate !== 1) worth = roundHalfEven(worth * rate);
      return { s, symbol: slot.symbol, maintenance: roundHalfEven(Math.abs(worth) * slot.maintenance) };
    });
    let total = asked.reduce((sum, { maintenance }) => sum + maintenance, 0);
    if (total <= equity) return NOBODY;
    asked.sort((a, b) => b.maintenance - a.maintenance || (a.symbol < b.symbol ? -1 : 1));
    const closed: number[] = [];
    for (const { s, maintenance } of asked) {
      if (total <= equity || maintenance === 0) break;
      closed.push(s);
      total -= maintenance;
    }
    return closed;
  }

  #stopLosses(row: number): void {
    const account = this.#account;
    for (let i = 0; i < account.held.count; i++) {
      const s = account.held.at(i);
      const loss = this.#lossPercent(s, account.of(s));
      if (account.slots.traded(s).option !== null || loss < this.#limits.stopLossPercentage) continue;
      if (!this.#closeWhole(s)) continue;
      if (!this.#rebalancer.isStoppedOut(s))
        this.#tell(row, { type: 'stop_loss', symbol: this.#symbol(s), lossPercent: loss });
      this.#rebalancer.stopOut(s);
    }
  }

  #lossPercent(s: number, mark: number): number {
    const cost = this.#account.cost[s]!;
    const { multiplier } = this.#account.slots.traded(s);
    const worth = roundHalfEven((this.#account.quantity[s]! * mark * multiplier) / 100);
    return cost === 0 ? 0 : ((cost - worth) / Math.abs(cost)) * 100;
  }

  #firstStopOf(s: number, from: number, to: number): number {
    const slot = this.#account.slots.traded(s);
    const cost = this.#account.cost[s]!;
    if (slot.option !== null || cost === 0) return to;
    const { marks, base } = slot;
    const unit = (this.#account.quantity[s]! * slot.multiplier) / 100;
    // Beyond this price no rounding makes it a loss that large.
    const size = Math.abs(cost);
    const safe = (cost - (size * this.#limits.stopLossPercentage) / 100 + size * SLACK + 1) / unit;
    const [above, below] =
      unit > 0 ? [safe * (1 + SLACK), Number.POSITIVE_INFINITY] : [0, safe * (1 - SLACK)];
    for (let row = from; row < to; row++) {
      const price = marks[row - base]!;
      if (price > above && price < below) continue;
      const mark = slot.mark(row);
      if (this.#lossPercent(s, mark) >= this.#limits.stopLossPercentage) return row;
      // The column was replaced: what is read from it is, too.
      if (mark !== price) return this.#firstStopOf(s, row + 1, to);
    }
    return to;
  }

  /** Orders a position closed, and the options on it; false when an order works already or it is not approved. */
  #closeWhole(s: number): boolean {
    const { held, quantity, slots } = this.#account;
    if (this.#orders.isWorking(s)) return false;
    if (!this.#writer.exit(s, -quantity[s]!)) return false;
    if (!this.#hasOptions) return true;
    const { symbol } = slots.traded(s);
    for (const other of held.list()) {
      if (slots.traded(other).option?.underlying === symbol) this.#writer.exit(other, -quantity[other]!);
    }
    return true;
  }

  #symbol(s: number): Symbol {
    return this.#account.slots.traded(s).symbol;
  }

  #tell(row: number, notice: Notice): void {
    this.notices.push({ at: this.#account.slots.timeline[row]! as Instant, notice });
  }
}

const NOBODY: readonly number[] = [];
const NOTHING: ReturnType<typeof uncoveredCalls> = [];
/** A share larger than all roundings together. */
const SLACK = 1e-9;
