// The closed daily bars of every instrument, kept in memory as the engine reads them and grown as days close.
import { actionsUntil, type CorporateAction } from '#engine/market/corporate-action.ts';
import { barSeries, type BarSeries } from '#engine/market/bar-series.ts';
import type { Bar } from '#engine/market/instrument.ts';
import { listCorporateActions } from '#records/market/corporate-actions.ts';
import { listBars } from '#records/market/bars.ts';
import type { Database } from '#records/postgres/database.ts';
import type { BarSource } from '#records/market/instruments.ts';
import type { Symbol } from '#units/identifiers.ts';
import type { Instant, IsoDate } from '#units/instant.ts';

/** The newest closed bar of each instrument. */
export type BarCloses = {
  newestBar(symbol: Symbol): Bar | null;
};

export type BarHistory = BarCloses & {
  /** Reads what is not in memory yet. */
  load(symbols: readonly Symbol[], asOf: Instant): Promise<void>;
  append(symbol: Symbol, bars: readonly Bar[]): void;
  /** Splits and dividends beyond those in the records. */
  learn(actions: ReadonlyMap<Symbol, readonly CorporateAction[]>): void;
  lastDate(symbol: Symbol): IsoDate | null;
  /** The newest `count`, oldest first. */
  lastBars(symbol: Symbol, count: number): readonly Bar[];
  /** The close of the bar that ends at an instant. */
  closeAt(symbol: Symbol, at: Instant): number | undefined;
  /** Of symbols that have been loaded. */
  series(symbol: Symbol): BarSeries;
};

export function createBarHistory(database: Database, source: BarSource): BarHistory {
  const bars = new Map<Symbol, Bar[]>();
  const columns = new Map<Symbol, BarSeries>();
  const actions = new Map<Symbol, readonly CorporateAction[]>();
  return {
    async load(symbols, asOf) {
      for (const symbol of symbols) {
        if (bars.has(symbol)) continue;
        bars.set(symbol, await listBars(database, { symbol, interval: '1d', source }, { asOf }));
        actions.set(symbol, await listCorporateActions(database, symbol));
      }
    },
    learn(told) {
      for (const [symbol, known] of told) {
        if (known.length === actions.get(symbol)?.length) continue;
        actions.set(symbol, known);
        columns.delete(symbol);
      }
    },
    append(symbol, fresh) {
      const known = bars.get(symbol) ?? [];
      known.push(...fresh);
      bars.set(symbol, known);
      columns.delete(symbol);
    },
    newestBar: (symbol) => bars.get(symbol)?.at(-1) ?? null,
    closeAt: (symbol, at) => bars.get(symbol)?.findLast((bar) => bar.closedAt === at)?.close,
    lastDate: (symbol) => bars.get(symbol)?.at(-1)?.date ?? null,
    lastBars: (symbol, count) => bars.get(symbol)?.slice(-count) ?? [],
    series(symbol) {
      let column = columns.get(symbol);
      if (column === undefined) {
        const known = bars.get(symbol);
        if (known === undefined) throw new Error(`the bars of ${symbol} have not been loaded`);
        const happened = actionsUntil(actions.get(symbol) ?? [], known.at(-1)?.date);
        column = { ...barSeries(symbol, '1d', known), ...(happened.length > 0 && { actions: happened }) };
        columns.set(symbol, column);
      }
      return column;
    },
  };
}
