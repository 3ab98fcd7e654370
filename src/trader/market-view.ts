// The market at the start of a tick: its clock, its instruments and the prices that may be decided on.
import type { CorporateAction } from '#engine/market/corporate-action.ts';
import type { Instrument, Marks } from '#engine/market/instrument.ts';
import type { MarketClock, MarketDataFeed, MarketQuote } from '#ports/market-data.ts';
import { parseOption } from '#engine/market/option-contract.ts';
import { saveCorporateActions } from '#records/corporate-actions.ts';
import { saveInstruments } from '#records/instruments.ts';
import type { Database } from '#records/database.ts';
import type { Symbol } from '#units/identifiers.ts';
import { addDays, type Instant, type IsoDate, utcDate } from '#units/instant.ts';

export type MarketView = {
  readonly clock: MarketClock;
  readonly instruments: ReadonlyMap<Symbol, Instrument>;
  readonly marks: Marks;
  /** What was asked for and has no quote at all. */
  readonly unpriced: readonly Symbol[];
  readonly actions: ReadonlyMap<Symbol, readonly CorporateAction[]>;
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
  let actions: MarketView['actions'] = new Map();
  let known = 0;
  let listedOn: IsoDate | null = null;
  const listInstruments = async (clock: MarketClock) => {
    const listed = valueOf(await feed.instruments());
    const fresh = listed.filter(({ symbol }) => !instruments.has(symbol));
    await saveInstruments(database, fresh, clock.mode === 'replay' ? 'import' : 'sandbox');
    instruments = new Map([...instruments, ...listed.map((one) => [one.symbol, one] as const)]);
    listedOn = utcDate(clock.now);
  };
  return {
    async look() {
      const clock = valueOf(await feed.clock());
      // Contracts are listed day by day.
      if (listedOn !== utcDate(clock.now)) await listInstruments(clock);
      const asked = quoted([...instruments.values()], clock.now);
      const quotes = valueOf(await feed.quotes(asked));
      const marks = new Map<Symbol, number>();
      const refused: string[] = [];
      for (const quote of quotes) {
        // The premium of an option may well be a tenth or the tenfold of what it was.
        const before = parseOption(quote.symbol) === null ? believed.get(quote.symbol) : undefined;
        const fault = quoteFault(quote, before);
        if (fault === null) marks.set(quote.symbol, quote.last);
        else refused.push(`price of ${quote.symbol}: ${fault}`);
      }
      believed = new Map([...believed, ...marks]);
      const listed = valueOf(await feed.corporateActions());
      if (listed.length !== known) {
        actions = Map.groupBy(listed, ({ symbol }) => symbol);
        for (const [symbol, own] of actions) await saveCorporateActions(database, symbol, own);
        known = listed.length;
      }
      const told = new Set(quotes.map(({ symbol }) => symbol));
      const unpriced = asked.filter((symbol) => !told.has(symbol));
      return { clock, instruments, marks, unpriced, actions, refused };
    },
  };
}

/** A contract is quoted until it has long been settled; the continuous series of a future is no price to trade at. */
function quoted(instruments: readonly Instrument[], now: Instant): Symbol[] {
  const oldest = addDays(utcDate(now), -SETTLED_DAYS);
  return instruments
    .filter(({ expiry, kind }) => (expiry === null ? kind !== 'futures' : expiry >= oldest))
    .map(({ symbol }) => symbol);
}

const SETTLED_DAYS = 10;

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
