// Rows written to a table by COPY: the fastest way, all or none. COPY has no "on conflict", so an existing key fails the
// whole statement, which makes a repeated batch harmless.
import { CompiledQuery, type Transaction } from 'kysely';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { Tables } from '../tables.ts';

type CopyBytes = { readonly copyBytes: Uint8Array };

/** The bytes of `binaryRows`, with the same number of columns. */
export async function copyRows(
  trx: Transaction<Tables>,
  into: { readonly table: string; readonly columns: readonly string[] },
  copyBytes: Uint8Array,
): Promise<void> {
  const text = `copy ${into.table} (${into.columns.join(', ')}) from stdin (format binary)`;
  await trx.executeQuery(CompiledQuery.raw(text, [{ copyBytes } satisfies CopyBytes]));
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
