// Replays everything that was booked for a deployment through the engine: the second opinion on its stored figures.
import type { TradingDeployment } from '#engine/execution/deployment/trading-deployment.ts';
import type { Instrument } from '#engine/market/instrument.ts';
import { applyFill, openPortfolio } from '#engine/portfolio/apply-fill.ts';
import { applyPositionEvent } from '#engine/portfolio/apply-position-event.ts';
import { type BookDifference, bookDifferences } from '#engine/portfolio/book-differences.ts';
import type { Portfolio } from '#engine/portfolio/portfolio.ts';
import type { Symbol } from '#units/identifiers.ts';
import { add, type Micro } from '#units/money.ts';
import { sumStatedChanges } from '../cash/stated-changes.ts';
import { fillsInBookingOrder } from './fills-in-booking-order.ts';
import type { Database } from '../postgres/database.ts';
import { type BookedPositionEvent, listPositionEvents } from '../portfolio/position-events.ts';

export type ReplayedBooks = {
  readonly portfolio: Portfolio;
  readonly differences: readonly BookDifference[];
  /** Bookings whose own realised result is not what a replay makes of them: no other figure can be trusted then. */
  readonly misbooked: readonly {
    readonly symbol: Symbol;
    readonly realized: Micro;
    readonly replayed: Micro;
  }[];
};

/** Throws Error when a booking names an instrument that is not known. */
export async function replayBooks(
  database: Database,
  record: TradingDeployment,
  instruments: ReadonlyMap<Symbol, Instrument>,
): Promise<ReplayedBooks> {
  let portfolio = openPortfolio(record.investment);
  const misbooked: ReplayedBooks['misbooked'][number][] = [];
  const compare = (symbol: Symbol, realized: Micro, replayed: Micro) => {
    if (replayed !== realized) misbooked.push({ symbol, realized, replayed });
  };
  const happens = ({ event, entitled, at, realized }: BookedPositionEvent) => {
    const applied = applyPositionEvent(portfolio, event, { instruments, marks: NO_MARKS, at, entitled });
    if (applied === null) return;
    if (event.type === 'adjustment') compare(event.symbol, realized, applied.realizedPnl);
    portfolio = applied.portfolio;
  };
  const events = await listPositionEvents(database, record.id);
  for (const { fill, realized, entry } of await fillsInBookingOrder(database, record.id)) {
    while (events.length > 0 && events[0]!.afterEntry < entry) happens(events.shift()!);
    const instrument = instruments.get(fill.symbol);
    if (instrument === undefined) throw new Error(`no instrument ${fill.symbol}`);
    const applied = applyFill(portfolio, fill, instrument, NO_MARKS);
    compare(fill.symbol, realized, applied.realizedPnl);
    portfolio = applied.portfolio;
  }
  for (const event of events) happens(event);
  const stated = await sumStatedChanges(database, record.id);
  const { cash, realized } = portfolio;
  portfolio = { ...portfolio, cash: add(cash, stated), realized: add(realized, stated) };
  const stored = { cash: record.cash, realized: record.realized, positions: record.holdings };
  return { portfolio, differences: bookDifferences(stored, portfolio), misbooked };
}

/** Every instrument here is quoted in dollars or counts dollars, so its own price is the only rate needed. */
const NO_MARKS = new Map<Symbol, number>();
