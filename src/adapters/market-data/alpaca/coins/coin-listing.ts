// What the vendor says about a pair of coins. It tells no corporate actions and no renames of them, and its own key of a pair has
// changed before: a pair is its name.
import { z } from 'zod';
import type { StatedFact } from '#engine/market/instrument-fact.ts';
import type { Instrument, InstrumentTerms } from '#engine/market/instrument.ts';
import type { MarketDataAnswer } from '#ports/market-data.ts';
import type { Symbol } from '#units/identifiers.ts';
import { toQuantity } from '#units/quantity.ts';
import { failure, Malformed, parse } from '../../read-answer.ts';
import type { Requests } from '../requests.ts';

export type CoinListing = {
  readonly instrument: Instrument;
  readonly facts: readonly StatedFact[];
  readonly isTradable: boolean;
};

/** BTCUSD is our symbol of BTC/USD, as in the account's positions. */
export function coinSymbol(pair: string): Symbol {
  return pair.replace('/', '') as Symbol;
}

export async function listCoins(
  requests: Requests,
  pairs: readonly string[],
): Promise<MarketDataAnswer<readonly CoinListing[]>> {
  const listed: CoinListing[] = [];
  for (const pair of pairs) {
    const answer = await requests.trading(`/v2/assets/${encodeURIComponent(pair)}`, {}, (body) =>
      listingOf(parse(ASSET, body)),
    );
    if (!answer.ok) {
      if (answer.code !== 'unknown_symbol') return answer;
      return failure('unknown_symbol', `the vendor has no coin called ${pair}: correct MARKET_SYMBOLS`);
    }
    if (answer.value.instrument.symbol !== coinSymbol(pair))
      return failure(
        'malformed',
        `asked for ${pair}, the vendor answers about ${answer.value.instrument.symbol}`,
      );
    listed.push(answer.value);
  }
  return { ok: true, value: listed };
}

function listingOf({ symbol: pair, name, exchange, status, tradable, ...sizes }: Asset): CoinListing {
  const [coin, currency] = pair.split('/');
  if (coin === undefined || currency !== 'USD')
    throw new Malformed(`${pair} is no pair of a coin and dollars`);
  const symbol = coinSymbol(pair);
  const isTradable = status === 'active' && tradable;
  const stated = {
    name,
    exchange,
    calendar: 'crypto',
    listing: status === 'active' ? 'listed' : 'ended',
    fractionable: 'true',
    shortable: 'false',
    tradable: String(isTradable),
  } as const;
  return {
    isTradable,
    facts: Object.entries(stated).map(([kind, value]) => ({
      symbol,
      kind: kind as keyof typeof stated,
      value,
    })),
    instrument: {
      symbol,
      kind: 'crypto',
      name,
      currency: 'USD',
      unitCurrency: coin,
      multiplier: 1,
      quantityStep: toQuantity(stepOf(Math.max(sizes.min_order_size, sizes.min_trade_increment, LEAST_STEP))),
      calendar: 'crypto',
      settlement: 'cash',
      expiry: null,
      ...priceSteps(sizes.price_increment, { isTradable, isShortable: false }),
    },
  };
}

/** The least order, rounded up to a power of ten: whatever is a multiple of it is large enough and exact enough. */
function stepOf(least: number): number {
  let step = LEAST_STEP;
  while (step < least) step = Number((step * 10).toPrecision(1));
  return step;
}

/** The decimals that the increment needs, and the increment itself where they do not say it all. */
function priceSteps(increment: number, terms: InstrumentTerms): Pick<Instrument, 'priceDecimals' | 'terms'> {
  let priceDecimals = 0;
  while (priceDecimals < DECIMALS_MAX && Number(increment.toFixed(priceDecimals)) !== increment)
    priceDecimals += 1;
  const isPlain = increment === Number((10 ** -priceDecimals).toFixed(priceDecimals));
  return { priceDecimals, terms: isPlain ? terms : { ...terms, priceTick: increment } };
}

/** What our quantities can count. */
const LEAST_STEP = 1e-8;
const DECIMALS_MAX = 12;
const size = z
  .string()
  .transform(Number)
  .refine((number) => number > 0 && Number.isFinite(number), 'must be above zero');
const ASSET = z.object({
  class: z.literal('crypto'),
  symbol: z.string().min(3),
  name: z.string().min(1),
  exchange: z.string().min(1),
  status: z.enum(['active', 'inactive']),
  tradable: z.boolean(),
  min_order_size: size,
  min_trade_increment: size,
  price_increment: size,
});
type Asset = z.infer<typeof ASSET>;
