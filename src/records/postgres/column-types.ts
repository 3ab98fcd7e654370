// How the columns of the tables read and write. bigint and numeric are exact text.
import type { ColumnType } from 'kysely';

/** jsonb: read as a value that the reader narrows, written as JSON text. */
export type Json = ColumnType<unknown, string, string>;
export type NullableJson = ColumnType<unknown, string | null, string | null>;
/** An instant: read as a Date, written as a Date or ISO text. */
export type Timestamp = ColumnType<Date, Date | string, Date | string>;
export type NullableTimestamp = ColumnType<Date | null, Date | string | null, Date | string | null>;
export type NullableExact = ColumnType<string | null, string | number | null, string | number | null>;
/** numeric or bigint: exact text out; text or a safe integer in. */
export type Exact = ColumnType<string, string | number, string | number>;
export type ExactWithDefault = ColumnType<string, string | number | undefined, string | number>;
export type JsonWithDefault = ColumnType<unknown, string | undefined, string>;
export type TimestampWithDefault = ColumnType<Date, Date | string | undefined, Date | string>;
