// Rows written to a table by COPY: the fastest way, all or none. COPY has no "on conflict", so an existing key fails the
// whole statement, which makes a repeated batch harmless.
import { CompiledQuery, type Transaction } from 'kysely';
import type { Tables } from '../tables.ts';

/** The only value of a COPY statement: `DatabaseClient` sends the rows. */
export type CopyBytes = { readonly copyBytes: Uint8Array };

/** The bytes of `binaryRows`, with the same number of columns. */
export async function copyRows(
  trx: Transaction<Tables>,
  into: { readonly table: string; readonly columns: readonly string[] },
  copyBytes: Uint8Array,
): Promise<void> {
  const text = `copy ${into.table} (${into.columns.join(', ')}) from stdin (format binary)`;
  await trx.executeQuery(CompiledQuery.raw(text, [{ copyBytes } satisfies CopyBytes]));
}

export function isCopyBytes(value: unknown): value is CopyBytes {
  return typeof value === 'object' && value !== null && 'copyBytes' in value;
}
