// Bars as one block of bytes: a short head, then a plane of 64-bit floats for each column. Read without copying or
// parsing, so that a million bars are there as fast as their bytes are. Little-endian; another order is refused.
import type { BarSeries } from '../market/bar-series.ts';

/** The columns alone: the instrument and the interval are what the block is filed under. */
export function encodeBars(bars: BarSeries): Uint8Array {
  const { length } = bars;
  const values = new Float64Array(HEAD + PLANES.length * length);
  values[0] = MARK;
  values[1] = length;
  PLANES.forEach((name, i) => values.set(bars[name], HEAD + i * length));
  return new Uint8Array(values.buffer);
}

/** Views into the bytes given. Throws RangeError when they are not a whole block, or its bars not in rising order. */
export function decodeBars(bytes: Uint8Array, of: Pick<BarSeries, 'symbol' | 'interval'>): BarSeries {
  const { buffer, byteOffset, byteLength } = onEighthByte(bytes);
  if (byteLength < HEAD * 8 || byteLength % 8 !== 0)
    throw new RangeError(`not a block of bars: ${byteLength} bytes`);
  const values = new Float64Array(buffer, byteOffset, byteLength / 8);
  const length = values[1]!;
  if (values[0] !== MARK || values.length !== HEAD + PLANES.length * length) {
    throw new RangeError('not a whole block of bars, or one of another byte order');
  }
  const plane = (i: number) => values.subarray(HEAD + i * length, HEAD + (i + 1) * length);
  const closedAt = plane(0);
  for (let i = 1; i < length; i++) {
    if (!(closedAt[i]! > closedAt[i - 1]!)) throw new RangeError(`bars of ${of.symbol} out of order at ${i}`);
  }
  return {
    symbol: of.symbol,
    interval: of.interval,
    length,
    closedAt,
    open: plane(1),
    high: plane(2),
    low: plane(3),
    close: plane(4),
    volume: plane(5),
  };
}

/** Floats are read in place where they lie on an eighth byte; else they are moved once. */
function onEighthByte(bytes: Uint8Array): Uint8Array {
  return bytes.byteOffset % 8 === 0 ? bytes : bytes.slice();
}

const PLANES = ['closedAt', 'open', 'high', 'low', 'close', 'volume'] as const;
const HEAD = 2;
/** Any number that no other byte order reads as itself. */
const MARK = 1_650_553_459.25;
