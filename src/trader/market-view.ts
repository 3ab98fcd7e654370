// The market at the start of a tick: its clock, its instruments and the prices that may be decided on.
import type { Instrument, Marks } from '#engine/market/instrument.ts';
import type { MarketClock, MarketDataFeed, MarketQuote } from '#ports/market-data.ts';
import { saveInstruments } from '#records/instruments.ts';
import type { Database } from '#records/database.ts';
import type { Symbol } from '#units/identifiers.ts';

export type MarketView = {
  readonly clock: MarketClock;
  readonly instruments: ReadonlyMap<Symbol, Instrument>;
  readonly marks: Marks;
  /** Prices that were not believed, each with its reason. */
  readonly refused: readonly string[];
};

export type MarketWatch = {
  /** Throws when the feed does not answer: without a clock and prices nothing is decided. */
  look(): Promise<MarketView>;
};

export function createMarketWatch(feed: MarketDataFeed, database: Database): MarketWatch {
  let instruments: ReadonlyMap<Symbol, Instrument> = new Map();
  let believed: Marks = new Map();
  const listInstruments = async (clock: MarketClock) => {
    const listed = valueOf(await feed.instruments());
    await saveInstruments(database, listed, clock.mode === 'replay' ? 'import' : 'sandbox');
    instruments = new Map(listed.map((instrument) => [instrument.symbol, instrument]));
  };
  return {
    async look() {
      const clock = valueOf(await feed.clock());
      if (instruments.size === 0) await listInstruments(clock);
      const quotes = valueOf(await feed.quotes([...instruments.keys()]));
      const marks = new Map<Symbol, number>();
      const refused: string[] = [];
      for (const quote of quotes) {
        const fault = quoteFault(quote, believed.get(quote.symbol));
        if (fault === null) marks.set(quote.symbol, quote.last);
        else refused.push(`price of ${quote.symbol}: ${fault}`);
      }
      believed = new Map([...believed, ...marks]);
      return { clock, instruments, marks, refused };
    },
  };
}

/** Why a price is not to be acted on; null when it is. */
export function quoteFault(quote: MarketQuote, before: number | undefined): string | null {
  const { last, bid, ask } = quote;
  if (!(last > 0) || !Number.isFinite(last)) return `it is ${last}`;
  if (bid > ask) return `its bid of ${bid} is above its ask of ${ask}`;
  if (before !== undefined && (last >= before * 10 || last <= before / 10)) {
    return `it is ${last} after ${before}: more than tenfold`;
  }
  return null;
}

function valueOf<Value>(
  answer: { ok: true; value: Value } | { ok: false; code: string; message: string },
): Value {
  if (!answer.ok) throw new Error(`market data ${answer.code}: ${answer.message}`);
  return answer.value;
}
