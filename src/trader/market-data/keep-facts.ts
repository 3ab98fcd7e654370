// Keeps what the vendor says of instruments: the facts of its listing once a day, and its renames as they become known.
import { newFacts, type StatedFact } from '#engine/market/instrument-fact.ts';
import type { Instrument } from '#engine/market/instrument.ts';
import { haltsOn, type SecurityChange } from '#engine/market/security-change.ts';
import { renamedTickers, tickerDate } from '#engine/market/tickers.ts';
import type { FeedVendor } from '#ports/market-data.ts';
import { listInstrumentFacts, saveInstrumentFacts } from '#records/market/instrument-facts.ts';
import { saveSecurityEvents } from '#records/market/security-events.ts';
import type { Database } from '#records/postgres/database.ts';
import type { Symbol } from '#units/identifiers.ts';
import type { Instant, IsoDate } from '#units/instant.ts';
import { valueOf } from './feed-answer.ts';

/** After the instruments are in the records. Throws when the vendor that names the instruments does not answer. */
export async function keepFacts(
  database: Database,
  [naming, ...others]: readonly FeedVendor[],
  now: Instant,
): Promise<void> {
  const keep = async ({ name: source }: FeedVendor, said: readonly StatedFact[]) => {
    const stated = newFacts(await listInstrumentFacts(database, { source }), said, tickerDate(now));
    await saveInstrumentFacts(database, stated, { source, knownAt: now });
  };
  if (naming === undefined) return;
  await keep(naming, valueOf(await naming.facts()));
  for (const vendor of others) {
    const said = await vendor.facts();
    if (said.ok) await keep(vendor, said.value);
  }
}

export async function keepChanges(
  database: Database,
  vendor: FeedVendor,
  { changes, now }: { readonly changes: readonly SecurityChange[]; readonly now: Instant },
): Promise<void> {
  const of = { source: vendor.name };
  await saveSecurityEvents(database, changes, { ...of, knownAt: now });
  const renamed = renamedTickers(await listInstrumentFacts(database, of), changes);
  await saveInstrumentFacts(database, renamed, { ...of, knownAt: now });
}

/** The instruments, stopped where an event stops them today. */
export function withHalts(
  instruments: ReadonlyMap<Symbol, Instrument>,
  changes: readonly SecurityChange[],
  today: IsoDate,
): ReadonlyMap<Symbol, Instrument> {
  const halts = haltsOn(changes, today);
  if (halts.size === 0) return instruments;
  const stopped = new Map(instruments);
  for (const [symbol, halt] of halts) {
    const instrument = instruments.get(symbol);
    if (instrument !== undefined)
      stopped.set(symbol, { ...instrument, terms: { ...instrument.terms, halt } });
  }
  return stopped;
}
