// Rows that go into a table by COPY: the fastest way in, all of them or none. COPY cannot say "on conflict", so a key
// that is there already fails the whole statement, which is what makes a repeat of a batch harmless.
import { CompiledQuery, type Transaction } from 'kysely';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { type Instant, isoText } from '#units/instant.ts';
import type { Tables } from './tables.ts';

/** PostgreSQL's text format: fields between tabs, a line per row. Null is \N. */
type CopyBytes = { readonly copyBytes: Uint8Array };

/** A field of text, with the signs that separate fields escaped. */
export function copyField(text: string): string {
  return NEEDS_ESCAPE.test(text) ? text.replace(EVERY_ESCAPE, (sign) => ESCAPES[sign] ?? sign) : text;
}

export const COPY_NULL = '\\N';

/** Writes instants as text; the rows of one batch mostly share one. */
export function isoTexts(): (at: Instant) => string {
  let last: Instant | null = null;
  let text = '';
  return (at) => {
    if (at !== last) text = isoText((last = at));
    return text;
  };
}

type CopyLines = {
  /** A row in the text format, with its end. */
  add(line: string): void;
  bytes(): Uint8Array;
};

/** Lines become bytes one by one: a text of thousands of them would be moved in memory again and again as it grows. */
export function copyLines(): CopyLines {
  let bytes = Buffer.allocUnsafe(FIRST_ROOM);
  let used = 0;
  return {
    add(line) {
      const most = used + line.length * BYTES_PER_SIGN;
      if (most > bytes.length) {
        const wider = Buffer.allocUnsafe(Math.max(2 * bytes.length, most));
        bytes.copy(wider, 0, 0, used);
        bytes = wider;
      }
      used += bytes.write(line, used);
    },
    bytes: () => bytes.subarray(0, used),
  };
}

/** `lines` are rows in the text format, one line each with its end. */
export async function copyRows(
  trx: Transaction<Tables>,
  into: { readonly table: string; readonly columns: readonly string[] },
  lines: Uint8Array,
): Promise<void> {
  if (lines.length === 0) return;
  const text = `copy ${into.table} (${into.columns.join(', ')}) from stdin`;
  await trx.executeQuery(CompiledQuery.raw(text, [{ copyBytes: lines } satisfies CopyBytes]));
}

/** A connection that takes a COPY as a statement whose only parameter is the rows. */
export class CopyingClient extends pg.Client {
  override query = ((...args: unknown[]) => {
    const [text, values] = args;
    const [rows] = Array.isArray(values) ? values : [];
    return typeof text === 'string' && isCopyBytes(rows) ? this.#copy(text, rows) : this.#query(...args);
  }) as pg.Client['query'];

  #query(...args: unknown[]): unknown {
    return Reflect.apply(super.query, this, args);
  }

  #copy(
    text: string,
    { copyBytes }: CopyBytes,
  ): Promise<{ command: string; rowCount: number; rows: never[] }> {
    return new Promise((resolve, reject) => {
      const stream = copyFrom(text);
      stream.once('error', reject);
      stream.once('finish', () => resolve({ command: 'COPY', rowCount: stream.rowCount, rows: [] }));
      this.#query(stream);
      stream.end(copyBytes);
    });
  }
}

function isCopyBytes(value: unknown): value is CopyBytes {
  return typeof value === 'object' && value !== null && 'copyBytes' in value;
}

const FIRST_ROOM = 4_096;
/** The most that UTF-8 takes for one UTF-16 code unit. */
const BYTES_PER_SIGN = 3;

const NEEDS_ESCAPE = /[\\\t\n\r]/;
const EVERY_ESCAPE = /[\\\t\n\r]/g;
const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };
