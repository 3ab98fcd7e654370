// Options on shares of the market at the vendor. A contract that was listed once stays known until it ends, after a restart too,
// although its strike may be far from the price by then.
import type { StatedFact } from '#engine/market/instrument-fact.ts';
import type { Instrument } from '#engine/market/instrument.ts';
import { optionInstrument, parseOption } from '#engine/market/option-contract.ts';
import type { MarketDataAnswer, MarketQuote } from '#ports/market-data.ts';
import type { Symbol } from '#units/identifiers.ts';
import { HOUR_MS, type Instant, SECOND_MS } from '#units/instant.ts';
import { listedName } from '../../../broker/option-names.ts';
import { keepAnswer } from '../../keep-answer.ts';
import type { VendorNames } from '../../vendor-names.ts';
import type { AlpacaOptions } from '../config.ts';
import type { Snapshots } from '../keep-snapshots.ts';
import type { Requests } from '../requests.ts';
import { parseSnapshots, type Snapshot } from '../rows.ts';
import { listOptions, type OptionListing } from './option-listing.ts';

export type OptionMarket = {
  has(symbol: Symbol): boolean;
  /** The vendor's name of a contract. */
  nameOf(symbol: Symbol): string;
  instruments(): Promise<MarketDataAnswer<readonly Instrument[]>>;
  facts(): Promise<MarketDataAnswer<readonly StatedFact[]>>;
  quotes(symbols: readonly Symbol[], isOpen: boolean): Promise<MarketDataAnswer<readonly MarketQuote[]>>;
};

export function optionMarket(
  requests: Requests,
  {
    options = { underlyings: [], feed: 'indicative' },
    shares,
    names,
    now,
  }: {
    readonly options: AlpacaOptions | undefined;
    /** Prices of shares, around which contracts are listed. */
    readonly shares: Snapshots;
    readonly names: VendorNames;
    readonly now: () => number;
  },
): OptionMarket {
  const { underlyings, feed } = options;
  const known = new Map<Symbol, Instrument>();
  const has = (symbol: Symbol) => underlyings.includes(parseOption(symbol)?.underlying ?? '');
  const nameOf = (symbol: Symbol) => {
    const contract = parseOption(symbol)!;
    return listedName(contract, names.tickerOf(contract.underlying));
  };
  const remember = () => {
    for (const { symbol } of names.facts())
      if (!known.has(symbol) && has(symbol)) known.set(symbol, optionInstrument(parseOption(symbol)!));
  };
  const listings = keepAnswer(HOUR_MS, now, async () => {
    await names.refresh();
    const listed = await listAround(requests, underlyings as readonly Symbol[], { shares, names });
    if (!listed.ok) return listed;
    remember();
    for (const { instrument } of listed.value) known.set(instrument.symbol, instrument);
    return listed;
  });
  const running = () => [...known.values()].filter(({ expiry }) => expiry! >= names.today());
  const snapshots = keepAnswer(QUOTES_MS, now, async () => {
    const found = new Map<string, Snapshot>();
    const asked = running().map(({ symbol }) => nameOf(symbol));
    for (let i = 0; i < asked.length; i += NAMES_PER_REQUEST) {
      const query = { symbols: asked.slice(i, i + NAMES_PER_REQUEST).join(','), feed, limit: '1000' };
      const page = await requests.data('/v1beta1/options/snapshots', query, parseSnapshots);
      if (!page.ok) return page;
      for (const [name, snapshot] of page.value) found.set(name, snapshot);
    }
    return { ok: true, value: found };
  });

  return {
    has,
    nameOf,
    async instruments() {
      const listed = await listings();
      return listed.ok ? { ok: true, value: running() } : listed;
    },
    async facts() {
      const listed = await listings();
      return listed.ok ? { ok: true, value: listed.value.flatMap(({ facts }) => facts) } : listed;
    },
    async quotes(symbols, isOpen) {
      if (symbols.length === 0) return { ok: true, value: [] };
      const listed = await listings();
      if (!listed.ok) return listed;
      const found = await snapshots();
      if (!found.ok) return found;
      const value = symbols.flatMap((symbol) => {
        const snapshot = isTraded(known.get(symbol)) ? found.value.get(nameOf(symbol)) : undefined;
        return quoteOf(symbol, snapshot, isOpen) ?? [];
      });
      return { ok: true, value };
    },
  };
}

async function listAround(
  requests: Requests,
  underlyings: readonly Symbol[],
  { shares, names }: { readonly shares: Snapshots; readonly names: VendorNames },
): Promise<MarketDataAnswer<readonly OptionListing[]>> {
  if (underlyings.length === 0) return { ok: true, value: [] };
  const prices = await shares();
  if (!prices.ok) return prices;
  const priced = underlyings.flatMap((symbol) => {
    const ticker = names.tickerOf(symbol);
    const price = prices.value.get(ticker)?.trade?.price;
    return price === undefined ? [] : [{ symbol, ticker, price }];
  });
  return listOptions(requests, priced, names.today());
}

function isTraded(contract: Instrument | undefined): boolean {
  return contract !== undefined && contract.terms?.isTradable !== false;
}

function quoteOf(symbol: Symbol, snapshot: Snapshot | undefined, open: boolean): MarketQuote | null {
  const price = snapshot && newestPrice(snapshot);
  if (!snapshot || !price) return null;
  const { price: last, at } = price;
  const bid = snapshot.bid ?? TICK;
  return { symbol, last, bid, ask: snapshot.ask ?? Math.max(last, bid), open, at };
}

/**
 * Hours pass between two trades of a contract, so that the middle of its book counts when that is newer. Of one that nobody bids
 * for it is half of what is asked.
 */
function newestPrice({ trade, bid, ask, quotedAt }: Snapshot): { price: number; at: Instant } | null {
  if (ask === null || quotedAt === null || (bid ?? 0) > ask) return trade;
  if (trade !== null && trade.at >= quotedAt) return trade;
  return { price: Math.max(TICK, ((bid ?? 0) + ask) / 2), at: quotedAt };
}

const TICK = 0.01;
/** A third of the age at which a contract's price is too old to trade on. */
const QUOTES_MS = 10 * SECOND_MS;
/** As many as the vendor takes. */
const NAMES_PER_REQUEST = 100;
