// What the history holds: series with their span, gaps and revisions, or the row groups of one symbol.
import { judgeSeries } from '#adapters/market-data/csv/judge-series.ts';
import type { Bar } from '#engine/market/instrument.ts';
import { listHistoryFiles, type StoredFile } from '#records/market/history-heads.ts';
import { type BarSource, listInstruments } from '#records/market/instruments.ts';
import { historyFaultReason } from '#rules/reasons/history-reason.ts';
import type { Symbol } from '#units/identifiers.ts';
import { type Instant, isoText } from '#units/instant.ts';
import { counted, type ImportedEnd, showEarlyEnds, showGaps } from './show-history.ts';
import type { HistoryTools } from './write-history.ts';

type Listed = HistoryTools & {
  readonly source: BarSource;
  readonly symbol: Symbol | null;
  /** Null: everything that is known now. */
  readonly knownAt: Instant | null;
};

export async function listHistory({ database, store, source, symbol, knownAt }: Listed): Promise<string[]> {
  const chosen = { source, ...(symbol === null ? {} : { symbols: [symbol] }) };
  const files = await listHistoryFiles(database, chosen);
  if (files.length === 0)
    return [
      symbol === null
        ? 'The history is empty: npm run history -- import FOLDER --kind equity brings files in.'
        : `The history has no bars of ${symbol}: npm run history -- list shows what it has.`,
    ];
  const calendars = new Map((await listInstruments(database)).map((one) => [one.symbol, one.calendar]));
  const lines: string[] = [];
  const ends: ImportedEnd[] = [];
  for (const ofSeries of Map.groupBy(files, (file) => `${file.symbol} ${file.interval}`).values()) {
    const [{ symbol: name, interval }] = ofSeries as [StoredFile];
    const read = store.bars(ofSeries, knownAt === null ? {} : { knownAt });
    if (!read.ok) {
      lines.push(historyFaultReason(read.fault));
      continue;
    }
    lines.push(showStored(ofSeries, read.value));
    const calendar = calendars.get(name);
    if (calendar !== undefined)
      lines.push(...showGaps(name, judgeSeries(read.value, { calendar, interval }).gaps));
    if (symbol !== null) lines.push(...ofSeries.flatMap((file) => showGroups(store, file)));
    const last = read.value.at(-1);
    if (last !== undefined) ends.push({ symbol: name, interval, lastDate: last.date });
  }
  return [...lines, ...showEarlyEnds(ends)];
}

function showStored(files: readonly StoredFile[], bars: readonly Bar[]): string {
  const [{ symbol, interval }] = files as [StoredFile];
  const revised = files.reduce((sum, file) => sum + file.revised, 0);
  const groups = files.reduce((sum, file) => sum + file.rowGroups, 0);
  const span = bars.length === 0 ? '' : `  ${bars[0]!.date} to ${bars.at(-1)!.date}`;
  const parts = `${counted(files.length, 'file')}, ${counted(groups, 'row group')}`;
  return `${symbol.padEnd(12)} ${interval}  ${counted(bars.length, 'bar')}${span}  ${parts}${revised === 0 ? '' : `, ${counted(revised, 'bar')} revised`}`;
}

function showGroups(store: HistoryTools['store'], file: StoredFile): string[] {
  const groups = store.groups(file);
  if (!groups.ok) return [historyFaultReason(groups.fault)];
  return groups.value.map(
    ({ rowGroup, bars, knownAt, from, to }) =>
      `  ${file.file}, row group ${rowGroup}: ${counted(bars, 'bar')} of ${from} to ${to}, known since ${isoText(knownAt)}`,
  );
}
