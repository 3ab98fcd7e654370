// Which lots a person's sales close, by one method for all of them, with wash sales marked. Exact: what lots cost, what was
// paid and what is realised add up to the last micro-dollar, whatever the method.
import type { Symbol } from '#units/identifiers.ts';
import { add, type Micro, micro, subtract, ZERO_MICRO } from '#units/money.ts';
import { quantity } from '#units/quantity.ts';
import { roundHalfEven } from '#units/round.ts';
import { pickOrder } from './pick-order.ts';
import { portion } from './portion.ts';
import type { LotBook, LotDelivery, LotEvent, LotMethod, LotSplit, LotTrade } from './tax-lot.ts';
import { isHeldLong, isPastReplacing, matchWashSales } from './wash-sales.ts';
import type { KeptLot, KeptSale } from './kept-lot.ts';

export type LotRules = {
  readonly method: LotMethod;
  /** The wash sale rule is about stock and securities, options on them included; not about coins. */
  readonly hasWashSales: (symbol: Symbol) => boolean;
};

/**
 * Events in the order of booking, of all holdings of one person: a purchase in one of them replaces what another sold at a
 * loss.
 */
export function taxLots(events: readonly LotEvent[], rules: LotRules): LotBook {
  const book = new Book(rules);
  for (const event of events) {
    if (event.type === 'trade') book.trade(event);
    else if (event.type === 'split') book.split(event);
    else book.deliver(event);
  }
  return book.result();
}

class Book {
  readonly #rules: LotRules;
  readonly #open: KeptLot[] = [];
  readonly #closed: KeptSale[] = [];
  /** Sales that a purchase may still replace. */
  #waiting: KeptSale[] = [];

  constructor(rules: LotRules) {
    this.#rules = rules;
  }

  trade(trade: LotTrade): void {
    const rest = this.#close(trade);
    if (rest.units > 0) this.#openLot(trade, rest);
    if (!this.#rules.hasWashSales(trade.symbol)) return;
    this.#waiting = this.#waiting.filter((sale) => !isPastReplacing(sale, trade.date));
    matchWashSales(this.#waiting, this.#open);
  }

  split({ holding, symbol, ratio, entitled }: LotSplit): void {
    const lots = this.#open.filter((lot) => lot.holding === holding && lot.symbol === symbol);
    const before = lots.reduce((sum, { units }) => sum + units, 0);
    const after = before + roundHalfEven(Math.abs(entitled ?? before) * (ratio - 1));
    let left = after;
    lots.forEach((lot, i) => {
      const units = i === lots.length - 1 ? left : roundHalfEven((lot.units * after) / before);
      left -= units;
      lot.units = quantity(units);
    });
    for (const sale of this.#waiting) {
      if (sale.symbol !== symbol || sale.holding !== holding) continue;
      sale.unmatched = quantity(roundHalfEven(sale.unmatched * ratio));
    }
  }

  deliver(event: LotDelivery): void {
    const { holding, symbol, contracts, shares, underlying, date, id } = event;
    const side = contracts > 0 ? 'long' : 'short';
    let left = Math.abs(contracts);
    let premium = ZERO_MICRO;
    let costs = ZERO_MICRO;
    for (const lot of this.#matching({ holding, symbol, side }, undefined)) {
      if (left === 0) break;
      const units = Math.min(left, lot.units);
      const taken = this.#take(lot, units);
      premium = add(premium, taken.basis);
      costs = add(costs, taken.costs);
      left -= units;
    }
    // Delivered though they are no longer held: the books then hold the opposite.
    if (left > 0) {
      const units = quantity(side === 'long' ? -left : left);
      this.trade({
        type: 'trade',
        id,
        holding,
        symbol,
        date,
        units,
        amount: ZERO_MICRO,
        commission: ZERO_MICRO,
      });
    }
    // What a call cost makes the shares that it buys dearer, and what a put cost lowers what its shares bring; what a
    // written one brought does the opposite.
    const adds = shares > 0 === (side === 'long');
    const amount = micro(event.amount + (adds ? premium : -premium));
    this.trade({
      type: 'trade',
      id,
      holding,
      symbol: underlying,
      date,
      units: shares,
      amount,
      commission: costs,
    });
  }

  result(): LotBook {
    return {
      open: this.#open.map(({ isReplacement: _isReplacement, ...lot }) => lot),
      closed: this.#closed.map(({ heldSince, openedBy: _openedBy, unmatched: _unmatched, ...sale }) => ({
        ...sale,
        gain: gainOf(sale),
        term: sale.side === 'long' && isHeldLong(heldSince, sale.closedOn) ? 'long' : 'short',
      })),
    };
  }

  /** Returns what of the trade closed nothing. */
  #close(trade: LotTrade): Pick<KeptLot, 'units' | 'basis' | 'costs'> {
    const side = trade.units > 0 ? 'short' : 'long';
    let left = Math.abs(trade.units);
    let amount = trade.amount;
    let commission = trade.commission;
    for (const lot of this.#matching({ ...trade, side }, trade.names)) {
      if (left === 0) break;
      const units = Math.min(left, lot.units);
      const part = portion(amount, units, left);
      const paid = portion(commission, units, left);
      const { openedOn, heldSince, trade: opened } = lot;
      const { basis, costs, deferred } = this.#take(lot, units);
      amount = subtract(amount, part);
      commission = subtract(commission, paid);
      left -= units;
      const sale: KeptSale = {
        holding: trade.holding,
        symbol: trade.symbol,
        side,
        units: quantity(units),
        openedBy: opened,
        openedOn,
        heldSince,
        closedOn: trade.date,
        closedBy: trade.id,
        proceeds: side === 'long' ? part : basis,
        basis: side === 'long' ? basis : part,
        deferred,
        costs: add(costs, paid),
        disallowed: ZERO_MICRO,
        unmatched: quantity(units),
      };
      this.#closed.push(sale);
      this.#waiting.push(sale);
    }
    return { units: quantity(left), basis: amount, costs: commission };
  }

  #openLot(
    { id, holding, symbol, units, date }: LotTrade,
    rest: Pick<KeptLot, 'units' | 'basis' | 'costs'>,
  ): void {
    const side = units > 0 ? 'long' : 'short';
    const lot = { trade: id, holding, symbol, side, openedOn: date, heldSince: date } as const;
    this.#open.push({ ...lot, ...rest, deferred: ZERO_MICRO, isReplacement: false });
  }

  #matching(
    { holding, symbol, side }: Pick<KeptLot, 'holding' | 'symbol' | 'side'>,
    names: readonly string[] | undefined,
  ): readonly KeptLot[] {
    const lots = this.#open.filter(
      (lot) => lot.holding === holding && lot.symbol === symbol && lot.side === side,
    );
    return pickOrder(lots, this.#rules.method, names ?? []);
  }

  #take(lot: KeptLot, units: number): Pick<KeptLot, 'basis' | 'costs' | 'deferred'> {
    const basis = portion(lot.basis, units, lot.units);
    const costs = portion(lot.costs, units, lot.units);
    const deferred = portion(lot.deferred, units, lot.units);
    lot.deferred = subtract(lot.deferred, deferred);
    lot.units = quantity(lot.units - units);
    lot.basis = subtract(lot.basis, basis);
    lot.costs = subtract(lot.costs, costs);
    if (lot.units === 0) this.#open.splice(this.#open.indexOf(lot), 1);
    return { basis, costs, deferred };
  }
}

function gainOf({ proceeds, basis, costs }: Pick<KeptSale, 'proceeds' | 'basis' | 'costs'>): Micro {
  return micro(proceeds - basis - costs);
}
