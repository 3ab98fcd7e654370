// Follows targets on a universe in arrays: rebalance/rebalance.ts and the venue's matching, for a deployment
// without limits. Bit for bit the same orders, cuts, refusals and fills.
import { limitPrice } from '../../order/limit-price.ts';
import type { RefusalCode } from '../../order/order.ts';
import { ROUNDING } from '../../rebalance/order-builder.ts';
import { priceAgainst, priceWithin } from '../simulated-venue.ts';
import { claimOf, type ColumnClaim, type ColumnOrder, commissionAt, worthAt } from './column-budget.ts';
import type { ColumnFills } from './column-fills.ts';
import type { ColumnHoldings } from './column-holdings.ts';
import type { ColumnMarket } from './column-market.ts';

export class ColumnDesk {
  readonly refusals = new Map<RefusalCode, number>();
  readonly #market: ColumnMarket;
  readonly #holdings: ColumnHoldings;
  readonly #fills: ColumnFills;
  /** Per instrument: the number of the target that last ordered it. */
  readonly #orderedBy: Int32Array;
  #target = { number: 0, weights: NO_WEIGHTS, equity: 0, row: 0 };
  readonly #queue: ColumnOrder[] = [];
  /** How many orders of the queue have met their bar, and how many of the others reduce a holding. */
  #met = 0;
  #reducing = 0;
  #budget = { cash: 0, exposure: 0 };

  constructor(market: ColumnMarket, holdings: ColumnHoldings, fills: ColumnFills) {
    this.#market = market;
    this.#holdings = holdings;
    this.#fills = fills;
    this.#orderedBy = new Int32Array(market.width);
  }

  get isIdle(): boolean {
    return this.#queue.length === 0;
  }

  /** Sizes a target at the closes of a row. */
  follow(weights: Float64Array, row: number): void {
    const { equity, gross } = this.#holdings.valueAt(row);
    this.#target = { number: this.#target.number + 1, weights, equity: Math.max(0, equity), row };
    this.#budget = { cash: this.#holdings.cash, exposure: equity - gross };
    this.#order('whole');
  }

  /** The orders meet the bars of a row, or its closes; what does not fill is gone. */
  match(row: number, at: 'open' | 'close'): void {
    // A fill may release further orders; they join the end of the queue and meet the same bar.
    for (let i = 0; i < this.#queue.length; i++) {
      const next = this.#queue[i]!;
      const price = this.#priceOf(next, row, at);
      if (price !== null) this.#fill(next, price, row);
      this.#met = i + 1;
      if (next.reduces && --this.#reducing === 0) this.#goOn();
    }
    this.#queue.length = 0;
    this.#met = 0;
  }

  #goOn(): void {
    const { equity, gross } = this.#holdings.valueAt(this.#target.row);
    let { cash } = this.#holdings;
    let exposure = equity - gross;
    for (let i = this.#met; i < this.#queue.length; i++) {
      const order = this.#queue[i]!;
      const claim = claimOf(order, this.#holdings.quantity[order.s]!, this.#market);
      cash -= claim.cash;
      exposure -= Math.max(0, claim.exposure);
    }
    this.#budget = { cash, exposure };
    this.#order('rest');
  }

  #order(part: 'whole' | 'rest'): void {
    const { quantity } = this.#holdings;
    const growing: number[] = [];
    const sizes: number[] = [];
    for (const s of this.#wanted()) {
      if (part === 'rest' && this.#orderedBy[s] === this.#target.number) continue;
      const traded = this.#wishFor(s);
      if (traded === 0) continue;
      const held = quantity[s]!;
      const after = held + traded;
      if (Math.abs(after) > Math.abs(held) || Math.sign(after) === -Math.sign(held)) {
        growing.push(s);
        sizes.push(traded);
      } else this.#write(s, traded);
    }
    growing.forEach((s, i) => this.#writeIncrease(s, sizes[i]!));
  }

  /** What is held, in the order it was opened, then what the target names. */
  #wanted(): number[] {
    const { weights } = this.#target;
    const wanted = this.#holdings.held.slice();
    for (let s = 0; s < weights.length; s++) {
      if (weights[s] !== 0 && this.#holdings.quantity[s] === 0) wanted.push(s);
    }
    return wanted;
  }

  /** What to trade, signed; 0 is nothing. */
  #wishFor(s: number): number {
    const { weights, equity, row } = this.#target;
    const mark = this.#market.close[s]![row]!;
    // A price that is no price is the other path's to judge.
    if (!(mark > 0 && mark < Number.POSITIVE_INFINITY)) this.#holdings.spoilt = true;
    const held = this.#holdings.quantity[s]!;
    const step = this.#market.instruments[s]!.quantityStep;
    const desired = Math.trunc((weights[s]! * equity * 100) / mark / step) * step + 0;
    if (desired === 0 && held === 0 && weights[s] !== 0) return this.#refuse('below_one_step');
    const traded = desired - held;
    if (traded === 0) return 0;
    const isSmall = worthAt(Math.abs(traded), mark) < this.#market.noTradeBand * equity;
    return desired !== 0 && isSmall ? this.#refuse('within_band') : traded;
  }

  #writeIncrease(s: number, traded: number): void {
    const order = this.#draft(s, traded);
    const claim = claimOf(order, this.#holdings.quantity[s]!, this.#market);
    if (claim.cash <= this.#budget.cash && claim.exposure <= this.#budget.exposure)
      this.#queueUp(order, claim);
    else if (this.#reducing > 0) this.#refuse('awaiting_sales');
    else {
      const cut = this.#cutToBudget(order, claim);
      if (cut === 0) this.#refuse('no_cash');
      else this.#write(s, cut);
    }
  }

  #write(s: number, traded: number): void {
    const order = this.#draft(s, traded);
    const held = this.#holdings.quantity[s]!;
    const after = held + traded;
    const claim = claimOf(order, held, this.#market);
    const reducesOnly =
      Math.abs(after) < Math.abs(held) && (after === 0 || Math.sign(after) === Math.sign(held));
    if (!reducesOnly && (claim.cash > this.#budget.cash || claim.exposure > this.#budget.exposure)) {
      this.#refuse('no_cash');
    } else this.#queueUp(order, claim);
  }

  #queueUp(order: ColumnOrder, claim: ColumnClaim): void {
    this.#queue.push(order);
    if (order.reduces) this.#reducing++;
    this.#orderedBy[order.s] = this.#target.number;
    this.#budget.cash -= claim.cash;
    this.#budget.exposure -= Math.max(0, claim.exposure);
  }

  #cutToBudget(order: ColumnOrder, whole: ColumnClaim): number {
    const { s, traded } = order;
    const size = Math.abs(traded);
    const sign = Math.sign(traded);
    const held = this.#holdings.quantity[s]!;
    const closing = Math.sign(held) === -sign ? Math.min(Math.abs(held), size) : 0;
    const opening = claimOf(order, 0, this.#market);
    const cashOver = whole.cash - this.#budget.cash;
    const exposureOver = whole.exposure - this.#budget.exposure;
    const tooMuch = Math.max(
      cashOver > 0 ? (cashOver + ROUNDING) / (whole.cash / size) : 0,
      exposureOver > 0 ? (exposureOver + ROUNDING) / (opening.exposure / size) : 0,
    );
    const step = this.#market.instruments[s]!.quantityStep;
    return sign * Math.max(closing, Math.floor(Math.max(0, size - tooMuch) / step) * step);
  }

  #draft(s: number, traded: number): ColumnOrder {
    const mark = this.#market.close[s]![this.#target.row]!;
    const side = traded > 0 ? 'buy' : 'sell';
    return {
      s,
      traded,
      reduces: Math.sign(this.#holdings.quantity[s]!) === -Math.sign(traded),
      limitPrice: limitPrice(side, mark, this.#market.collar, this.#market.instruments[s]!),
    };
  }

  #priceOf({ s, traded, limitPrice: limit }: ColumnOrder, row: number, at: 'open' | 'close'): number | null {
    const instrument = this.#market.instruments[s]!;
    const { slippageRate } = this.#market.costs[instrument.kind];
    const order = { side: traded > 0 ? ('buy' as const) : ('sell' as const), limitPrice: limit };
    if (at === 'close')
      return priceAgainst(order, this.#market.close[s]![row]!, { instrument, slippageRate });
    const atOpen = priceAgainst(order, this.#market.open[s]![row]!, { instrument, slippageRate });
    if (atOpen !== null) return atOpen;
    const { open, high, low } = this.#market;
    const bar = { open: open[s]![row]!, high: high[s]![row]!, low: low[s]![row]! };
    return priceWithin(order, bar, { instrument, slippageRate });
  }

  #fill({ s, traded }: ColumnOrder, price: number, row: number): void {
    const commission = commissionAt(s, traded, { price, market: this.#market });
    const before = this.#holdings.quantity[s]!;
    const profit = this.#holdings.book(s, traded, { price, commission });
    const after = this.#holdings.quantity[s]!;
    if (before !== 0 && Math.sign(after) !== Math.sign(before)) this.#fills.closed++;
    this.#fills.add(row, s, { traded, price, commission, profit });
  }

  #refuse(code: RefusalCode): 0 {
    this.refusals.set(code, (this.refusals.get(code) ?? 0) + 1);
    return 0;
  }
}

const NO_WEIGHTS: Float64Array = new Float64Array(0);
