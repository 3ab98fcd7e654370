// What a vendor has said of instruments, kept in memory and read again as it changes. Each fact has its first day, so that a
// rename that is known the evening before takes effect at midnight without another look.
import type { InstrumentFact } from '#engine/market/instrument-fact.ts';
import type { FactBook } from '#ports/market-data.ts';
import { SECOND_MS } from '#units/instant.ts';
import type { Database } from '../postgres/database.ts';
import { listInstrumentFacts } from './instrument-facts.ts';

export async function openFactBook(database: Database, source: string, now: () => number): Promise<FactBook> {
  let facts: readonly InstrumentFact[] = [];
  let readAt = Number.NEGATIVE_INFINITY;
  const book: FactBook = {
    async refresh() {
      if (now() - readAt < AGAIN_MS) return;
      readAt = now();
      facts = await listInstrumentFacts(database, { source });
    },
    facts: () => facts,
  };
  await book.refresh();
  return book;
}

const AGAIN_MS = 10 * SECOND_MS;
