// Rows that go into a table by COPY: the fastest way in, all of them or none. COPY cannot say "on conflict", so a key
// that is there already fails the whole statement, which is what makes a repeat of a batch harmless.
import { CompiledQuery, type Transaction } from 'kysely';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { type Instant, isoText } from '#units/instant.ts';
import type { Tables } from './tables.ts';

/** PostgreSQL's text format: fields between tabs, a line per row. Null is \N. */
export type CopyText = { readonly copyText: string };

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

/** `lines` are rows in the text format, one line each with its end. */
export async function copyRows(
  trx: Transaction<Tables>,
  into: { readonly table: string; readonly columns: readonly string[] },
  lines: string,
): Promise<void> {
  if (lines === '') return;
  const text = `copy ${into.table} (${into.columns.join(', ')}) from stdin`;
  await trx.executeQuery(CompiledQuery.raw(text, [{ copyText: lines } satisfies CopyText]));
}

/** A connection that takes a COPY as a statement whose only parameter is the rows. */
export class CopyingClient extends pg.Client {
  override query = ((...args: unknown[]) => {
    const [text, values] = args;
    const [rows] = Array.isArray(values) ? values : [];
    return typeof text === 'string' && isCopyText(rows) ? this.#copy(text, rows) : this.#query(...args);
  }) as pg.Client['query'];

  #query(...args: unknown[]): unknown {
    return Reflect.apply(super.query, this, args);
  }

  #copy(text: string, { copyText }: CopyText): Promise<{ command: string; rowCount: number; rows: never[] }> {
    return new Promise((resolve, reject) => {
      const stream = copyFrom(text);
      stream.once('error', reject);
      stream.once('finish', () => resolve({ command: 'COPY', rowCount: stream.rowCount, rows: [] }));
      this.#query(stream);
      stream.end(Buffer.from(copyText));
    });
  }
}

function isCopyText(value: unknown): value is CopyText {
  return typeof value === 'object' && value !== null && 'copyText' in value;
}

const NEEDS_ESCAPE = /[\\\t\n\r]/;
const EVERY_ESCAPE = /[\\\t\n\r]/g;
const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };
