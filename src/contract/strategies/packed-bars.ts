// The bars behind a result as bytes: columns of whole numbers, each the step from the one before, where a column has few
// decimals; doubles where it has not. Every value comes back bit for bit.
//
// The file: MAGIC, then for each series the length of its head (uint32), the head as JSON, and its columns in the order
// of COLUMNS. All numbers are little-endian.
import { BARS_FORMAT, type PassportSeries, type SeriesOf } from '#engine/evidence/passport.ts';

export const PACKED_MAGIC = 'bwbars/1';

const COLUMNS = ['closed_at', 'open', 'high', 'low', 'close', 'volume'] as const;

export type PackedSeries = SeriesOf<Float64Array, Float64Array>;

export type PackedBars = { readonly format: typeof BARS_FORMAT; readonly series: readonly PackedSeries[] };

/** How a column is written. steps: int32 steps from `first`, in units of 1 / `scale`. */
type Form =
  | { readonly form: 'doubles' }
  | { readonly form: 'steps'; readonly first: number; readonly scale: number };

type Head = Pick<PassportSeries, 'instrument' | 'interval' | 'actions'> & {
  readonly rows: number;
  readonly forms: readonly Form[];
};

/** One series, to be written after the magic and the series before it. */
export function packSeries({
  instrument,
  interval,
  actions,
  scores,
  ...columns
}: PassportSeries): Uint8Array {
  const values = COLUMNS.map((name) => Float64Array.from(columns[name]));
  if (scores !== undefined) values.push(Float64Array.from(scores, (score) => score ?? Number.NaN));
  const forms = values.map(formOf);
  const head: Head = {
    instrument,
    interval,
    ...(actions === undefined ? {} : { actions }),
    rows: values[0]!.length,
    forms,
  };
  const text = new TextEncoder().encode(JSON.stringify(head));
  const parts = values.map((column, i) => columnBytes(column, forms[i]!));
  const bytes = new Uint8Array(4 + text.length + parts.reduce((sum, { length }) => sum + length, 0));
  new DataView(bytes.buffer).setUint32(0, text.length, true);
  bytes.set(text, 4);
  let at = 4 + text.length;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** Throws RangeError for bytes that are no such file. */
export function unpackBars(bytes: Uint8Array): PackedBars {
  const begin = new TextDecoder().decode(bytes.subarray(0, PACKED_MAGIC.length));
  if (begin !== PACKED_MAGIC) throw new RangeError(`the prices are not in the format ${PACKED_MAGIC}`);
  const series: PackedSeries[] = [];
  for (let at = PACKED_MAGIC.length; at < bytes.length; ) {
    const { one, end } = unpackSeries(bytes, at);
    series.push(one);
    at = end;
  }
  return { format: BARS_FORMAT, series };
}

function unpackSeries(bytes: Uint8Array, from: number): { readonly one: PackedSeries; readonly end: number } {
  const size = cut(bytes, from, 4).getUint32(0, true);
  let at = from + 4 + size;
  cut(bytes, from + 4, size);
  const head = JSON.parse(new TextDecoder().decode(bytes.subarray(from + 4, at))) as Head;
  const { instrument, interval, actions, rows, forms } = head;
  const columns = forms.map((form) => {
    const view = cut(bytes, at, rows * widthOf(form));
    at += view.byteLength;
    return columnOf(view, rows, form);
  });
  const [closed_at, open, high, low, close, volume, scores] = columns;
  const one = {
    instrument,
    interval,
    closed_at: closed_at!,
    open: open!,
    high: high!,
    low: low!,
    close: close!,
    volume: volume!,
    ...(actions === undefined ? {} : { actions }),
    ...(scores === undefined ? {} : { scores }),
  };
  return { one, end: at };
}

function cut(bytes: Uint8Array, at: number, length: number): DataView {
  if (at + length > bytes.length) throw new RangeError('the prices end in the middle');
  return new DataView(bytes.buffer, bytes.byteOffset + at, length);
}

function widthOf({ form }: Form): number {
  return form === 'steps' ? 4 : 8;
}

function columnBytes(column: Float64Array, form: Form): Uint8Array {
  const view = new DataView(new ArrayBuffer(column.length * widthOf(form)));
  if (form.form === 'doubles') {
    column.forEach((value, i) => view.setFloat64(8 * i, value, true));
  } else {
    let before = form.first;
    column.forEach((value, i) => {
      const whole = Math.round(value * form.scale);
      view.setInt32(4 * i, whole - before, true);
      before = whole;
    });
  }
  return new Uint8Array(view.buffer);
}

function columnOf(view: DataView, rows: number, form: Form): Float64Array {
  const column = new Float64Array(rows);
  if (form.form === 'doubles') {
    for (let i = 0; i < rows; i++) column[i] = view.getFloat64(8 * i, true);
    return column;
  }
  let whole = form.first;
  for (let i = 0; i < rows; i++) {
    whole += view.getInt32(4 * i, true);
    column[i] = whole / form.scale;
  }
  return column;
}

/** Steps with the fewest decimals that lose nothing. */
function formOf(column: Float64Array): Form {
  for (const scale of SCALES) {
    const first = Math.round((column[0] ?? 0) * scale);
    if (isExact(column, first, scale)) return { form: 'steps', first, scale };
  }
  return { form: 'doubles' };
}

function isExact(column: Float64Array, first: number, scale: number): boolean {
  let before = first;
  for (let i = 0; i < column.length; i++) {
    const value = column[i]!;
    const step = Math.round(value * scale) - before;
    before += step;
    if (!Object.is(before / scale, value) || step !== (step | 0)) return false;
  }
  return Number.isSafeInteger(first);
}

const SCALES = [1, 100, 10_000, 100_000, 1_000_000];
