// Maintenance margin: what the positions of a deployment ask its equity to stay above, and in which order they are
// closed when it does not. Before that, an order is refused that would lift exposure above equity, which is more than
// any initial margin asks (budget.ts).
import type { Symbol } from '#units/identifiers.ts';
import { type Micro, scale } from '#units/money.ts';
import type { Instrument, Marks } from '../market/instrument.ts';
import { KIND_RULES } from '../market/kinds/rules-of.ts';
import type { Portfolio, Position } from '../portfolio/portfolio.ts';
import { valuePosition } from '../portfolio/value.ts';

export type MarginOf = { readonly initial: Micro; readonly maintenance: Micro };

/** In US dollars. What is paid for in full and held long binds nothing that equity does not hold already. */
export function marginOf(position: Position, mark: number, instrument: Instrument, marks: Marks): MarginOf {
  const { initialMargin, maintenanceMargin } = KIND_RULES[instrument.kind];
  const { notional } = valuePosition(position, mark, instrument, marks);
  const worth = Math.abs(notional) as Micro;
  return { initial: scale(worth, initialMargin), maintenance: scale(worth, maintenanceMargin) };
}

/**
 * The positions to close so that equity covers the requirement of the rest: the highest requirement first, equal ones
 * by symbol. Empty while equity covers all, and always for an account that owes and borrows nothing.
 */
export function closedForMargin(
  { positions }: Portfolio,
  equity: Micro,
  { marks, instruments }: { readonly marks: Marks; readonly instruments: ReadonlyMap<Symbol, Instrument> },
): Symbol[] {
  const asked: { readonly symbol: Symbol; readonly maintenance: number }[] = [];
  let isExposed = false;
  for (const position of positions.values()) {
    const { symbol } = position;
    const instrument = instruments.get(symbol)!;
    isExposed ||= position.quantity < 0 || instrument.settlement === 'margin';
    asked.push({
      symbol,
      maintenance: marginOf(position, marks.get(symbol)!, instrument, marks).maintenance,
    });
  }
  let total = asked.reduce((sum, { maintenance }) => sum + maintenance, 0);
  if (!isExposed || total <= equity) return [];
  asked.sort((a, b) => b.maintenance - a.maintenance || (a.symbol < b.symbol ? -1 : 1));
  const closed: Symbol[] = [];
  for (const { symbol, maintenance } of asked) {
    if (total <= equity || maintenance === 0) break;
    closed.push(symbol);
    total -= maintenance;
  }
  return closed;
}
