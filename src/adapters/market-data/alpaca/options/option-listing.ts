// The contracts that the vendor lists on shares of the market: those of the next two monthly expiries, near the price, with
// strikes that a strategy can choose.
import { z } from 'zod';
import type { StatedFact } from '#engine/market/instrument-fact.ts';
import type { Instrument } from '#engine/market/instrument.ts';
import {
  monthlyExpiries,
  OPTION_MULTIPLIER,
  type OptionContract,
  optionContract,
  optionInstrument,
  strikeStep,
} from '#engine/market/option-contract.ts';
import type { MarketDataAnswer } from '#ports/market-data.ts';
import type { Symbol } from '#units/identifiers.ts';
import type { IsoDate } from '#units/instant.ts';
import { listedName } from '../../../broker/option-names.ts';
import { failure, Malformed, parse } from '../../read-answer.ts';
import type { Requests } from '../requests.ts';

export type OptionListing = {
  readonly instrument: Instrument;
  readonly facts: readonly StatedFact[];
  readonly isTradable: boolean;
};

type Underlying = { readonly symbol: Symbol; readonly ticker: string; readonly price: number };

/** A list that does not end is a failure: what is missing from it would look as if it were not listed. */
export async function listOptions(
  requests: Requests,
  underlyings: readonly Underlying[],
  today: IsoDate,
): Promise<MarketDataAnswer<readonly OptionListing[]>> {
  const listed: OptionListing[] = [];
  for (const underlying of underlyings)
    for (const expiry of monthlyExpiries(today, EXPIRIES)) {
      const found = await listExpiry(requests, underlying, expiry);
      if (!found.ok) return found;
      listed.push(...found.value);
    }
  return { ok: true, value: listed };
}

async function listExpiry(
  requests: Requests,
  underlying: Underlying,
  expiry: IsoDate,
): Promise<MarketDataAnswer<readonly OptionListing[]>> {
  const { ticker, price } = underlying;
  const query = {
    underlying_symbols: ticker,
    status: 'active',
    expiration_date: expiry,
    strike_price_gte: (price * (1 - REACH)).toFixed(2),
    strike_price_lte: (price * (1 + REACH)).toFixed(2),
    limit: '1000',
  };
  const listed: OptionListing[] = [];
  const seen = new Set<string>();
  let token: string | null = null;
  do {
    const paged: Readonly<Record<string, string>> = token === null ? query : { ...query, page_token: token };
    const page: MarketDataAnswer<OptionPage> = await requests.trading(
      '/v2/options/contracts',
      paged,
      (body) => parseOptionPage(body, { ...underlying, expiry }),
    );
    if (!page.ok) return page;
    listed.push(...page.value.listed);
    token = page.value.nextToken;
    if (token !== null && seen.has(token))
      return failure('malformed', 'the vendor repeats a page: the list has no end');
    if (token !== null) seen.add(token);
  } while (token !== null);
  return { ok: true, value: listed };
}

type OptionPage = { readonly listed: readonly OptionListing[]; readonly nextToken: string | null };

/** Without what no strategy can name: adjusted contracts, which deliver something else than a hundred shares, and odd strikes. */
export function parseOptionPage(
  body: unknown,
  wanted: Underlying & { readonly expiry: IsoDate },
): OptionPage {
  const { option_contracts: rows, next_page_token: token } = parse(PAGE, body);
  const listed = rows.flatMap((row) => {
    const contract = contractOf(row, wanted);
    return contract === null ? [] : [listingOf(row, contract, wanted.ticker)];
  });
  return { listed, nextToken: token === null || token === undefined || token === '' ? null : token };
}

function contractOf(
  row: ContractRow,
  { symbol: underlying, ticker, price, expiry }: Underlying & { readonly expiry: IsoDate },
): OptionContract | null {
  const strike = Number(row.strike_price);
  if (row.underlying_symbol !== ticker || row.root_symbol !== ticker) return null;
  if (row.style !== 'american' || Number(row.size) !== OPTION_MULTIPLIER) return null;
  if (row.expiration_date !== expiry || !isChosen(strike, price)) return null;
  return optionContract({ underlying, right: row.type, strike, expiry, settlement: 'shares' });
}

/** The price may have crossed a border between two steps since a strategy has chosen. */
function isChosen(strike: number, price: number): boolean {
  const steps = [strikeStep(price * (1 - REACH)), strikeStep(price), strikeStep(price * (1 + REACH))];
  return Number.isInteger(strike) && steps.some((step) => strike % step === 0);
}

function listingOf(
  { symbol: name, id, name: title, status, tradable }: ContractRow,
  contract: OptionContract,
  ticker: string,
): OptionListing {
  const expected = listedName(contract, ticker);
  if (name !== expected)
    throw new Malformed(`a contract called ${name} whose terms are those of ${expected}`);
  const { symbol } = contract;
  const isTradable = status === 'active' && tradable;
  const stated = { name: title, vendor_id: id, tradable: String(isTradable) } as const;
  return {
    isTradable,
    instrument: { ...optionInstrument(contract), terms: { isTradable } },
    facts: Object.entries(stated).map(([kind, value]) => ({
      symbol,
      kind: kind as keyof typeof stated,
      value,
    })),
  };
}

/** A structure is written again at each monthly expiry, for the next one. */
const EXPIRIES = 2;
/** How far from the price strikes are listed, as a share of it. */
const REACH = 0.2;

const amount = z.string().refine((text) => Number(text) > 0, 'must be above zero');
const CONTRACT = z.object({
  id: z.string().min(1),
  symbol: z.string().min(1),
  name: z.string().min(1),
  status: z.enum(['active', 'inactive']),
  tradable: z.boolean(),
  expiration_date: z.iso.date(),
  root_symbol: z.string().min(1),
  underlying_symbol: z.string().min(1),
  type: z.enum(['call', 'put']),
  style: z.enum(['american', 'european']),
  strike_price: amount,
  size: amount,
});
type ContractRow = z.infer<typeof CONTRACT>;
const PAGE = z.object({
  option_contracts: z.array(CONTRACT),
  next_page_token: z.string().nullish(),
});
