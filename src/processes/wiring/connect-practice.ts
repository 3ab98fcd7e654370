// The practice venue. It is given the market feed and its own tables, and no setting of any broker.
import { practice } from '#adapters/broker/practice/practice.ts';
import { describedInstrument } from '#engine/market/derivatives/derived-instrument.ts';
import type { Instrument } from '#engine/market/instrument.ts';
import type { Broker } from '#ports/broker.ts';
import type { MarketDataFeed } from '#ports/market-data.ts';
import type { PracticeVenue } from '#ports/practice-venue.ts';
import type { Database } from '#records/postgres/database.ts';
import { practiceStore } from '#records/practice/practice-accounts.ts';
import type { Symbol } from '#units/identifiers.ts';

export function connectPractice({
  database,
  marketData,
  instruments,
}: {
  readonly database: Database;
  readonly marketData: MarketDataFeed;
  readonly instruments: readonly Instrument[];
}): Broker<'practice'> & PracticeVenue {
  const bySymbol = new Map<Symbol, Instrument>(
    instruments.map((instrument) => [instrument.symbol, instrument]),
  );
  return practice({
    store: practiceStore(database),
    feed: marketData,
    findInstrument: (symbol) => describedInstrument(symbol, bySymbol),
  });
}
