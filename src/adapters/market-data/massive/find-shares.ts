// The vendor's answers about our shares, each under the ticker that the share has today.
import { factOn, isAnotherCompany } from '#engine/market/instrument-fact.ts';
import type { MarketDataAnswer } from '#ports/market-data.ts';
import type { Symbol } from '#units/identifiers.ts';
import { failure } from '../read-answer.ts';
import type { VendorNames } from '../vendor-names.ts';
import { endedShare, parseShare, type Share } from './listings.ts';
import type { Requests } from './requests.ts';
import { type ListTickerEvents, tickerAt } from './ticker-events.ts';

type Vendor = {
  readonly requests: Requests;
  readonly names: VendorNames;
  /** Null where another vendor names the shares. */
  readonly eventsOf: ListTickerEvents | null;
};

export async function findShares(vendor: Vendor): Promise<MarketDataAnswer<readonly Share[]>> {
  const { names } = vendor;
  await names.refresh();
  const shares: Share[] = [];
  for (const symbol of names.symbols) {
    const found = await findShare(symbol, vendor);
    if (!found.ok) return found;
    shares.push(found.value);
  }
  return { ok: true, value: shares };
}

/** A share that is not found, or is another company's, may have been renamed since our last look. */
async function findShare(symbol: Symbol, vendor: Vendor): Promise<MarketDataAnswer<Share>> {
  const { requests, names, eventsOf } = vendor;
  const ticker = names.tickerOf(symbol);
  const [facts, date] = [names.facts(), names.today()];
  const answer = await askFor(requests, ticker);
  const isOther = (vendorId: string | null) =>
    eventsOf !== null && vendorId !== null && isAnotherCompany(facts, { symbol, vendorId, date });
  if (answer.ok && !isOther(answer.value.figi)) return { ok: true, value: { ...answer.value, symbol } };
  if (!answer.ok && answer.code !== 'unknown_symbol') return answer;
  const figi = factOn(facts, { symbol, kind: 'vendor_id', date })?.value;
  if (eventsOf !== null && figi !== undefined) {
    const events = await eventsOf(figi);
    if (!events.ok) return events;
    const renamed = tickerAt(events.value, date);
    if (renamed !== null && renamed !== ticker) {
      const again = await askFor(requests, renamed);
      if (again.ok && again.value.figi === figi) return { ok: true, value: { ...again.value, symbol } };
      if (!again.ok && again.code !== 'unknown_symbol') return again;
    }
  }
  const name = factOn(facts, { symbol, kind: 'name', date })?.value;
  if (answer.ok)
    return { ok: true, value: { ...answer.value, symbol, name: name ?? symbol, isActive: false } };
  return name === undefined
    ? failure('unknown_symbol', `the vendor Massive has no share called ${ticker}: correct MARKET_SYMBOLS`)
    : { ok: true, value: endedShare({ symbol, ticker, name }) };
}

async function askFor(requests: Requests, ticker: string): Promise<MarketDataAnswer<Omit<Share, 'symbol'>>> {
  const answer = await requests.get(`/v3/reference/tickers/${encodeURIComponent(ticker)}`, {}, parseShare);
  if (!answer.ok) return answer;
  const { ticker: found, market, currency } = answer.value;
  if (found !== ticker) return failure('malformed', `asked for ${ticker}, the vendor answers about ${found}`);
  if (market !== 'stocks' || currency !== 'USD')
    return failure(
      'refused',
      `${ticker} is of the market ${market} in ${currency}; the live market has shares and funds in dollars: correct MARKET_SYMBOLS`,
    );
  return answer;
}
