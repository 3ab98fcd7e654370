// Thrift's compact protocol, as far as the footer and the page headers of Parquet need it.
// https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md

export type ThriftValue =
  | { readonly type: 'i32' | 'i64'; readonly value: number }
  | { readonly type: 'text'; readonly value: string }
  | { readonly type: 'list'; readonly of: 'i32' | 'text' | 'struct'; readonly items: readonly ThriftItem[] }
  | { readonly type: 'struct'; readonly fields: ThriftFields };
type ThriftItem = number | string | ThriftFields;

/** By field number, ascending. */
export type ThriftFields = readonly (readonly [id: number, value: ThriftValue])[];

const TYPE = { i32: 5, i64: 6, text: 8, list: 9, struct: 12 } as const;

export const i32 = (value: number): ThriftValue => ({ type: 'i32', value });
export const i64 = (value: number): ThriftValue => ({ type: 'i64', value });
export const text = (value: string): ThriftValue => ({ type: 'text', value });
export const struct = (fields: ThriftFields): ThriftValue => ({ type: 'struct', fields });
export const listOf = (of: 'i32' | 'text' | 'struct', items: readonly ThriftItem[]): ThriftValue => ({
  type: 'list',
  of,
  items,
});

export function thriftBytes(fields: ThriftFields): Buffer {
  const bytes: number[] = [];
  writeStruct(bytes, fields);
  return Buffer.from(bytes);
}

function writeStruct(bytes: number[], fields: ThriftFields): void {
  let before = 0;
  for (const [id, value] of fields) {
    bytes.push(((id - before) << 4) | TYPE[value.type]);
    before = id;
    if (value.type === 'list') {
      if (value.items.length < 15) bytes.push((value.items.length << 4) | TYPE[value.of]);
      else {
        bytes.push(0xf0 | TYPE[value.of]);
        writeVarint(bytes, value.items.length);
      }
      for (const item of value.items) writeItem(bytes, item);
    } else writeItem(bytes, value.type === 'struct' ? value.fields : value.value);
  }
  bytes.push(0);
}

function writeItem(bytes: number[], item: ThriftItem): void {
  if (typeof item === 'number') writeVarint(bytes, item >= 0 ? item * 2 : -item * 2 - 1);
  else if (typeof item === 'string') {
    const letters = Buffer.from(item, 'utf8');
    writeVarint(bytes, letters.length);
    bytes.push(...letters);
  } else writeStruct(bytes, item);
}

/** Whole numbers up to 2^53. */
export function writeVarint(bytes: number[], value: number): void {
  let rest = value;
  while (rest >= 128) {
    bytes.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  bytes.push(rest);
}

const LATIN = new TextDecoder('latin1');

/** What a reader asks of a struct: the value of a field by its number. */
export type ReadStruct = ReadonlyMap<number, ReadValue>;
export type ReadValue = number | string | boolean | readonly ReadValue[] | ReadStruct;

/** Reads a struct and leaves `at` behind it. Throws RangeError where the bytes are no struct. */
export class ThriftReader {
  at: number;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array, at: number) {
    this.#bytes = bytes;
    this.at = at;
  }

  struct(): ReadStruct {
    const fields = new Map<number, ReadValue>();
    let id = 0;
    for (;;) {
      const head = this.#byte();
      if (head === 0) return fields;
      id = head >> 4 === 0 ? this.#zigzag() : id + (head >> 4);
      fields.set(id, this.#value(head & 15));
    }
  }

  /** Leaves `at` behind a struct without making its values. */
  skipStruct(): void {
    for (;;) {
      const head = this.#byte();
      if (head === 0) return;
      if (head >> 4 === 0) this.varint();
      const type = head & 15;
      if (type === TYPE.struct) this.skipStruct();
      else if (type >= 3 && type <= 6) while (this.#byte() >= 128);
      else this.#value(type);
    }
  }

  varint(): number {
    let value = 0;
    let unit = 1;
    for (;;) {
      const byte = this.#byte();
      value += (byte & 127) * unit;
      if (byte < 128) return value;
      unit *= 128;
      if (unit > 2 ** 63) throw new RangeError('a number of more than 63 bits');
    }
  }

  #zigzag(): number {
    const value = this.varint();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  #value(type: number): ReadValue {
    if (type === 1 || type === 2) return type === 1;
    if (type >= 3 && type <= 6) return this.#zigzag();
    if (type === TYPE.text) return this.#text();
    if (type === TYPE.struct) return this.struct();
    if (type !== TYPE.list) throw new RangeError(`a value of type ${type}`);
    const head = this.#byte();
    const size = head >> 4 === 15 ? this.varint() : head >> 4;
    if (size > this.#bytes.length) throw new RangeError('a list longer than the file');
    const items: ReadValue[] = [];
    for (let i = 0; i < size; i++) items.push(this.#value(head & 15));
    return items;
  }

  #text(): string {
    const length = this.varint();
    const from = this.at;
    this.at += length;
    if (this.at > this.#bytes.length) throw new RangeError('text beyond the end');
    return LATIN.decode(this.#bytes.subarray(from, this.at));
  }

  #byte(): number {
    const byte = this.#bytes[this.at++];
    if (byte === undefined) throw new RangeError('beyond the end');
    return byte;
  }
}
