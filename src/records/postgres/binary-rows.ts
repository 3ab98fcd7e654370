// Rows in PostgreSQL's binary COPY format: the server reads them without parsing text, which costs it as much as
// storing them.
import type { Instant } from '#units/instant.ts';
import { UUID_BYTES, writeUuid } from './uuid-bytes.ts';

/** Writes one row after another: `row`, then its fields in the order of the columns. A null fits any type. */
export type BinaryRows = {
  row(): void;
  /** Throws RangeError when it is not a UUID. */
  uuid(value: string | null): void;
  text(value: string | null): void;
  integer(value: number): void;
  /** A decimal number as text, as PostgreSQL reads it. Throws RangeError on anything else. */
  numeric(value: string | null): void;
  instant(value: Instant | null): void;
  /** Null is SQL's null. */
  json(value: unknown): void;
  /** All bytes written, with the trailer. Nothing may be written after it. */
  bytes(): Uint8Array;
};

export function binaryRows(columns: number): BinaryRows {
  let bytes = Buffer.allocUnsafe(FIRST_ROOM);
  let used = HEADER.copy(bytes);
  // The same price or quantity occurs in thousands of rows.
  const numerics = new Map<string, Uint8Array>();
  const makeRoom = (most: number) => {
    if (used + most <= bytes.length) return;
    const wider = Buffer.allocUnsafe(Math.max(2 * bytes.length, used + most));
    bytes.copy(wider, 0, 0, used);
    bytes = wider;
  };
  /** Header of a field with this many bytes; null has none. */
  const startField = (length: number) => {
    makeRoom(4 + length);
    used = bytes.writeInt32BE(length, used);
  };
  const nothing = () => startField(NULL);
  const textField = (value: string) => {
    makeRoom(4 + value.length * BYTES_PER_SIGN);
    const length = writeText(bytes, value, used + 4);
    bytes.writeInt32BE(length, used);
    used += 4 + length;
  };
  return {
    row: () => {
      makeRoom(2);
      used = bytes.writeInt16BE(columns, used);
    },
    uuid: (value) => {
      if (value === null) return nothing();
      startField(UUID_BYTES);
      used = writeUuid(bytes, value, used);
    },
    text: (value) => (value === null ? nothing() : textField(value)),
    integer: (value) => {
      startField(4);
      used = bytes.writeInt32BE(value, used);
    },
    numeric: (value) => {
      if (value === null) return nothing();
      let digits = numerics.get(value);
      if (digits === undefined) numerics.set(value, (digits = numericBytes(value)));
      startField(digits.length);
      bytes.set(digits, used);
      used += digits.length;
    },
    instant: (value) => {
      if (value === null) return nothing();
      const micros = (value - START_OF_2000) * 1_000;
      startField(8);
      used = bytes.writeInt32BE(Math.floor(micros / 2 ** 32), used);
      used = bytes.writeUInt32BE(micros - Math.floor(micros / 2 ** 32) * 2 ** 32, used);
    },
    json: (value) => (value === null ? nothing() : textField(JSONB_VERSION + JSON.stringify(value))),
    bytes: () => {
      makeRoom(2);
      return bytes.subarray(0, bytes.writeInt16BE(END, used));
    },
  };
}

/** Returns the number of bytes. Short ASCII texts, nearly all of them, need no call out of JavaScript. */
function writeText(bytes: Buffer, text: string, at: number): number {
  if (text.length > SHORT_TEXT) return bytes.write(text, at);
  for (let i = 0; i < text.length; i++) {
    const sign = text.charCodeAt(i);
    if (sign > LAST_ASCII) return bytes.write(text, at);
    bytes[at + i] = sign;
  }
  return text.length;
}

/** PostgreSQL's numeric: groups of four decimal digits, most significant first, the weight of the first, and the scale. */
function numericBytes(text: string): Uint8Array {
  const [, sign, whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(plainDecimal(text)) ?? [];
  if (whole === '') throw new RangeError(`not a decimal number: ${text}`);
  const wholeDigits = whole.padStart(Math.ceil(whole.length / GROUP) * GROUP, '0');
  const digits = wholeDigits + fraction.padEnd(Math.ceil(fraction.length / GROUP) * GROUP, '0');
  const groups: number[] = [];
  for (let i = 0; i < digits.length; i += GROUP) groups.push(Number(digits.slice(i, i + GROUP)));
  let weight = wholeDigits.length / GROUP - 1;
  for (; groups[0] === 0; weight--) groups.shift();
  while (groups.at(-1) === 0) groups.pop();
  const bytes = Buffer.allocUnsafe(8 + 2 * groups.length);
  let at = bytes.writeInt16BE(groups.length, 0);
  at = bytes.writeInt16BE(groups.length === 0 ? 0 : weight, at);
  at = bytes.writeUInt16BE(sign === '-' && groups.length > 0 ? NEGATIVE : 0, at);
  at = bytes.writeInt16BE(fraction.length, at);
  for (const group of groups) at = bytes.writeInt16BE(group, at);
  return bytes;
}

/** Without the exponent that JavaScript writes for very small and very large numbers. */
function plainDecimal(text: string): string {
  const [, sign = '', whole = '', fraction = '', power] =
    /^(-?)(\d+)(?:\.(\d+))?e([+-]\d+)$/.exec(text) ?? [];
  if (power === undefined) return text;
  const digits = whole + fraction;
  const point = whole.length + Number(power);
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  if (point >= digits.length) return `${sign}${digits.padEnd(point, '0')}`;
  return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
}

/** The signature, no flags, no extension. */
const HEADER = Buffer.from('PGCOPY\n\xFF\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
const END = -1;
const NULL = -1;
const JSONB_VERSION = '\x01';
const NEGATIVE = 0x4000;
/** Decimal digits in one group of a numeric. */
const GROUP = 4;
const START_OF_2000 = Date.UTC(2000, 0, 1);

const FIRST_ROOM = 4_096;
/** The most bytes that UTF-8 needs for one UTF-16 code unit. */
const BYTES_PER_SIGN = 3;
const SHORT_TEXT = 64;
const LAST_ASCII = 127;
