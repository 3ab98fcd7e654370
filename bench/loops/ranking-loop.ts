// A hand-written ranking: the 50 instruments with the highest 126-day return, equally weighted, recomputed every 21
// days. It does nothing else, and rounds and books to the bit as the product does; every order fills at the next open.
import type { BacktestFill } from '#engine/backtest/result.ts';
import type { BarSeries } from '#engine/market/bar-series.ts';
import type { ClosedTrade } from '#engine/portfolio/closed-trades.ts';
import type { Instant } from '#units/instant.ts';
import type { Micro } from '#units/money.ts';
import type { Quantity } from '#units/quantity.ts';
import type { CrossoverTerms } from './crossover-book.ts';

export function rankingLoop(all: readonly BarSeries[], terms: CrossoverTerms): RankingBook {
  const book = new RankingBook(all, terms);
  const width = all.length;
  const scores = new Float64Array(width);
  const sorted = new Float64Array(width);
  for (let t = 0; t < all[0]!.length; t++) {
    book.fill(t);
    book.close(t);
    if (t < LOOKBACK || t % EVERY !== 0) continue;
    for (let s = 0; s < width; s++) {
      const { close } = all[s]!;
      scores[s] = close[t]! / close[t - LOOKBACK]! - 1;
    }
    sorted.set(scores);
    sorted.sort();
    book.follow(t, scores, sorted[width - TOP]!);
  }
  return book;
}

export class RankingBook {
  readonly equity: Float64Array;
  readonly cash: Float64Array;
  readonly exposure: Float64Array;
  readonly fills: BacktestFill[] = [];
  readonly trades: ClosedTrade[] = [];
  deepest = 0;
  readonly #all: readonly BarSeries[];
  readonly #terms: CrossoverTerms;
  /** 1e-8, by instrument. */
  readonly #held: Float64Array;
  readonly #cost: Float64Array;
  readonly #ordered: Float64Array;
  readonly #stopped: Uint8Array;
  readonly #open: (OpenTrade | null)[];
  /** Holdings and orders. */
  #holding: number[] = [];
  #orders: number[] = [];
  #money: number;
  #peak: number;
  #dividends = 0;

  constructor(all: readonly BarSeries[], terms: CrossoverTerms) {
    const { length } = all[0]!;
    this.#all = all;
    this.#terms = terms;
    this.#money = terms.initialCash;
    this.#peak = this.#money;
    this.equity = new Float64Array(length);
    this.cash = new Float64Array(length);
    this.exposure = new Float64Array(length);
    this.#held = new Float64Array(all.length);
    this.#cost = new Float64Array(all.length);
    this.#ordered = new Float64Array(all.length);
    this.#stopped = new Uint8Array(all.length);
    this.#open = all.map(() => null);
  }

  fill(t: number): void {
    for (const s of this.#orders) this.#book(s, t);
    if (this.#orders.length > 0) this.#holding = this.#holding.filter((s) => this.#held[s] !== 0);
    this.#orders = [];
  }

  /** The bars close: stop losses, dividends, equity, drawdown. */
  close(t: number): void {
    const { stopLossPercentage, dividendRows, dividend } = this.#terms;
    const held = this.#held;
    while (dividendRows[this.#dividends]! < t) this.#dividends++;
    const pays = dividendRows[this.#dividends] === t;
    let gross = 0;
    for (const s of this.#holding) {
      const quantity = held[s]!;
      let mark = this.#all[s]!.close[t]!;
      if (stopLossPercentage > 0) {
        const cost = this.#cost[s]!;
        const loss = ((cost - whole((quantity * mark) / 100)) / cost) * 100;
        if (loss >= stopLossPercentage) {
          this.#orders.push(s);
          this.#ordered[s] = -quantity;
          this.#stopped[s] = 1;
        }
      }
      if (pays) {
        const amount = whole((quantity * dividend) / 100);
        this.#money += amount;
        this.#open[s]!.pnl += amount;
        mark -= dividend;
      }
      gross += whole((quantity * mark) / 100);
    }
    const value = this.#money + gross;
    this.equity[t] = value;
    this.cash[t] = this.#money;
    this.exposure[t] = gross;
    if (value > this.#peak) this.#peak = value;
    else if (1 - value / this.#peak > this.deepest) this.deepest = 1 - value / this.#peak;
  }

  /** Sells surpluses first; every order fits the cash available then. */
  follow(t: number, scores: Float64Array, bound: number): void {
    const { dividendRows, dividend, gross } = this.#terms;
    const paid = dividendRows[this.#dividends] === t ? dividend : 0;
    const share = gross / TOP;
    const buys: number[] = [];
    for (let s = 0; s < scores.length; s++) {
      const isChosen = scores[s]! >= bound;
      if (!isChosen) this.#stopped[s] = 0;
      const held = this.#held[s]!;
      if (this.#ordered[s] !== 0 || (held === 0 && (!isChosen || this.#stopped[s] === 1))) continue;
      const mark = this.#all[s]!.close[t]! - (held === 0 ? 0 : paid);
      const wanted =
        isChosen && this.#stopped[s] === 0 ? Math.trunc((share * this.equity[t]! * 100) / mark) : 0;
      if (wanted === held) continue;
      this.#ordered[s] = wanted - held;
      if (wanted < held) this.#orders.push(s);
      else buys.push(s);
    }
    this.#orders.push(...buys);
  }

  #book(s: number, t: number): void {
    const { symbol, closedAt, open } = this.#all[s]!;
    const price = ticks(open[t]!);
    const traded = this.#ordered[s]!;
    const isBuy = traded > 0;
    const worth = whole((traded * price) / 100);
    const commission = whole(Math.abs(worth) * this.#terms.commissionRate) as Micro;
    const quantity = Math.abs(traded) as Quantity;
    const at = closedAt[t]! as Instant;
    this.fills.push({ symbol, side: isBuy ? 'buy' : 'sell', quantity, price, commission, at });
    this.#ordered[s] = 0;
    this.#money -= worth + commission;
    const before = this.#held[s]!;
    const after = before + traded;
    this.#held[s] = after;
    const trade = (this.#open[s] ??= newTrade(at));
    const units = quantity / 1e8;
    trade.pnl -= commission;
    if (isBuy) {
      if (before === 0) this.#holding.push(s);
      this.#cost[s]! += worth;
      trade.entered += quantity;
      trade.entryWorth += units * price;
      return;
    }
    const cost = after === 0 ? 0 : whole((this.#cost[s]! * after) / before);
    trade.pnl += cost - this.#cost[s]! - worth;
    this.#cost[s] = cost;
    trade.left += quantity;
    trade.exitWorth += units * price;
    if (after === 0) this.#close(s, trade, at);
  }

  #close(s: number, trade: OpenTrade, exitAt: Instant): void {
    const { entered, entryWorth, left, exitWorth, entryAt } = trade;
    const pnl = trade.pnl as Micro;
    this.trades.push({
      symbol: this.#all[s]!.symbol,
      side: 'long',
      entryAt,
      exitAt,
      entryPrice: entryWorth / (entered / 1e8),
      exitPrice: exitWorth / (left / 1e8),
      quantity: entered as Quantity,
      pnl,
      returnPercent: (pnl / 1e6 / entryWorth) * 100,
    });
    this.#open[s] = null;
  }
}

type OpenTrade = {
  readonly entryAt: Instant;
  entered: number;
  entryWorth: number;
  left: number;
  exitWorth: number;
  pnl: number;
};

const newTrade = (entryAt: Instant): OpenTrade => {
  return { entryAt, entered: 0, entryWorth: 0, left: 0, exitWorth: 0, pnl: 0 };
};

const TOP = 50;
const LOOKBACK = 126;
const EVERY = 21;
/** Of a price with six decimals. */
const TICKS = 1e6;
const ticks = (price: number) => Math.round(price * TICKS) / TICKS;

/** Added to 1.5 × 2^52, a double has no room for a fraction: ties go to the even neighbour. */
const whole = (value: number) => value + 6_755_399_441_055_744 - 6_755_399_441_055_744;
