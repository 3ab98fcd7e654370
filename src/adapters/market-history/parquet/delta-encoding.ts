// DELTA_BINARY_PACKED of Parquet: whole numbers as differences from the one before, packed to the bits that they need.
// https://parquet.apache.org/docs/file-format/data-pages/encodings/
import { writeVarint } from './thrift.ts';

const BLOCK = 128;
const MINI_BLOCKS = 4;
const MINI_BLOCK = BLOCK / MINI_BLOCKS;

/** Differences of such numbers, and differences of those, are exact. */
export const DELTA_MAX = 2 ** 51;

/** Whole numbers of at most DELTA_MAX. */
export function encodeDelta(values: Float64Array): Buffer {
  const bytes: number[] = [];
  for (const head of [BLOCK, MINI_BLOCKS, values.length]) writeVarint(bytes, head);
  writeVarint(bytes, zigzag(values[0] ?? 0));
  const deltas = new Float64Array(BLOCK);
  for (let start = 1; start < values.length; start += BLOCK) {
    const count = Math.min(BLOCK, values.length - start);
    let least = Infinity;
    for (let i = 0; i < count; i++) {
      deltas[i] = values[start + i]! - values[start + i - 1]!;
      if (deltas[i]! < least) least = deltas[i]!;
    }
    writeVarint(bytes, zigzag(least));
    for (let i = 0; i < BLOCK; i++) deltas[i] = i < count ? deltas[i]! - least : 0;
    const widths = Array.from({ length: MINI_BLOCKS }, (_, mini) => widthOf(deltas, mini * MINI_BLOCK));
    bytes.push(...widths);
    for (const [mini, width] of widths.entries()) pack(bytes, deltas, { from: mini * MINI_BLOCK, width });
  }
  return Buffer.from(bytes);
}

function zigzag(value: number): number {
  return value >= 0 ? value * 2 : -value * 2 - 1;
}

function widthOf(deltas: Float64Array, from: number): number {
  let most = 0;
  for (let i = from; i < from + MINI_BLOCK; i++) if (deltas[i]! > most) most = deltas[i]!;
  let width = 0;
  while (2 ** width <= most) width++;
  return width;
}

function pack(bytes: number[], deltas: Float64Array, at: { readonly from: number; readonly width: number }) {
  let [pending, bits] = [0, 0];
  for (let i = at.from; i < at.from + MINI_BLOCK; i++) {
    // In parts of 16 bits, so that what is pending stays below 2^24.
    let rest = deltas[i]!;
    for (let left = at.width; left > 0; left -= 16) {
      const part = rest % 65_536;
      rest = Math.floor(rest / 65_536);
      pending += part * 2 ** bits;
      bits += Math.min(left, 16);
      while (bits >= 8) {
        bytes.push(pending % 256);
        pending = Math.floor(pending / 256);
        bits -= 8;
      }
    }
  }
}

/** The bytes of a file, seen in the two ways that decoding needs. */
export type FileBytes = { readonly bytes: Uint8Array; readonly view: DataView };

export type Packed = { readonly at: number; readonly count: number };

/**
 * Fills `out` from `start` with the numbers packed at `at`, each divided by `divisor`. At least 8 bytes must follow them,
 * as a footer does. Throws RangeError where they are no such page.
 */
export function decodeDelta(
  { bytes, view }: FileBytes,
  { at, count }: Packed,
  out: Float64Array,
  { start, divisor }: { readonly start: number; readonly divisor: number },
): void {
  const cursor = { at };
  const [block, minis, total] = [
    readVarint(bytes, cursor),
    readVarint(bytes, cursor),
    readVarint(bytes, cursor),
  ];
  if (block !== BLOCK || minis !== MINI_BLOCKS || total !== count) throw new RangeError('another page');
  const run: Run = {
    bit: 0,
    width: 0,
    least: 0,
    value: readZigzag(bytes, cursor),
    next: start + 1,
    until: 0,
  };
  if (count > 0) out[start] = run.value / divisor;
  const end = start + count;
  while (run.next < end) {
    run.least = readZigzag(bytes, cursor);
    const widthsAt = cursor.at;
    let from = widthsAt + MINI_BLOCKS;
    for (let mini = 0; mini < MINI_BLOCKS && run.next < end; mini++) {
      run.width = bytes[widthsAt + mini]!;
      run.bit = from * 8;
      run.until = Math.min(run.next + MINI_BLOCK, end);
      if (run.width <= 25) unpack(view, out, run, divisor);
      else unpackWide(view, out, run, divisor);
      from += run.width * (MINI_BLOCK / 8);
    }
    cursor.at = from;
  }
}

/** One for all mini-blocks of a page: an object for each would take longer than its numbers. */
type Run = {
  /** Where the next mini-block begins. */
  bit: number;
  width: number;
  least: number;
  /** The number before `next`. */
  value: number;
  next: number;
  until: number;
};

function unpack(view: DataView, out: Float64Array, run: Run, divisor: number): void {
  const { width, least, until } = run;
  const mask = (1 << width) - 1;
  let { bit, value } = run;
  for (let i = run.next; i < until; i++) {
    value += least + ((view.getUint32(bit >>> 3, true) >>> (bit & 7)) & mask);
    out[i] = value / divisor;
    bit += width;
  }
  run.value = value;
  run.next = until;
}

function unpackWide(view: DataView, out: Float64Array, run: Run, divisor: number): void {
  const { width, least, until } = run;
  if (width > 53) throw new RangeError('a number of more than 53 bits');
  let { bit, value } = run;
  for (let i = run.next; i < until; i++) {
    value += least + wide(view, bit, width);
    out[i] = value / divisor;
    bit += width;
  }
  run.value = value;
  run.next = until;
}

function wide(view: DataView, bit: number, width: number): number {
  const shift = bit & 7;
  const low = view.getUint32(bit >>> 3, true) >>> shift;
  const more = width - (32 - shift);
  if (more <= 0) return width === 32 ? low : low % 2 ** width;
  const high = view.getUint32((bit >>> 3) + 4, true) & (2 ** more - 1);
  return low + high * 2 ** (32 - shift);
}

type Cursor = { at: number };

function readVarint(bytes: Uint8Array, cursor: Cursor): number {
  let [value, unit] = [0, 1];
  for (;;) {
    const byte = bytes[cursor.at++];
    if (byte === undefined || unit > 2 ** 56) throw new RangeError('no number');
    value += (byte & 127) * unit;
    if (byte < 128) return value;
    unit *= 128;
  }
}

function readZigzag(bytes: Uint8Array, cursor: Cursor): number {
  const value = readVarint(bytes, cursor);
  return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
}
