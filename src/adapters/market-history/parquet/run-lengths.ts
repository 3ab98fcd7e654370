// RLE_DICTIONARY of Parquet: the few values of a column once, then which of them holds for how many rows. For what is
// the same on most days, such as the hour of a close. https://parquet.apache.org/docs/file-format/data-pages/encodings/
import type { FileBytes } from './delta-encoding.ts';
import { writeVarint } from './thrift.ts';

export type RunLengths = { readonly dictionary: Buffer; readonly indices: Buffer; readonly values: number };

/** 32-bit numbers. Null where they are more than an index of one byte tells apart. */
export function encodeRunLengths(values: Float64Array): RunLengths | null {
  const indexOf = new Map<number, number>();
  const runs: number[] = [];
  for (let row = 0; row < values.length; ) {
    const value = values[row]!;
    const from = row;
    while (row < values.length && values[row] === value) row++;
    if (!indexOf.has(value)) indexOf.set(value, indexOf.size);
    if (indexOf.size > INDICES) return null;
    writeVarint(runs, (row - from) * 2);
    runs.push(indexOf.get(value)!);
  }
  const dictionary = Buffer.alloc(indexOf.size * VALUE_BYTES);
  for (const [value, index] of indexOf) dictionary.writeInt32LE(value, index * VALUE_BYTES);
  return { dictionary, indices: Buffer.from([INDEX_BITS, ...runs]), values: indexOf.size };
}

export type RunLengthPages = {
  readonly dictionaryAt: number;
  readonly indicesAt: number;
  readonly count: number;
};

/** Fills `out` from `start`. Throws RangeError where the pages are others. */
export function decodeRunLengths(
  { bytes, view }: FileBytes,
  { dictionaryAt, indicesAt, count }: RunLengthPages,
  out: Float64Array,
  start: number,
): void {
  if (bytes[indicesAt] !== INDEX_BITS) throw new RangeError('another page');
  const end = start + count;
  let at = indicesAt + 1;
  for (let row = start; row < end; ) {
    let [head, unit] = [0, 1];
    for (;;) {
      const byte = bytes[at++];
      if (byte === undefined || unit > 2 ** 28) throw new RangeError('no run');
      head += (byte & 127) * unit;
      if (byte < 128) break;
      unit *= 128;
    }
    const until = row + head / 2;
    // An odd head begins rows of another form, which this store never writes.
    if (head === 0 || head % 2 === 1 || until > end) throw new RangeError('another page');
    out.fill(view.getInt32(dictionaryAt + bytes[at++]! * VALUE_BYTES, true), row, until);
    row = until;
  }
}

const INDEX_BITS = 8;
const INDICES = 2 ** INDEX_BITS;
const VALUE_BYTES = 4;
