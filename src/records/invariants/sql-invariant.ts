import { sql } from 'kysely';
import type { Invariant, Violation } from './invariant.ts';

/** An invariant checked by one query, which returns the violating rows. */
export function sqlInvariant(id: Invariant['id'], says: string, query: string): Invariant {
  return {
    id,
    says,
    find: async (database) => (await sql.raw<Violation>(query).execute(database)).rows,
  };
}
