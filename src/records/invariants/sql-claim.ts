import { sql } from 'kysely';
import type { Claim, Offence } from './claim.ts';

/** A claim that one query answers: it names what breaks it, and nothing otherwise. */
export function sqlClaim(invariant: Claim['invariant'], says: string, query: string): Claim {
  return {
    invariant,
    says,
    find: async (database) => (await sql.raw<Offence>(query).execute(database)).rows,
  };
}
