// The money of a hand-written crossover: one instrument, long or flat, a share of equity. It does nothing else, and
// rounds, orders and books to the bit as the product does.
import type { BacktestFill } from '#engine/backtest/result.ts';
import type { BarSeries } from '#engine/market/bar-series.ts';
import type { ClosedTrade } from '#engine/portfolio/closed-trades.ts';
import type { Instant } from '#units/instant.ts';
import type { Micro } from '#units/money.ts';
import type { Quantity } from '#units/quantity.ts';

export type CrossoverTerms = {
  /** Micro. */
  readonly initialCash: number;
  /** The share of equity that is held. */
  readonly gross: number;
  readonly commissionRate: number;
  readonly collar: number;
  /** 0 is off. */
  readonly stopLossPercentage: number;
  /** The rows after whose close a dividend is paid, ascending, and the amount per unit. */
  readonly dividendRows: readonly number[];
  readonly dividend: number;
};

export class CrossoverBook {
  readonly equity: Float64Array;
  readonly cash: Float64Array;
  readonly exposure: Float64Array;
  readonly fills: BacktestFill[] = [];
  readonly trades: ClosedTrade[] = [];
  deepest = 0;
  /** Signed, 1e-8; 0 means no order. */
  ordered = 0;
  held = 0;
  stopped = false;
  readonly #bars: BarSeries;
  readonly #terms: CrossoverTerms;
  #limit = 0;
  #money: number;
  #cost = 0;
  #paid = 0;
  #mark = 0;
  #peak: number;
  #floor: number;
  #dividends = 0;

  constructor(bars: BarSeries, terms: CrossoverTerms) {
    this.#bars = bars;
    this.#terms = terms;
    this.#money = terms.initialCash;
    this.#peak = this.#money;
    this.#floor = this.#money;
    this.equity = new Float64Array(bars.length);
    this.cash = new Float64Array(bars.length);
    this.exposure = new Float64Array(bars.length);
  }

  /** The order meets a bar: at its open, else at its limit if the bar comes there. */
  fill(t: number): void {
    const { open, high, low } = this.#bars;
    const market = open[t]!;
    const limit = this.#limit;
    const isBuy = this.ordered > 0;
    if (isBuy ? market <= limit : market >= limit) this.#book(t, ticks(market));
    else if (isBuy ? low[t]! <= limit : high[t]! >= limit) this.#book(t, limit);
    this.ordered = 0;
  }

  /** The bar closes: stop loss, dividend, equity, drawdown. */
  close(t: number): void {
    const { stopLossPercentage, dividendRows, dividend } = this.#terms;
    let mark = this.#bars.close[t]!;
    this.#mark = mark;
    let worth = whole((this.held * mark) / 100);
    if (this.held > 0) {
      if (stopLossPercentage > 0 && ((this.#cost - worth) / this.#cost) * 100 >= stopLossPercentage) {
        this.leave();
        this.stopped = true;
      }
      while (dividendRows[this.#dividends]! < t) this.#dividends++;
      if (dividendRows[this.#dividends] === t) {
        const amount = whole((this.held * dividend) / 100);
        this.#money += amount;
        this.#paid += amount;
        mark -= dividend;
        this.#mark = mark;
        worth = whole((this.held * mark) / 100);
      }
    }
    const value = this.#money + worth;
    this.equity[t] = value;
    this.cash[t] = this.#money;
    this.exposure[t] = worth;
    if (value > this.#peak) {
      this.#peak = value;
      this.#floor = value * (1 - this.deepest);
    } else if (value < this.#floor) {
      this.deepest = (this.#peak - value) / this.#peak;
      this.#floor = this.#peak * (1 - this.deepest);
    }
  }

  /** Orders the whole units that its share of equity is worth, and no more than cash pays for at the limit. */
  enter(t: number): void {
    const { gross, collar, commissionRate } = this.#terms;
    const most = Math.trunc((gross * this.equity[t]! * 100) / this.#mark / UNIT) * UNIT;
    this.#limit = Math.floor(this.#mark * (1 + collar) * TICKS) / TICKS;
    const worth = whole((most * this.#limit) / 100);
    const claim = worth + whole(worth * commissionRate);
    const over = claim - this.#money;
    this.ordered = over <= 0 ? most : Math.floor((most - (over + 3) / (claim / most)) / UNIT) * UNIT;
  }

  leave(): void {
    this.ordered = -this.held;
    this.#limit = Math.ceil(this.#mark * (1 - this.#terms.collar) * TICKS) / TICKS;
  }

  #book(t: number, price: number): void {
    const { symbol, closedAt } = this.#bars;
    const isBuy = this.ordered > 0;
    const worth = whole((this.ordered * price) / 100);
    const commission = whole(Math.abs(worth) * this.#terms.commissionRate) as Micro;
    const quantity = Math.abs(this.ordered) as Quantity;
    const at = closedAt[t]! as Instant;
    this.fills.push({ symbol, side: isBuy ? 'buy' : 'sell', quantity, price, commission, at });
    this.#money -= worth + commission;
    this.held += this.ordered;
    if (isBuy) {
      this.#cost = worth;
      this.#paid = -commission;
      return;
    }
    const entry = this.fills[this.fills.length - 2]!;
    const pnl = (this.#paid - worth - this.#cost - commission) as Micro;
    const units = quantity / 1e8;
    this.trades.push({
      symbol,
      side: 'long',
      entryAt: entry.at,
      exitAt: at,
      entryPrice: (units * entry.price) / units,
      exitPrice: (units * price) / units,
      quantity,
      pnl,
      returnPercent: (pnl / 1e6 / (units * entry.price)) * 100,
    });
  }
}

/** One whole unit, in 1e-8. */
const UNIT = 1e8;
/** Of a price with six decimals. */
const TICKS = 1e6;
const ticks = (price: number) => Math.round(price * TICKS) / TICKS;

/** Added to 1.5 × 2^52, a double has no room for a fraction: ties go to the even neighbour. */
const whole = (value: number) => value + 6_755_399_441_055_744 - 6_755_399_441_055_744;
