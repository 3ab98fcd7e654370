// Exports imported bars as a tape that the sandbox plays: one daily file per instrument, adjusted for the given splits,
// so that a position held over a split keeps its value; dividends are reported when they fall due.
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isTradingDay } from '#engine/market/calendar.ts';
import { adjustForSplits, dividendsForSplits } from '#engine/market/corporate-action.ts';
import { dailyBars } from '#engine/market/daily-bars.ts';
import type { Bar, Instrument } from '#engine/market/instrument.ts';
import type { BarKey } from '#records/market/bar-key.ts';
import { listBars, listBarSummaries } from '#records/market/bars.ts';
import { listCorporateActions } from '#records/market/corporate-actions.ts';
import type { Database } from '#records/postgres/database.ts';
import { listInstruments } from '#records/market/instruments.ts';
import type { Symbol } from '#units/identifiers.ts';

/** Rewrites the tape and returns its symbols. If nothing was imported, throws an error that says what to do. */
export async function exportTape(database: Database, folder: string): Promise<Symbol[]> {
  const keys = finestPerSymbol(await listBarSummaries(database, 'import'));
  if (keys.length === 0) {
    throw new Error(
      'there are no imported bars to replay. Import some first: npm run bars -- import FILE.csv --symbol SPY --kind equity',
    );
  }
  const instruments = new Map((await listInstruments(database)).map((found) => [found.symbol, found]));
  const fresh = `${folder}.new`;
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(fresh, { recursive: true });
  const written: Symbol[] = [];
  for (const key of keys) {
    const instrument = instruments.get(key.symbol);
    if (instrument === undefined) throw new Error(`${key.symbol} has bars but no instrument`);
    const bars = await tapeBars(database, key, instrument);
    if (bars.length === 0) continue;
    const rows = bars.map((bar) => [
      bar.openedAt,
      bar.closedAt,
      bar.date,
      bar.open,
      bar.high,
      bar.low,
      bar.close,
      bar.volume,
    ]);
    const dividends = dividendsForSplits(await listCorporateActions(database, key.symbol));
    writeFileSync(
      path.join(fresh, `${key.symbol}.json`),
      JSON.stringify({ instrument, bars: rows, dividends }),
    );
    written.push(key.symbol);
  }
  rmSync(folder, { recursive: true, force: true });
  renameSync(fresh, folder);
  return written;
}

/** Daily bars if available, otherwise shorter ones to aggregate into days. */
function finestPerSymbol(keys: readonly BarKey[]): BarKey[] {
  const chosen = new Map<Symbol, BarKey>();
  for (const key of keys) {
    const other = chosen.get(key.symbol);
    if (other === undefined || PREFERENCE.indexOf(key.interval) < PREFERENCE.indexOf(other.interval)) {
      chosen.set(key.symbol, key);
    }
  }
  return [...chosen.values()];
}

const PREFERENCE: readonly BarKey['interval'][] = ['1d', '1h', '30m', '15m', '5m', '1m'];

/** The clock follows the calendar: a day it considers closed, as some before 1998, is not on the tape. */
async function tapeBars(database: Database, key: BarKey, instrument: Instrument): Promise<Bar[]> {
  const stored = await listBars(database, key);
  const daily = key.interval === '1d' ? stored : dailyBars(stored, instrument.calendar);
  const adjusted = adjustForSplits(daily, await listCorporateActions(database, key.symbol));
  const scale = 10 ** instrument.priceDecimals;
  const round = (price: number) => Math.max(1, Math.round(price * scale)) / scale;
  return adjusted
    .filter((bar) => isTradingDay(instrument.calendar, bar.date))
    .map((bar) => ({
      ...bar,
      open: round(bar.open),
      high: round(bar.high),
      low: round(bar.low),
      close: round(bar.close),
    }));
}
