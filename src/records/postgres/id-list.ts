import { type RawBuilder, sql } from 'kysely';
import { UUID_BYTES, writeUuid } from './uuid-bytes.ts';

/**
 * UUIDs as one parameter that a statement casts to uuid[], in PostgreSQL's binary form: parsing a text list costs the
 * server as much as finding its rows. Throws RangeError on a text that is not a UUID.
 */
export function idList(ids: readonly string[]): Buffer {
  const bytes = Buffer.allocUnsafe(HEADER_BYTES + ids.length * (4 + UUID_BYTES));
  let at = bytes.writeInt32BE(ids.length === 0 ? 0 : 1, 0);
  at = bytes.writeInt32BE(HAS_NO_NULLS, at);
  at = bytes.writeInt32BE(UUID_TYPE, at);
  if (ids.length === 0) return bytes.subarray(0, at);
  at = bytes.writeInt32BE(ids.length, at);
  at = bytes.writeInt32BE(FIRST_INDEX, at);
  for (const id of ids) at = writeUuid(bytes, id, bytes.writeInt32BE(UUID_BYTES, at));
  return bytes;
}

/** Dimensions, null flag, type; then length and first index of the one dimension. */
const HEADER_BYTES = 20;
const HAS_NO_NULLS = 0;
const UUID_TYPE = 2950;
const FIRST_INDEX = 1;

/**
 * UUIDs as an array of a statement, in any order. The planner sees how many they are only where they are many: for a few it would plan a
 * prepared statement each time, which takes longer than finding their rows.
 */
export function idArray(ids: readonly string[]): RawBuilder<string[]> {
  const all = sql<string[]>`${idList(ids)}::uuid[]`;
  return ids.length > FEW ? all : sql<string[]>`array(select unnest(${all}))`;
}

const FEW = 64;
