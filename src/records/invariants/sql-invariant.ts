import { sql } from 'kysely';
import type { Invariant, Violation } from './invariant.ts';

/** An invariant that one query answers: it names what breaks it, and nothing otherwise. */
export function sqlInvariant(id: Invariant['id'], says: string, query: string): Invariant {
  return {
    id,
    says,
    find: async (database) => (await sql.raw<Violation>(query).execute(database)).rows,
  };
}
