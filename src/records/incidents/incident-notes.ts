// What people of support say about open incidents, and whether they say that its cause is over.
import { type Kysely, sql } from 'kysely';
import type { IncidentKind, IncidentMove } from '#engine/incidents/incident-kind.ts';
import type { UserId } from '#units/identifiers.ts';
import { type WallInstant, wallText } from '#units/wall-instant.ts';
import type { Tables } from '../tables.ts';

/** Undefined once it has ended. Until the end of the transaction it stays open. */
export async function lockOpenIncident(
  trx: Kysely<Tables>,
  id: string,
): Promise<{ readonly kind: IncidentKind } | undefined> {
  const { rows } = await sql<{ kind: IncidentKind }>`
    select kind from incidents where id::text = ${id} and ended_at is null for update`.execute(trx);
  return rows[0];
}

type NewNote = {
  readonly incident: string;
  readonly note: string;
  readonly move: IncidentMove | null;
  readonly looksAgain: boolean;
  readonly by: UserId;
  readonly at: WallInstant;
};

/** A person who says the same twice in a row has said it once. */
export async function insertIncidentNote(
  trx: Kysely<Tables>,
  { incident, note, move, looksAgain, by, at }: NewNote,
): Promise<void> {
  await sql`
    insert into incident_notes (incident_id, note, whose_move, looks_again, noted_by, noted_at)
    select ${incident}, ${note}, ${move}::text, ${looksAgain}::boolean, ${by}, ${wallText(at)}
    where not exists (select from (
        select * from incident_notes n where n.incident_id = ${incident} order by n.id desc limit 1) last
      where (last.note, last.looks_again, last.noted_by) = (${note}, ${looksAgain}::boolean, ${by})
        and last.whose_move is not distinct from ${move}::text and not last.looks_again)`.execute(trx);
}
