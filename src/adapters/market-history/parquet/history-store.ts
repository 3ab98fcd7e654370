// The market history in Parquet files under one folder: SOURCE/INTERVAL/SYMBOL/PERIOD.PART.parquet. A part holds one
// shape of numbers; bars that do not fit it to the last bit begin the next part.
import type { Bar } from '#engine/market/instrument.ts';
import type {
  HistoryAnswer,
  HistoryFile,
  HistoryKey,
  HistoryRange,
  HistoryStore,
  KnownGroup,
  PreparedFile,
  PreparedPeriod,
  StoredSeries,
} from '#ports/market-history.ts';
import type { Instant } from '#units/instant.ts';
import {
  BAR_COLUMNS,
  barsOf,
  canHold,
  columnsFor,
  dateOfDay,
  periodOf,
  ROWS_MAX,
  rowGroupOf,
} from './bar-columns.ts';
import { hasFile, openHistoryFile, putHistoryFile, setHistoryFileAside } from './history-files.ts';
import {
  fileSeal,
  type ParquetFile,
  readColumn,
  readParquet,
  type RowGroup,
  withRowGroup,
} from './parquet-file.ts';
import { readRows, type Rows } from './read-rows.ts';

export function parquetHistory(folder: string): HistoryStore {
  return {
    series: (key, files, range = {}) => mapped(openAll(folder, files), (open) => seriesOf(key, open, range)),
    bars: (files, range = {}) =>
      mapped(openAll(folder, files), (open) => barsOf(readRows(open, EVERY, range).columns)),
    groups: (file) => mapped(openHistoryFile(folder, file), ({ parquet }) => groupsOf(parquet)),
    check(file) {
      const opened = openHistoryFile(folder, file);
      if (opened.ok || (opened.fault.code === 'missing' && file.mayBeMissing)) return null;
      return opened.fault;
    },
    prepare(key, asked) {
      const opened = openAll(folder, asked.files);
      if (!opened.ok) return opened;
      const periods = preparePeriods(key, { ...asked, open: opened.value });
      // A file that the records do not know is somebody's: it is not written over.
      const strange = periods.find(
        ({ file }) => file !== null && !asked.names.includes(file.file) && hasFile(folder, file.file),
      );
      if (strange?.file == null) return { ok: true, value: periods };
      return { ok: false, fault: { file: strange.file.file, code: 'unknown', rowGroup: null, days: null } };
    },
    setAside: (file) => setHistoryFileAside(folder, file),
    put: ({ file, bytes }) => putHistoryFile(folder, file, bytes),
  };
}

const EVERY = Object.values(BAR_COLUMNS);
const SERIES = [BAR_COLUMNS.open, BAR_COLUMNS.high, BAR_COLUMNS.low, BAR_COLUMNS.close, BAR_COLUMNS.volume];

type OpenFile = { readonly file: string; readonly parquet: ParquetFile; readonly seal: string };

function openAll(folder: string, files: readonly HistoryFile[]): HistoryAnswer<readonly OpenFile[]> {
  const open: OpenFile[] = [];
  for (const file of files) {
    const opened = openHistoryFile(folder, file);
    if (!opened.ok && opened.fault.code === 'missing' && file.mayBeMissing) continue;
    if (!opened.ok) return opened;
    open.push({ file: file.file, ...opened.value });
  }
  return { ok: true, value: open };
}

function seriesOf(key: HistoryKey, open: readonly OpenFile[], range: HistoryRange): StoredSeries {
  const rows: Rows = readRows(open, SERIES, range);
  const column = (name: keyof typeof BAR_COLUMNS) => rows.columns[BAR_COLUMNS[name]]!;
  return {
    series: {
      symbol: key.symbol,
      interval: key.interval,
      length: rows.closedAt.length,
      closedAt: rows.closedAt,
      open: column('open'),
      high: column('high'),
      low: column('low'),
      close: column('close'),
      volume: column('volume'),
    },
    lastDate: rows.lastDay === null ? null : dateOfDay(rows.lastDay),
    heads: Object.fromEntries(open.map(({ file, seal }) => [file, seal])),
  };
}

function groupsOf(parquet: ParquetFile): KnownGroup[] {
  return parquet.rowGroups.map((group, i) => {
    const days = new Float64Array(group.rows);
    readColumn(parquet, { group, column: BAR_COLUMNS.date }, days);
    const known = new Float64Array(group.rows);
    readColumn(parquet, { group, column: BAR_COLUMNS.knownAt }, known);
    return {
      rowGroup: i + 1,
      bars: group.rows,
      knownAt: known[0]! as Instant,
      from: dateOfDay(days[0]!),
      to: dateOfDay(days.at(-1)!),
    };
  });
}

type Asked = Parameters<HistoryStore['prepare']>[1] & { readonly open: readonly OpenFile[] };

function preparePeriods(key: HistoryKey, { open, names, bars, knownAt }: Asked): PreparedPeriod[] {
  const periods = Map.groupBy(bars, (bar) => periodOf(key.interval, bar));
  return [...periods].map(([period, ofPeriod]) => {
    const prefix = `${key.source}/${key.interval}/${key.symbol}/${period}.`;
    const parts = open.filter(({ file }) => file.startsWith(prefix));
    const { fresh, ...counts } = compare(parts, ofPeriod);
    if (fresh.length === 0) return { ...counts, file: null };
    const last = parts.at(-1);
    const fits = last !== undefined && canHold(last.parquet.columns, fresh);
    const taken = names.filter((name) => name.startsWith(prefix));
    const file = fits ? last.file : `${prefix}${taken.length + 1}.parquet`;
    return { ...counts, file: grown(file, fits ? last.parquet : null, { bars: fresh, knownAt }) };
  });
}

/** Which of these bars are new, which have other numbers than the newest that is known of them. */
function compare(parts: readonly OpenFile[], bars: readonly Bar[]) {
  const { closedAt, columns } = readRows(parts, EVERY, {});
  const rowOf = new Map<number, number>(Array.from(closedAt, (at, row) => [at, row]));
  const own = rowGroupOf(bars, 0 as Instant);
  const fresh: Bar[] = [];
  const revised: Bar[] = [];
  let same = 0;
  for (const [i, bar] of bars.entries()) {
    const row = rowOf.get(bar.closedAt);
    if (row !== undefined && VALUES.every((column) => own[column]![i] === columns[column]![row])) same += 1;
    else fresh.push(bar);
    if (row !== undefined && fresh.at(-1) === bar) revised.push(bar);
  }
  return { fresh, same, added: fresh.length - revised.length, revised: revised.map(({ date }) => date) };
}

const VALUES = EVERY.filter((column) => column !== BAR_COLUMNS.knownAt);

type Fresh = { readonly bars: readonly Bar[]; readonly knownAt: Instant };

function grown(name: string, before: ParquetFile | null, { bars, knownAt }: Fresh): PreparedFile {
  const columns = before?.columns ?? columnsFor(bars);
  let parquet = before;
  let bytes: Buffer = Buffer.alloc(0);
  for (let start = 0; start < bars.length; start += ROWS_MAX) {
    const group: RowGroup = rowGroupOf(bars.slice(start, start + ROWS_MAX), knownAt);
    bytes = withRowGroup(parquet, { name, columns, group });
    parquet = readParquet(bytes);
    if (parquet === null) throw new Error(`${name} cannot be read again`);
  }
  const rowGroups = parquet?.rowGroups ?? [];
  return {
    file: name,
    bytes,
    seal: parquet === null ? '' : fileSeal(bytes, parquet),
    rowGroups: rowGroups.length,
    bars: rowGroups.reduce((sum, { rows }) => sum + rows, 0),
  };
}

function mapped<From, To>(answer: HistoryAnswer<From>, use: (value: From) => To): HistoryAnswer<To> {
  return answer.ok ? { ok: true, value: use(answer.value) } : answer;
}
