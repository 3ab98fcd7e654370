// Wash sales: a loss does not count where the same is bought within 30 days before or after the sale. It is added to what
// the replacement cost, and the time that the sold lot was held is added to the replacement's (Internal Revenue Code,
// sections 1091 and 1223; Publication 550, Wash Sales). A short sale is treated alike, with another short sale as its
// replacement. Replacements are matched in the order in which they were bought, each unit once.
import { addDays, DAY_MS, type IsoDate, instantOfDate } from '#units/instant.ts';
import { add, type Micro, micro, subtract } from '#units/money.ts';
import { quantity } from '#units/quantity.ts';
import type { KeptLot, KeptSale } from './kept-lot.ts';
import { portion } from './portion.ts';

/** Losses that still lack a replacement take what is open now. `open` gains the parts of divided lots. */
export function matchWashSales(waiting: readonly KeptSale[], open: KeptLot[]): void {
  for (const sale of waiting) {
    if (sale.unmatched === 0 || lossOf(sale) <= 0) continue;
    for (const lot of open.filter((one) => replaces(one, sale)).toSorted(byOpening)) {
      if (sale.unmatched === 0) break;
      replace(sale, dividedAt(lot, sale.unmatched, open));
    }
  }
}

/** Whether a purchase on this day or later comes too late to replace it. */
export function isPastReplacing({ closedOn }: KeptSale, today: IsoDate): boolean {
  return daysBetween(closedOn, today) > WINDOW_DAYS;
}

/** More than one year: the day of the purchase is not counted. */
export function isHeldLong(heldSince: IsoDate, closedOn: IsoDate): boolean {
  const yearLater = `${String(Number(heldSince.slice(0, 4)) + 1)}${heldSince.slice(4)}`;
  return closedOn > yearLater;
}

/** Another purchase than the sold one, not yet the replacement of another sale. */
function replaces(lot: KeptLot, sale: KeptSale): boolean {
  return (
    lot.symbol === sale.symbol &&
    lot.side === sale.side &&
    !lot.isReplacement &&
    lot.trade !== sale.openedBy &&
    Math.abs(daysBetween(sale.closedOn, lot.openedOn)) <= WINDOW_DAYS
  );
}

function replace(sale: KeptSale, lot: KeptLot): void {
  const left = subtract(lossOf(sale), sale.disallowed);
  const disallowed = portion(left, lot.units, sale.unmatched);
  sale.disallowed = add(sale.disallowed, disallowed);
  sale.unmatched = quantity(sale.unmatched - lot.units);
  lot.deferred = add(lot.deferred, disallowed);
  lot.basis = lot.side === 'long' ? add(lot.basis, disallowed) : subtract(lot.basis, disallowed);
  lot.heldSince = addDays(lot.heldSince, -daysBetween(sale.heldSince, sale.closedOn));
  lot.isReplacement = true;
}

/** The lot itself, or the part of it with that many units: the rest becomes a lot of its own, just after it. */
function dividedAt(lot: KeptLot, units: number, open: KeptLot[]): KeptLot {
  if (lot.units <= units) return lot;
  const basis = portion(lot.basis, units, lot.units);
  const costs = portion(lot.costs, units, lot.units);
  const deferred = portion(lot.deferred, units, lot.units);
  const rest = {
    ...lot,
    units: quantity(lot.units - units),
    basis: subtract(lot.basis, basis),
    costs: subtract(lot.costs, costs),
    deferred: subtract(lot.deferred, deferred),
  };
  open.splice(open.indexOf(lot) + 1, 0, rest);
  return Object.assign(lot, { units: quantity(units), basis, costs, deferred });
}

function lossOf({ proceeds, basis, costs }: KeptSale): Micro {
  return micro(basis + costs - proceeds);
}

function byOpening(left: KeptLot, right: KeptLot): number {
  return left.openedOn < right.openedOn ? -1 : left.openedOn > right.openedOn ? 1 : 0;
}

function daysBetween(from: IsoDate, to: IsoDate): number {
  return (instantOfDate(to) - instantOfDate(from)) / DAY_MS;
}

const WINDOW_DAYS = 30;
