// Closed bars of one interval, days of every instrument above all, kept in memory as the columns that the engine reads, extended as days close.
// Only the newest few are also kept as bars: years of objects would take four times the memory of the columns.
import { appendBars, barSeries, type BarSeries } from '#engine/market/bar-series.ts';
import { actionsUntil, type CorporateAction } from '#engine/market/corporate-action.ts';
import { BARS_ASKED } from '#engine/market-data/accept-bars.ts';
import type { Bar, CalendarId, Instrument, IntradayInterval } from '#engine/market/instrument.ts';
import { barsPerDay } from '#engine/market/session-parts.ts';
import { listCorporateActions } from '#records/market/corporate-actions.ts';
import { listBars } from '#records/market/bars.ts';
import type { Database } from '#records/postgres/database.ts';
import type { BarSource } from '#records/market/instruments.ts';
import type { Symbol } from '#units/identifiers.ts';
import type { Instant, IsoDate } from '#units/instant.ts';

export type BarCloses = {
  /** The newest closed bar. */
  newestBar(symbol: Symbol): Bar | null;
  /** The close of the bar that ends at an instant. */
  closeAt(symbol: Symbol, at: Instant): number | undefined;
  /** For symbols that have been loaded. */
  series(symbol: Symbol): BarSeries;
};

export type BarHistory = BarCloses & {
  /** Reads what is not in memory yet. */
  load(symbols: readonly Symbol[], asOf: Instant): Promise<void>;
  append(symbol: Symbol, bars: readonly Bar[]): void;
  /** It is loaded again. */
  forget(symbol: Symbol): void;
  /** Splits and dividends that are not in the records. */
  learn(actions: ReadonlyMap<Symbol, readonly CorporateAction[]>): void;
  lastDate(symbol: Symbol): IsoDate | null;
  /** The newest few, oldest first: up to BARS_ASKED of them. */
  lastBars(symbol: Symbol): readonly Bar[];
};

/** Of parts of a session; the instruments say by which calendar they are counted. */
type Parts = {
  readonly interval: IntradayInterval;
  readonly instruments: ReadonlyMap<Symbol, Pick<Instrument, 'calendar'>>;
};

/** Days where `parts` is absent. */
export function createBarHistory(database: Database, source: BarSource, parts?: Parts): BarHistory {
  const interval = parts?.interval ?? '1d';
  const emptyHistory = (symbol: Symbol): History => ({
    columns: {
      ...barSeries(symbol, interval, []),
      ...(parts && { barsPerDay: barsPerDay(parts.interval, calendarOf(symbol, parts)) }),
    },
    newest: [],
    shown: null,
  });
  const histories = new Map<Symbol, History>();
  const actions = new Map<Symbol, readonly CorporateAction[]>();
  const newestOf = (symbol: Symbol) => histories.get(symbol)?.newest.at(-1) ?? null;
  return {
    async load(symbols, asOf) {
      for (const symbol of symbols) {
        if (histories.has(symbol)) continue;
        const bars = await listBars(database, { symbol, interval, source }, { asOf });
        histories.set(symbol, grown(emptyHistory(symbol), bars));
        actions.set(symbol, await listCorporateActions(database, symbol));
      }
    },
    learn(learned) {
      for (const [symbol, known] of learned) {
        if (known.length === actions.get(symbol)?.length) continue;
        actions.set(symbol, known);
        const history = histories.get(symbol);
        if (history !== undefined) histories.set(symbol, { ...history, shown: null });
      }
    },
    append: (symbol, fresh) =>
      void histories.set(symbol, grown(histories.get(symbol) ?? emptyHistory(symbol), fresh)),
    forget: (symbol) => void histories.delete(symbol),
    newestBar: newestOf,
    closeAt(symbol, at) {
      const columns = histories.get(symbol)?.columns;
      return columns?.close[columns.closedAt.lastIndexOf(at)];
    },
    lastDate: (symbol) => newestOf(symbol)?.date ?? null,
    lastBars: (symbol) => histories.get(symbol)?.newest ?? [],
    series(symbol) {
      const history = histories.get(symbol);
      if (history === undefined) throw new Error(`the bars of ${symbol} have not been loaded`);
      const { columns, newest } = history;
      const happened = actionsUntil(actions.get(symbol) ?? [], newest.at(-1)?.date);
      history.shown ??= { ...columns, ...(happened.length > 0 && { actions: happened }) };
      return history.shown;
    },
  };
}

/** Of an instrument that is not known there are no bars. */
function calendarOf(symbol: Symbol, { instruments }: Parts): CalendarId {
  return instruments.get(symbol)?.calendar ?? 'us-equity';
}

type History = {
  readonly columns: BarSeries;
  readonly newest: readonly Bar[];
  /** The columns adjusted for events up to the last bar; null until requested. */
  shown: BarSeries | null;
};

function grown({ columns, newest }: History, bars: readonly Bar[]): History {
  return {
    columns: appendBars(columns, bars),
    newest: [...newest, ...bars.slice(-BARS_ASKED)].slice(-BARS_ASKED),
    shown: null,
  };
}
