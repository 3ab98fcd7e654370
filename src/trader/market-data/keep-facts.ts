// Keeps what the vendor says of instruments: the facts of its listing once a day, and its renames as they become known.
import { type InstrumentFact, newFacts } from '#engine/market/instrument-fact.ts';
import type { Instrument } from '#engine/market/instrument.ts';
import { haltsOn, type SecurityChange } from '#engine/market/security-change.ts';
import { renamedTickers } from '#engine/market/tickers.ts';
import type { MarketDataFeed } from '#ports/market-data.ts';
import { listInstrumentFacts, saveInstrumentFacts } from '#records/market/instrument-facts.ts';
import type { Database } from '#records/postgres/database.ts';
import type { Symbol } from '#units/identifiers.ts';
import { type Instant, type IsoDate, utcDate } from '#units/instant.ts';
import { valueOf } from './feed-answer.ts';

type Vendor = NonNullable<MarketDataFeed['vendor']>;

/** After the instruments are in the records. Returns every fact known. */
export async function keepFacts(
  database: Database,
  vendor: Vendor,
  now: Instant,
): Promise<readonly InstrumentFact[]> {
  const of = { source: vendor.name };
  const known = await listInstrumentFacts(database, of);
  const stated = newFacts(known, valueOf(await vendor.facts()), utcDate(now));
  await saveInstrumentFacts(database, stated, { ...of, knownAt: now });
  return [...known, ...stated];
}

export async function keepRenames(
  database: Database,
  vendor: Vendor,
  { changes, now }: { readonly changes: readonly SecurityChange[]; readonly now: Instant },
): Promise<void> {
  const of = { source: vendor.name };
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
