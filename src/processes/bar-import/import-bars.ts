// Files of bars into the records: everything of one command in one transaction, so that what a person refuses leaves
// no trace, and importing the same files again changes nothing.
import { judgeSeries, type SeriesJudgement } from '#adapters/market-data/csv/judge-series.ts';
import { type ParsedSeries, parseBars } from '#adapters/market-data/csv/parse-bars.ts';
import type { Bar, BarInterval, Instrument } from '#engine/market/instrument.ts';
import type { BarKey } from '#records/market/bar-key.ts';
import { listSymbolsWithSameBars, type SavedBars, saveBars } from '#records/market/bars.ts';
import { saveCorporateActions } from '#records/market/corporate-actions.ts';
import type { Database } from '#records/postgres/database.ts';
import { findInstrument, saveInstruments } from '#records/market/instruments.ts';
import type { Symbol } from '#units/identifiers.ts';
import { type ImportRequest, readSymbol } from './bar-arguments.ts';
import { CALENDAR, faultOf, filesOf, ImportFault, readActions, readText, symbolOfFile } from './bar-files.ts';
import { importedInstrument } from './imported-instrument.ts';

export type SeriesReport = {
  readonly symbol: Symbol;
  readonly interval: BarInterval;
  readonly bars: readonly Bar[];
  readonly series: ParsedSeries;
  readonly saved: SavedBars;
  readonly judgement: SeriesJudgement;
  readonly splits: number;
  /** Other symbols that hold the very same series. */
  readonly sameAs: readonly Symbol[];
};

export type FileReport =
  | { readonly file: string; readonly ok: false; readonly message: string }
  | {
      readonly file: string;
      readonly ok: true;
      readonly detected: readonly string[];
      readonly series: readonly SeriesReport[];
    };

export type ImportReport = {
  readonly files: readonly FileReport[];
  /** False when a row was refused and the person wanted all or nothing. */
  readonly kept: boolean;
};

export async function importBars(database: Database, request: ImportRequest): Promise<ImportReport> {
  const found = filesOf(request);
  return request.onError === 'keep'
    ? { kept: true, files: await importEachFile(database, found, request) }
    : importAllOrNothing(database, found, request);
}

async function importEachFile(
  database: Database,
  found: readonly string[],
  request: ImportRequest,
): Promise<FileReport[]> {
  const files: FileReport[] = [];
  for (const file of found) {
    files.push(
      await reported(file, () =>
        database.transaction().execute((transaction) => importFile(transaction, file, request)),
      ),
    );
  }
  return files;
}

async function importAllOrNothing(
  database: Database,
  found: readonly string[],
  request: ImportRequest,
): Promise<ImportReport> {
  const files: FileReport[] = [];
  try {
    await database.transaction().execute(async (transaction) => {
      for (const file of found) {
        files.push(await reported(file, () => importFile(transaction, file, request)));
      }
      if (files.some(hasFault)) throw new NothingKept();
    });
  } catch (error) {
    if (!(error instanceof NothingKept)) throw error;
    return { files, kept: false };
  }
  return { files, kept: true };
}

class NothingKept extends Error {}

async function reported(file: string, work: () => Promise<FileReport>): Promise<FileReport> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ImportFault) return { file, ok: false, message: error.message };
    throw error;
  }
}

/** Refused rows, a file that could not be read, or a series that is another's. */
function hasFault(file: FileReport): boolean {
  return (
    !file.ok ||
    file.series.some(
      ({ series, sameAs, saved }) => series.refused.length + sameAs.length + saved.differing.length > 0,
    )
  );
}

async function importFile(database: Database, file: string, request: ImportRequest): Promise<FileReport> {
  const calendar = CALENDAR[request.kind];
  const parsed = parseBars({
    text: readText(file),
    calendar,
    ...(request.interval === null ? {} : { interval: request.interval }),
    ...(request.dates === null ? {} : { slashedDates: request.dates }),
    ...(request.zone === null ? {} : { zone: request.zone }),
  });
  if (!parsed.ok) return { file, ok: false, message: parsed.message };
  const wanted = parsed.series.filter(
    ({ symbol }) => symbol === null || request.symbol === null || symbol === request.symbol,
  );
  if (wanted.length === 0)
    return { file, ok: false, message: `no row belongs to ${request.symbol ?? 'any symbol'}` };
  const series: SeriesReport[] = [];
  for (const one of wanted) {
    const own = one.symbol;
    const symbol = own === null ? (request.symbol ?? symbolOfFile(file)) : faultOf(() => readSymbol(own));
    const { interval, priceDecimals } = parsed;
    series.push(await importSeries(database, one, { symbol, interval, priceDecimals, request }));
  }
  return { file, ok: true, detected: parsed.detected, series };
}

type SeriesContext = {
  readonly symbol: Symbol;
  readonly interval: BarInterval;
  readonly priceDecimals: number;
  readonly request: ImportRequest;
};

async function importSeries(
  database: Database,
  series: ParsedSeries,
  context: SeriesContext,
): Promise<SeriesReport> {
  const { symbol, interval, request } = context;
  const key: BarKey = { symbol, interval, source: 'import' };
  const bars = series.bars.filter(
    (bar) =>
      (request.from === null || bar.date >= request.from) && (request.to === null || bar.date <= request.to),
  );
  const actions = readActions(symbol, request).filter(
    ({ exDate }) => bars.length > 0 && exDate > bars[0]!.date && exDate <= bars.at(-1)!.date,
  );
  const known = new Set(actions.flatMap(({ kind, exDate }) => (kind === 'split' ? [exDate] : [])));
  const judgement = judgeSeries(bars, { calendar: CALENDAR[request.kind], interval, knownSplitDates: known });
  await keepInstrument(database, context, known.size > 0);
  const sameAs = bars.length < SAME_SERIES_MIN ? [] : await listSymbolsWithSameBars(database, key, bars);
  const saved = await saveBars(database, key, bars);
  await saveCorporateActions(database, symbol, actions);
  return { symbol, interval, bars, series, saved, judgement, splits: known.size, sameAs };
}

async function keepInstrument(database: Database, context: SeriesContext, hasSplits: boolean): Promise<void> {
  const { symbol, request } = context;
  // Prices from before splits are fractions of what was traded: two decimals would flatten them.
  const priceDecimals = hasSplits ? Math.max(context.priceDecimals, SPLIT_DECIMALS) : context.priceDecimals;
  const existing = await findInstrument(database, symbol);
  if (existing && existing.kind !== request.kind) {
    throw new ImportFault(
      `${symbol} is already known as ${existing.kind}: choose another symbol, or remove it first`,
    );
  }
  const requested = {
    symbol,
    kind: request.kind,
    name: request.name,
    currency: request.currency,
    priceDecimals,
  };
  const made = faultOf(() => importedInstrument(requested));
  if (existing === null) await saveInstruments(database, [made], 'import');
  else if (existing.priceDecimals < priceDecimals || request.name !== null) {
    const changed: Instrument = {
      ...existing,
      name: request.name ?? existing.name,
      priceDecimals: Math.max(existing.priceDecimals, priceDecimals),
    };
    await saveInstruments(database, [changed], 'import');
  }
}

/** Shorter series may agree by chance. */
const SAME_SERIES_MIN = 20;
const SPLIT_DECIMALS = 4;
