// A Parquet file of whole-number and floating-point columns, one page of rows a column, without compression: what this
// store writes, and any tool reads. Each row group carries a seal over its bytes and the seal before it, and a file can grow by
// a row group without a byte of the earlier ones changing. https://parquet.apache.org/docs/file-format/
import { createHash, hash } from 'node:crypto';
import { decodeDelta, encodeDelta, type FileBytes } from './delta-encoding.ts';
import { decodeRunLengths, encodeRunLengths } from './run-lengths.ts';
import {
  i32,
  i64,
  listOf,
  type ReadStruct,
  type ReadValue,
  struct,
  text,
  type ThriftFields,
  thriftBytes,
  ThriftReader,
} from './thrift.ts';

/** decimal: a number with that many decimals, stored whole. */
export type ColumnType = 'int32' | 'date' | 'timestamp' | 'double' | { readonly decimals: number };
export type Column = { readonly name: string; readonly type: ColumnType };

/** Rows of one write, a column of numbers each, in the order of the file's columns. */
export type RowGroup = readonly Float64Array[];

/** Where a column's rows begin, and the dictionary before them where it has one. */
type Page = { readonly at: number; readonly dictionaryAt: number | null };

export type StoredRowGroup = {
  readonly rows: number;
  /** Where its bytes begin and end. */
  readonly from: number;
  readonly to: number;
  readonly pages: readonly Page[];
  readonly seal: string;
};

export type ParquetFile = {
  readonly data: FileBytes;
  readonly columns: readonly Column[];
  readonly rowGroups: readonly StoredRowGroup[];
};

const MAGIC = Buffer.from('PAR1');
const TAIL_BYTES = 8;
const PHYSICAL = { int32: 1, int64: 2, double: 5 } as const;
const CONVERTED = { decimal: 5, date: 6, timestamp: 9 } as const;
const ENCODING = { plain: 0, rle: 3, delta: 5, dictionary: 8 } as const;
const PAGE = { rows: 0, dictionary: 2 } as const;
const SEALS = 'bellwether.seals';

/** The file with one more row group: a new file where there is none yet. */
export function withRowGroup(
  before: ParquetFile | null,
  {
    name,
    columns,
    group,
  }: { readonly name: string; readonly columns: readonly Column[]; readonly group: RowGroup },
): Buffer {
  const end = before?.rowGroups.at(-1)?.to ?? MAGIC.length;
  const kept = before === null ? MAGIC : Buffer.from(before.data.bytes.subarray(0, end));
  const pages: Page[] = [];
  const parts: Buffer[] = [];
  let at = end;
  for (const [i, column] of columns.entries()) {
    const { dictionary, rows } = pageBytes(column, group[i]!);
    pages.push({ at: at + dictionary.length, dictionaryAt: dictionary.length === 0 ? null : at });
    parts.push(dictionary, rows);
    at += dictionary.length + rows.length;
  }
  const bytes = Buffer.concat(parts);
  const rows = group[0]?.length ?? 0;
  const seal = sealOf(before?.rowGroups.at(-1)?.seal ?? firstSeal(name), bytes);
  const rowGroups = [...(before?.rowGroups ?? []), { rows, from: end, to: at, pages, seal }];
  return Buffer.concat([kept, bytes, ending(columns, rowGroups)]);
}

/** Null where the bytes are no file of this store. Seals are read, not checked. */
export function readParquet(bytes: Buffer): ParquetFile | null {
  const footer = footerOf(bytes);
  if (footer === null) return null;
  try {
    const read = new ThriftReader(bytes, footer.from).struct();
    const columns = structs(read.get(2)).slice(1).map(columnOf);
    const seals = sealsOf(read);
    const data = { bytes, view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength) };
    const rowGroups = structs(read.get(4)).map((group, i) => rowGroupOf(group, seals[i]));
    const isWhole = rowGroups.every(
      (group, i) =>
        group.pages.length === columns.length &&
        group.from === (rowGroups[i - 1]?.to ?? MAGIC.length) &&
        group.to <= footer.from,
    );
    return isWhole ? { data, columns, rowGroups } : null;
  } catch (error) {
    if (error instanceof RangeError || error instanceof TypeError) return null;
    throw error;
  }
}

/** The seal over the last row group, the footer and the first and last bytes: it changes with every byte of the file. */
export function fileSeal(bytes: Buffer, { rowGroups }: ParquetFile): string {
  const last = rowGroups.at(-1);
  return createHash('sha256')
    .update(last?.seal ?? '')
    .update(bytes.subarray(0, MAGIC.length))
    .update(bytes.subarray(last?.to ?? MAGIC.length))
    .digest('hex');
}

/** The number, from 1, of the first row group that is not as it was sealed; null when all are. */
export function findChangedGroup(name: string, { data, rowGroups }: ParquetFile): number | null {
  let before = firstSeal(name);
  for (const [i, { from, to, seal }] of rowGroups.entries()) {
    if (sealOf(before, data.bytes.subarray(from, to)) !== seal) return i + 1;
    before = seal;
  }
  return null;
}

/** Whether the footer is, byte for byte, the one that is written for these columns and row groups. */
export function isAsWritten(bytes: Buffer, { columns, rowGroups }: ParquetFile): boolean {
  return bytes.subarray(rowGroups.at(-1)?.to ?? MAGIC.length).equals(ending(columns, rowGroups));
}

/** Fills `out` from `start` with the numbers of one column of one row group. Throws RangeError where there are none. */
export function readColumn(
  file: ParquetFile,
  { group, column }: { readonly group: StoredRowGroup; readonly column: number },
  out: Float64Array,
  start = 0,
): void {
  const { type } = file.columns[column]!;
  const { at, dictionaryAt } = group.pages[column]!;
  const count = group.rows;
  const rowsAt = afterHeader(file, at);
  if (dictionaryAt !== null) {
    const pages = { dictionaryAt: afterHeader(file, dictionaryAt), indicesAt: rowsAt, count };
    decodeRunLengths(file.data, pages, out, start);
  } else if (type !== 'double') {
    const divisor = typeof type === 'object' ? 10 ** type.decimals : 1;
    decodeDelta(file.data, { at: rowsAt, count }, out, { start, divisor });
  } else for (let i = 0; i < count; i++) out[start + i] = file.data.view.getFloat64(rowsAt + i * 8, true);
}

function afterHeader({ data }: ParquetFile, page: number): number {
  const reader = new ThriftReader(data.bytes, page);
  reader.skipStruct();
  return reader.at;
}

function firstSeal(name: string): string {
  return hash('sha256', name, 'hex');
}

function sealOf(before: string, bytes: Uint8Array): string {
  return createHash('sha256').update(before).update(bytes).digest('hex');
}

/** The page of a column, and the dictionary before it where runs of equal numbers take less. */
function pageBytes(
  { type }: Column,
  values: Float64Array,
): { readonly dictionary: Buffer; readonly rows: Buffer } {
  const factor = typeof type === 'object' ? 10 ** type.decimals : 1;
  const encoded =
    type === 'double'
      ? rowsPage(values.length, ENCODING.plain, plainBytes(values))
      : rowsPage(
          values.length,
          ENCODING.delta,
          encodeDelta(factor === 1 ? values : values.map((value) => Math.round(value * factor))),
        );
  const runs = type === 'int32' ? encodeRunLengths(values) : null;
  if (runs === null) return { dictionary: Buffer.alloc(0), rows: encoded };
  const dictionary = page(PAGE.dictionary, runs.dictionary, [
    7,
    struct([
      [1, i32(runs.values)],
      [2, i32(ENCODING.plain)],
    ]),
  ]);
  const rows = rowsPage(values.length, ENCODING.dictionary, runs.indices);
  return dictionary.length + rows.length < encoded.length
    ? { dictionary, rows }
    : { dictionary: Buffer.alloc(0), rows: encoded };
}

function rowsPage(rows: number, encoding: number, data: Buffer): Buffer {
  return page(PAGE.rows, data, [
    5,
    struct([
      [1, i32(rows)],
      [2, i32(encoding)],
      [3, i32(ENCODING.rle)],
      [4, i32(ENCODING.rle)],
    ]),
  ]);
}

function page(kind: number, data: Buffer, header: ThriftFields[number]): Buffer {
  return Buffer.concat([
    thriftBytes([[1, i32(kind)], [2, i32(data.length)], [3, i32(data.length)], header]),
    data,
  ]);
}

function plainBytes(values: Float64Array): Buffer {
  const bytes = Buffer.alloc(values.length * 8);
  for (const [i, value] of values.entries()) bytes.writeDoubleLE(value, i * 8);
  return bytes;
}

/** The footer, its length and the last bytes. */
function ending(columns: readonly Column[], rowGroups: readonly StoredRowGroup[]): Buffer {
  const footer = footerBytes(columns, rowGroups);
  const tail = Buffer.alloc(TAIL_BYTES);
  tail.writeUInt32LE(footer.length, 0);
  MAGIC.copy(tail, 4);
  return Buffer.concat([footer, tail]);
}

function footerBytes(columns: readonly Column[], rowGroups: readonly StoredRowGroup[]): Buffer {
  return thriftBytes([
    [1, i32(1)],
    [
      2,
      listOf('struct', [
        [
          [4, text('bars')],
          [5, i32(columns.length)],
        ],
        ...columns.map(schemaElement),
      ]),
    ],
    [3, i64(rowGroups.reduce((sum, { rows }) => sum + rows, 0))],
    [
      4,
      listOf(
        'struct',
        rowGroups.map((group) => rowGroupFields(columns, group)),
      ),
    ],
    [
      5,
      listOf('struct', [
        [
          [1, text(SEALS)],
          [2, text(rowGroups.map(({ seal }) => seal).join(' '))],
        ],
      ]),
    ],
    [6, text('bellwether')],
  ]);
}

function schemaElement({ name, type }: Column): ThriftFields {
  const fields: ThriftFields = [
    [1, i32(physicalType(type))],
    [3, i32(0)],
    [4, text(name)],
  ];
  if (typeof type === 'object')
    return [...fields, [6, i32(CONVERTED.decimal)], [7, i32(type.decimals)], [8, i32(DECIMAL_DIGITS)]];
  return type === 'date' || type === 'timestamp' ? [...fields, [6, i32(CONVERTED[type])]] : fields;
}

/** What fits 64 bits. */
const DECIMAL_DIGITS = 18;

function physicalType(type: ColumnType): number {
  if (type === 'double') return PHYSICAL.double;
  return type === 'int32' || type === 'date' ? PHYSICAL.int32 : PHYSICAL.int64;
}

function rowGroupFields(columns: readonly Column[], group: StoredRowGroup): ThriftFields {
  const chunks = columns.map(({ name, type }, i): ThriftFields => {
    const { at, dictionaryAt } = group.pages[i]!;
    const from = dictionaryAt ?? at;
    const next = group.pages[i + 1];
    const size = (next?.dictionaryAt ?? next?.at ?? group.to) - from;
    const rowsEncoding = type === 'double' ? ENCODING.plain : ENCODING.delta;
    const encodings = dictionaryAt === null ? [rowsEncoding] : [ENCODING.plain, ENCODING.dictionary];
    const meta: ThriftFields = [
      [1, i32(physicalType(type))],
      [2, listOf('i32', [...encodings, ENCODING.rle])],
      [3, listOf('text', [name])],
      [4, i32(0)],
      [5, i64(group.rows)],
      [6, i64(size)],
      [7, i64(size)],
      [9, i64(at)],
      ...(dictionaryAt === null ? [] : ([[11, i64(dictionaryAt)]] as const)),
    ];
    return [
      [2, i64(from)],
      [3, struct(meta)],
    ];
  });
  return [
    [1, listOf('struct', chunks)],
    [2, i64(group.to - group.from)],
    [3, i64(group.rows)],
  ];
}

function footerOf(bytes: Buffer): { readonly from: number } | null {
  const { length } = bytes;
  if (length < MAGIC.length + TAIL_BYTES) return null;
  if (!bytes.subarray(0, MAGIC.length).equals(MAGIC) || !bytes.subarray(length - MAGIC.length).equals(MAGIC))
    return null;
  const from = length - TAIL_BYTES - bytes.readUInt32LE(length - TAIL_BYTES);
  return from < MAGIC.length ? null : { from };
}

function columnOf(element: ReadStruct): Column {
  const converted = element.get(6);
  const name = String(element.get(4));
  if (converted === CONVERTED.decimal) return { name, type: { decimals: number(element.get(7)) } };
  if (converted === CONVERTED.date) return { name, type: 'date' };
  if (converted === CONVERTED.timestamp) return { name, type: 'timestamp' };
  return { name, type: element.get(1) === PHYSICAL.double ? 'double' : 'int32' };
}

function rowGroupOf(group: ReadStruct, seal: string | undefined): StoredRowGroup {
  const chunks = structs(group.get(1));
  const pages = chunks.map(pageOf);
  const from = pages[0]?.dictionaryAt ?? pages[0]?.at;
  if (seal === undefined || from === undefined) throw new RangeError('a row group without a seal');
  return { rows: number(group.get(3)), from, to: from + number(group.get(2)), pages, seal };
}

function pageOf(chunk: ReadStruct): Page {
  const meta = chunk.get(3);
  if (!(meta instanceof Map)) throw new RangeError('a column without its place');
  const dictionaryAt = meta.get(11);
  return { at: number(meta.get(9)), dictionaryAt: dictionaryAt === undefined ? null : number(dictionaryAt) };
}

function sealsOf(read: ReadStruct): readonly string[] {
  const entry = structs(read.get(5)).find((one) => one.get(1) === SEALS);
  return String(entry?.get(2) ?? '').split(' ');
}

function structs(value: ReadValue | undefined): readonly ReadStruct[] {
  if (!Array.isArray(value)) throw new RangeError('no list');
  return value as readonly ReadStruct[];
}

function number(value: ReadValue | undefined): number {
  if (typeof value !== 'number') throw new RangeError('no number');
  return value;
}
