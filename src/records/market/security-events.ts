// What a vendor reported of instruments besides splits and dividends: mergers, spin-offs, renames and removals, each with the
// time at which we learned it.
import { type Kysely, sql } from 'kysely';
import { type SecurityChange, UNDATED } from '#engine/market/security-change.ts';
import { type Instant, isoText } from '#units/instant.ts';
import type { Tables } from '../tables.ts';

/** Once each, of instruments that are in the records; not those without a day. */
export async function saveSecurityEvents(
  database: Kysely<Tables>,
  changes: readonly SecurityChange[],
  { source, knownAt }: { readonly source: string; readonly knownAt: Instant },
): Promise<void> {
  const dated = changes.filter(({ date }) => date !== UNDATED);
  if (dated.length === 0) return;
  await sql`
    insert into security_events (symbol, event, on_date, ticker, source, known_at)
    select e.*, ${source}, ${isoText(knownAt)} from unnest(
      ${dated.map(({ symbol }) => symbol)}::text[], ${dated.map(({ event }) => event)}::text[],
      ${dated.map(({ date }) => date)}::date[], ${dated.map(({ ticker }) => ticker ?? null)}::text[]
    ) as e(symbol, event, on_date, ticker)
    where exists (select from instruments i where i.symbol = e.symbol)
    on conflict do nothing`.execute(database);
}
