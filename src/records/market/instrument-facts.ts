// What vendors say of instruments, by the day it holds from and the time at which we learned it.
import { type Kysely, sql } from 'kysely';
import type { InstrumentFact } from '#engine/market/instrument-fact.ts';
import { type Instant, isoText } from '#units/instant.ts';
import type { Tables } from '../tables.ts';

/** Oldest first, each as it was known at a time: of two for one day, what was learned last. */
export async function listInstrumentFacts(
  database: Kysely<Tables>,
  { source, knownAt }: { readonly source: string; readonly knownAt?: Instant },
): Promise<InstrumentFact[]> {
  const isKnown = knownAt === undefined ? sql`true` : sql`known_at <= ${isoText(knownAt)}`;
  const { rows } = await sql<InstrumentFact>`
    select distinct on (valid_from, symbol, kind) symbol, kind, value, valid_from::text as "from"
    from instrument_facts where source = ${source} and ${isKnown}
    order by valid_from, symbol, kind, known_at desc, id desc`.execute(database);
  return rows;
}

/** Of instruments that are in the records. */
export async function saveInstrumentFacts(
  database: Kysely<Tables>,
  facts: readonly InstrumentFact[],
  { source, knownAt }: { readonly source: string; readonly knownAt: Instant },
): Promise<void> {
  if (facts.length === 0) return;
  await sql`
    insert into instrument_facts (symbol, kind, value, valid_from, source, known_at)
    select f.*, ${source}, ${isoText(knownAt)} from unnest(
      ${facts.map(({ symbol }) => symbol)}::text[], ${facts.map(({ kind }) => kind)}::text[],
      ${facts.map(({ value }) => value)}::text[], ${facts.map(({ from }) => from)}::date[]
    ) as f(symbol, kind, value, valid_from)
    where exists (select from instruments i where i.symbol = f.symbol)
    on conflict do nothing`.execute(database);
}
