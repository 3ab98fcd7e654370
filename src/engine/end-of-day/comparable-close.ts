// Closes that compare with current prices.
import type { Symbol } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';
import type { CalendarExceptions } from '../market/calendar-exceptions.ts';
import type { CorporateAction } from '../market/corporate-action.ts';
import type { Bar, Instrument } from '../market/instrument.ts';
import { hasPendingCorporateAction } from './pending-corporate-action.ts';

export type ClosedMarket = {
  readonly instruments: ReadonlyMap<Symbol, Instrument>;
  readonly actions: ReadonlyMap<Symbol, readonly CorporateAction[]>;
  readonly exceptions: CalendarExceptions;
  /** The newest closed bar of each instrument. */
  readonly barCloses: { newestBar(symbol: Symbol): Bar | null };
};

/**
 * The close of the bar that ends at an instant; none for instruments that split or pay since, which already have the
 * new price.
 */
export function comparableClose(symbol: Symbol, at: Instant, market: ClosedMarket): number | undefined {
  const bar = market.barCloses.newestBar(symbol);
  if (bar?.closedAt !== at || hasPendingCorporateAction(symbol, bar.date, market)) return undefined;
  return bar.close;
}

export function comparableCloses(at: Instant, market: ClosedMarket): Map<Symbol, number> {
  const closes = new Map<Symbol, number>();
  for (const symbol of market.instruments.keys()) {
    const close = comparableClose(symbol, at, market);
    if (close !== undefined) closes.set(symbol, close);
  }
  return closes;
}
