// What a vendor has said of instruments, kept in memory and read again as it changes. Each fact has its first day, so that a
// rename that is known the evening before takes effect at midnight without another look.
import type { InstrumentFact } from '#engine/market/instrument-fact.ts';
import type { FactBook } from '#ports/market-data.ts';
import { SECOND_MS } from '#units/instant.ts';
import type { Database } from '../postgres/database.ts';
import { listInstrumentFacts } from './instrument-facts.ts';

/** Of the first source; of instruments without a fact there, the tickers that the others knew last. */
export async function openFactBook(
  database: Database,
  [source, ...others]: readonly [string, ...string[]],
  now: () => number,
): Promise<FactBook> {
  let facts: readonly InstrumentFact[] = [];
  let readAt = Number.NEGATIVE_INFINITY;
  const book: FactBook = {
    async refresh() {
      if (now() - readAt < AGAIN_MS) return;
      readAt = now();
      const own = await listInstrumentFacts(database, { source });
      const known = new Set(own.map(({ symbol }) => symbol));
      const before = await Promise.all(
        others.map((other) => listInstrumentFacts(database, { source: other })),
      );
      const kept = before.flat().filter(({ symbol, kind }) => kind === 'ticker' && !known.has(symbol));
      facts = [...kept, ...own];
    },
    facts: () => facts,
  };
  await book.refresh();
  return book;
}

const AGAIN_MS = 10 * SECOND_MS;
