// How the columns of the tables read and write. bigint and numeric are exact text.
import type { ColumnType } from 'kysely';

/** jsonb: read as a value that the reader narrows, written as JSON text. */
export type Json = ColumnType<unknown, string, string>;
/** An instant: read as a Date, written as a Date or ISO text. */
export type Timestamp = ColumnType<Date, Date | string, Date | string>;
/** numeric or bigint: exact text out; text or a safe integer in. */
export type Exact = ColumnType<string, string | number, string | number>;
/** With a default: may be left out of an insert. Kysely's own type cannot read and write differently. */
export type Generated<Type> = [Type] extends [ColumnType<infer Read, infer Written, infer Changed>]
  ? ColumnType<Read, Written | undefined, Changed>
  : ColumnType<Type, Type | undefined, Type>;
