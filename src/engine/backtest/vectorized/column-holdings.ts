// Cash and positions of a backtest by columns: arrays over the universe. Booked with the same arithmetic as applyFill,
// valued as valuePortfolio does.
import { micro } from '#units/money.ts';
import type { Quantity } from '#units/quantity.ts';
import { roundHalfEven } from '#units/round.ts';
import { KIND_RULES } from '../../market/kinds/rules-of.ts';
import { changePosition } from '../../portfolio/apply-fill.ts';
import type { Position } from '../../portfolio/portfolio.ts';
import type { ColumnMarket } from './column-market.ts';

export type ColumnValue = { readonly equity: number; readonly gross: number };

export class ColumnHoldings {
  cash: number;
  /** Signed, whole 1e-8 units. */
  readonly quantity: Float64Array;
  readonly #cost: Float64Array;
  readonly #market: ColumnMarket;
  /** The instruments held, in the order in which they were opened. */
  readonly held: number[] = [];
  /** Set when a price was no price, or margin short: what came of it is worth nothing. */
  spoilt = false;

  constructor(market: ColumnMarket, cash: number) {
    this.#market = market;
    this.cash = cash;
    this.quantity = new Float64Array(market.width);
    this.#cost = new Float64Array(market.width);
  }

  /** Books a fill; what it realised, before commission. */
  book(
    s: number,
    traded: number,
    { price, commission }: { readonly price: number; readonly commission: number },
  ): number {
    const before = this.quantity[s]!;
    const cost = this.#cost[s]!;
    const held =
      before === 0 ? undefined : ({ quantity: before, cost } as Pick<Position, 'quantity' | 'cost'>);
    const change = changePosition(held, traded as Quantity, price, 1);
    this.quantity[s] = change.quantity;
    this.#cost[s] = change.cost;
    this.cash = micro(this.cash + change.profit - (change.cost - cost) - commission);
    if (before === 0) this.held.push(s);
    else if (change.quantity === 0) {
      this.held.splice(this.held.indexOf(s), 1);
      this.#cost[s] = 0;
    }
    return change.profit;
  }

  valueAt(row: number): ColumnValue {
    let positions = 0;
    let gross = 0;
    for (const s of this.held) {
      const worth = roundHalfEven((this.quantity[s]! * this.#market.close[s]![row]!) / 100);
      positions += worth;
      gross += Math.abs(worth);
    }
    return { equity: this.cash + positions, gross };
  }

  /** Writes equity, cash and exposure of the rows from `from` up to, not including, `to`; row `first` comes first. */
  mark(columns: MarkColumns, from: number, to: number): void {
    const { equity, exposure, first } = columns;
    const start = from - first;
    const end = to - first;
    if (end <= start) return;
    equity.fill(this.cash, start, end);
    columns.cash.fill(this.cash, start, end);
    let isShort = false;
    for (const s of this.held) {
      const quantity = this.quantity[s]!;
      isShort ||= quantity < 0;
      const close = this.#market.close[s]!;
      const side = quantity > 0 ? 1 : -1;
      for (let i = start; i < end; i++) {
        const price = close[i + first]!;
        const worth = roundHalfEven((quantity * price) / 100);
        equity[i] = equity[i]! + worth;
        exposure[i] = exposure[i]! + worth * side;
        if (!(price > 0 && price < Number.POSITIVE_INFINITY)) this.spoilt = true;
      }
    }
    if (isShort) this.#lookAtMargin(columns, start, end);
  }

  /** Near a margin call the other path decides. */
  #lookAtMargin({ equity, exposure }: MarkColumns, start: number, end: number): void {
    for (let i = start; i < end; i++) {
      if (exposure[i]! * MOST_MAINTENANCE > equity[i]!) this.spoilt = true;
    }
  }
}

/** Of the kinds that a backtest by columns holds. */
const MOST_MAINTENANCE = Math.max(KIND_RULES.equity.maintenanceMargin, KIND_RULES.crypto.maintenanceMargin);

export type MarkColumns = {
  readonly equity: Float64Array;
  readonly cash: Float64Array;
  /** Begins at zero. */
  readonly exposure: Float64Array;
  readonly first: number;
};
