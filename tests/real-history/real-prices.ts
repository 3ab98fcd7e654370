// Real daily prices of United States shares and funds from files next to the project folder: raw bars, with the splits
// and dividends of their factor files. A ticker that another company had before counts from when its present owner has it.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseBars } from '#adapters/market-data/csv/parse-bars.ts';
import { parseCorporateActions } from '#adapters/market-data/csv/parse-corporate-actions.ts';
import { splitOffContradictions } from '#engine/market-data/contradicting-bars.ts';
import { barSeries, type BarSeries } from '#engine/market/bar-series.ts';
import type { Instrument } from '#engine/market/instrument.ts';
import { importedInstrument } from '#processes/bar-import/imported-instrument.ts';
import type { Symbol } from '#units/identifiers.ts';
import { addDays, type IsoDate } from '#units/instant.ts';

export const REAL_PRICES = path.resolve(import.meta.dirname, '../../../shared/data/lean-us-daily');

export type RealShare = {
  readonly instrument: Instrument;
  readonly series: BarSeries;
  readonly firstDate: IsoDate;
  readonly lastDate: IsoDate;
  /** Bars of an earlier owner of the ticker, and bars that contradict those beside them. */
  readonly leftOut: number;
};

export function hasRealPrices(folder: string): boolean {
  return existsSync(path.join(folder, 'SPY.csv'));
}

export function readRealPrices(folder: string): ReadonlyMap<Symbol, RealShare> {
  const symbols = readdirSync(folder).flatMap((name) => (name.endsWith('.csv') ? [name.slice(0, -4)] : []));
  return new Map(symbols.sort().map((symbol) => [symbol as Symbol, readShare(folder, symbol as Symbol)]));
}

function readShare(folder: string, symbol: Symbol): RealShare {
  const text = (...place: string[]) => readFileSync(path.join(folder, ...place), 'utf8');
  const small = `${symbol.toLowerCase()}.csv`;
  const parsed = parseBars({ text: text(`${symbol}.csv`), calendar: 'us-equity', interval: '1d' });
  if (!parsed.ok) throw new Error(`${symbol}: ${parsed.message}`);
  const listed = parseCorporateActions(text('factor_files', small));
  if (!listed.ok) throw new Error(`${symbol}: ${listed.message}`);
  const from = firstDayOf(text('map_files', small));
  const own = parsed.series[0]!.bars.filter(({ date }) => date >= from);
  const { accepted } = splitOffContradictions(own, { before: [], actions: listed.actions });
  const [first, last] = [accepted[0]!.date, accepted.at(-1)!.date];
  const actions = listed.actions.filter(({ exDate }) => exDate > first && exDate <= last);
  const { priceDecimals } = parsed;
  return {
    instrument: importedInstrument({ symbol, kind: 'equity', name: null, currency: null, priceDecimals }),
    series: { ...barSeries(symbol, '1d', accepted), ...(actions.length > 0 && { actions }) },
    firstDate: first,
    lastDate: last,
    leftOut: parsed.series[0]!.bars.length - accepted.length,
  };
}

/** A map file says until which day a share traded under which ticker; its first row is the day that it was listed. */
function firstDayOf(mapFile: string): IsoDate {
  const days = mapFile
    .trim()
    .split(/\r?\n/)
    .map((row) => row.replace(/^(\d{4})(\d{2})(\d{2}),.*$/, '$1-$2-$3') as IsoDate);
  return days.length === 2 ? days[0]! : addDays(days.at(-2)!, 1);
}
