// Files of bars into the history, one after the other. A file that is done is noted, so that an import that was stopped
// goes on with the next one; what is in the store already is not written again.
import { hash } from 'node:crypto';
import { statSync } from 'node:fs';
import path from 'node:path';
import { judgeSeries } from '#adapters/market-data/csv/judge-series.ts';
import { type ParsedSeries, parseBars } from '#adapters/market-data/csv/parse-bars.ts';
import { isFlatFile, wantedRows } from '#adapters/market-data/massive/flat-files/flat-file.ts';
import { splitOffContradictions } from '#engine/market-data/contradicting-bars.ts';
import type { BarInterval } from '#engine/market/instrument.ts';
import { saveCorporateActions } from '#records/market/corporate-actions.ts';
import { noteImport, wasImported } from '#records/market/history-heads.ts';
import {
  type BarSource,
  findInstrument,
  listInstruments,
  saveInstruments,
} from '#records/market/instruments.ts';
import type { Symbol } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';
import { type ImportRequest, readSymbol } from '../bar-import/bar-arguments.ts';
import {
  CALENDAR,
  faultOf,
  filesOf,
  ImportFault,
  readActions,
  readText,
  symbolOfFile,
} from '../bar-import/bar-files.ts';
import { importedInstrument } from '../bar-import/imported-instrument.ts';
import { type ImportedEnd, showEarlyEnds, showSeries } from './show-history.ts';
import { HistoryStop, type HistoryTools, writeHistory } from './write-history.ts';

type HistoryImport = HistoryTools & {
  readonly source: BarSource;
  readonly request: ImportRequest;
  /** Files that are noted as done are read once more. */
  readonly again: boolean;
  readonly now: () => Instant;
  readonly say: (line: string) => void;
};

/** Answers whether every file could be read and stored. */
export async function importHistory(asked: HistoryImport): Promise<boolean> {
  const { database, request, say } = asked;
  const files = filesOf(request);
  const ends: ImportedEnd[] = [];
  let isWhole = true;
  let skipped = 0;
  for (const [i, file] of files.entries()) {
    const fingerprint = fingerprintOf(file, asked);
    if (!asked.again && (await wasImported(database, fingerprint))) {
      skipped += 1;
      continue;
    }
    const place = `[${i + 1}/${files.length}] ${path.basename(file)}`;
    try {
      for (const { lines, end, isStored } of await importFile(file, asked)) {
        for (const [n, line] of lines.entries()) say(n === 0 ? `${place}: ${line}` : `  ${line}`);
        if (end !== null) ends.push(end);
        isWhole &&= isStored;
      }
      await noteImport(database, fingerprint);
    } catch (error) {
      if (!(error instanceof ImportFault || error instanceof HistoryStop)) throw error;
      isWhole = false;
      say(`${place}: not imported. ${error.message}`);
    }
  }
  if (skipped > 0)
    say(`${skipped} of ${files.length} files were imported before and have not changed; --again reads them`);
  for (const line of showEarlyEnds(ends)) say(line);
  return isWhole;
}

type ImportedSeries = {
  readonly lines: readonly string[];
  readonly end: ImportedEnd | null;
  readonly isStored: boolean;
};

async function importFile(file: string, asked: HistoryImport): Promise<ImportedSeries[]> {
  const { request } = asked;
  const parsed = parseBars({
    text: await wantedText(readText(file), asked),
    calendar: CALENDAR[request.kind],
    ...(request.interval === null ? {} : { interval: request.interval }),
    ...(request.dates === null ? {} : { slashedDates: request.dates }),
    ...(request.zone === null ? {} : { zone: request.zone }),
  });
  if (!parsed.ok) throw new ImportFault(parsed.message);
  const imported: ImportedSeries[] = [];
  for (const series of parsed.series) {
    const own = series.symbol;
    const symbol = own === null ? (request.symbol ?? symbolOfFile(file)) : faultOf(() => readSymbol(own));
    if (request.symbol !== null && symbol !== request.symbol) continue;
    const { interval, priceDecimals } = parsed;
    imported.push(await importSeries(series, { symbol, interval, priceDecimals }, asked));
  }
  if (imported.length === 0) throw new ImportFault(`no row belongs to ${request.symbol ?? 'any symbol'}`);
  return imported;
}

/** Of a file of the vendor's whole market: the shares of this one, or the symbol that is asked for; minutes of the session. */
async function wantedText(text: string, { database, request, source }: HistoryImport): Promise<string> {
  if (!isFlatFile(text)) return text;
  const known = source === 'live' ? (await listInstruments(database)).map(({ symbol }) => symbol) : null;
  const symbols = request.symbol === null ? known : [request.symbol];
  const tickers = symbols === null ? null : new Set<string>(symbols);
  const { text: wanted } = wantedRows(text, { tickers, interval: request.interval === '1m' ? '1m' : '1d' });
  if (!wanted.includes('\n'))
    throw new ImportFault(`no row belongs to ${request.symbol ?? 'a share of this market'}`);
  return wanted;
}

type Named = { readonly symbol: Symbol; readonly interval: BarInterval; readonly priceDecimals: number };

async function importSeries(
  series: ParsedSeries,
  named: Named,
  asked: HistoryImport,
): Promise<ImportedSeries> {
  const { database, request, source, now } = asked;
  const { symbol, interval } = named;
  const wanted = series.bars.filter(
    ({ date }) =>
      (request.from === null || date >= request.from) && (request.to === null || date <= request.to),
  );
  await keepInstrument(named, asked);
  const actions = readActions(symbol, request);
  const { accepted, contradicting } = splitOffContradictions(wanted, { before: [], actions });
  const written = await writeHistory(asked, { symbol, interval, source }, { bars: accepted, knownAt: now() });
  const [first, last] = [accepted[0], accepted.at(-1)];
  const within = actions.filter(
    ({ exDate }) => first !== undefined && last !== undefined && exDate > first.date && exDate <= last.date,
  );
  await saveCorporateActions(database, symbol, within);
  const knownSplitDates = new Set(within.flatMap(({ kind, exDate }) => (kind === 'split' ? [exDate] : [])));
  const judgement = judgeSeries(accepted, { calendar: CALENDAR[request.kind], interval, knownSplitDates });
  return {
    lines: showSeries({ symbol, interval, bars: accepted, series, contradicting, written, judgement }),
    end: last === undefined ? null : { symbol, interval, lastDate: last.date },
    isStored: series.refused.length + contradicting.length === 0,
  };
}

/** On the live market only what its vendor lists may be traded, so that nothing else becomes known there. */
async function keepInstrument(
  { symbol, priceDecimals }: Named,
  { database, request, source }: HistoryImport,
) {
  const { kind, name, currency } = request;
  const existing = await findInstrument(database, symbol);
  if (existing !== null && existing.kind !== kind)
    throw new ImportFault(
      `${symbol} is already known as ${existing.kind}: choose another symbol with --symbol`,
    );
  if (existing !== null) return;
  if (source === 'live')
    throw new ImportFault(
      `nobody knows ${symbol} on the live market: add it to MARKET_SYMBOLS and start the product once, then import again`,
    );
  const instrument = faultOf(() => importedInstrument({ symbol, kind, name, currency, priceDecimals }));
  await saveInstruments(database, [instrument], source);
}

function fingerprintOf(file: string, { request, source }: HistoryImport): Buffer {
  const { size, mtimeMs } = statSync(file);
  const { source: _, ...wishes } = request;
  return hash('sha256', JSON.stringify([path.resolve(file), size, mtimeMs, source, wishes]), 'buffer');
}
