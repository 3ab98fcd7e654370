// The market data port over the sandbox's HTTP feed.
import { z } from 'zod';
import { INSTRUMENT_KINDS, type Bar, type Instrument } from '#engine/market/instrument.ts';
import type {
  FeedBars,
  ListedAction,
  MarketDataAnswer,
  MarketDataFailure,
  MarketDataFeed,
  MarketQuote,
} from '#ports/market-data.ts';
import type { Symbol } from '#units/identifiers.ts';
import { type Instant, type IsoDate, parseInstant } from '#units/instant.ts';
import type { Currency } from '#units/money.ts';
import { type Quantity, quantity } from '#units/quantity.ts';

/** `baseUrl` is the prefix of the feed's /market/ paths, such as http://127.0.0.1:3001. */
export function sandboxFeed(baseUrl: string, options: { timeoutMs?: number } = {}): MarketDataFeed {
  const get = <Value>(path: string, schema: z.ZodType<Value>) =>
    ask(`${baseUrl.replace(/\/+$/, '')}${path}`, schema, options.timeoutMs ?? 10_000);
  return {
    instruments: () => get('/market/instruments', INSTRUMENTS),
    clock: () => get('/market/clock', CLOCK),
    dailyBars: (symbol, from, to) =>
      get(`/market/bars?${new URLSearchParams({ symbol, from, to }).toString()}`, BARS),
    corporateActions: () => get('/market/actions', ACTIONS),
    async quotes(symbols) {
      const parts: Promise<MarketDataAnswer<readonly MarketQuote[]>>[] = [];
      for (let i = 0; i < symbols.length; i += SYMBOLS_PER_QUESTION) {
        const asked = symbols.slice(i, i + SYMBOLS_PER_QUESTION).join(',');
        parts.push(get(`/market/quotes?${new URLSearchParams({ symbols: asked }).toString()}`, QUOTES));
      }
      const quotes: MarketQuote[] = [];
      for (const answer of await Promise.all(parts)) {
        if (!answer.ok) return answer;
        quotes.push(...answer.value);
      }
      return { ok: true, value: quotes };
    },
  };
}

/** An address may be 16 KiB long; option symbols are 17 characters. */
const SYMBOLS_PER_QUESTION = 400;

async function ask<Value>(
  url: string,
  schema: z.ZodType<Value>,
  timeoutMs: number,
): Promise<MarketDataAnswer<Value>> {
  let status: number;
  let text: string;
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
    status = response.status;
    text = await response.text();
  } catch (error) {
    return failure('unreachable', `the market feed did not answer: ${String(error)}`);
  }
  if (status >= 500) return failure('unreachable', `the market feed answered ${status}`);
  if (status === 429) return failure('rate_limited', 'the market feed asks us to slow down');
  if (status === 401 || status === 403) return failure('unauthorized', `the market feed answered ${status}`);
  const body = parseJson(text);
  if (status !== 200) {
    const reported = REFUSAL.safeParse(body);
    if (!reported.success)
      return failure('malformed', `the market feed answered ${status} without saying why`);
    return failure(
      reported.data.code === 'unknown_symbol' ? 'unknown_symbol' : 'refused',
      reported.data.message,
    );
  }
  const read = schema.safeParse(body);
  if (!read.success) return failure('malformed', `the market feed's answer: ${z.prettifyError(read.error)}`);
  return { ok: true, value: read.data };
}

/** Undefined for anything that is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function failure(code: MarketDataFailure['code'], message: string): MarketDataFailure {
  return { ok: false, code, message };
}

const instantNumber = z.int().transform((ms) => ms as Instant);
const instantText = z.iso.datetime().transform((text) => parseInstant(text));
const date = z.iso.date().transform((text) => text as IsoDate);
const symbol = z
  .string()
  .min(1)
  .transform((text) => text as Symbol);

const REFUSAL = z.object({ code: z.string(), message: z.string() });

const CLOCK = z.object({
  now: instantText,
  daySeconds: z.number().positive(),
  mode: z.enum(['sandbox', 'replay']),
  paused: z.boolean(),
  endsAt: instantText.nullable(),
});

const INSTRUMENT = z.object({
  symbol,
  kind: z.enum(INSTRUMENT_KINDS),
  name: z.string(),
  currency: z.string().transform((text) => text as Currency),
  unitCurrency: z.string().nullable(),
  multiplier: z.number().positive(),
  quantityStep: z
    .int()
    .positive()
    .transform((value): Quantity => quantity(value)),
  priceDecimals: z.int().min(0),
  calendar: z.enum(['us-equity', 'forex', 'crypto']),
  settlement: z.enum(['cash', 'margin']),
  expiry: date.nullable(),
});
const INSTRUMENTS = results<Instrument>(INSTRUMENT);

const number = z.number();
const BAR = z.object({
  openedAt: instantNumber,
  closedAt: instantNumber,
  date,
  open: number,
  high: number,
  low: number,
  close: number,
  volume: number,
});
/** Parses row by row: a malformed row discards itself and the rows after it, but keeps the bars before it. */
const BARS: z.ZodType<FeedBars> = results(z.unknown()).transform((rows) => {
  const bars: Bar[] = [];
  for (const row of rows) {
    const read = BAR.safeParse(row);
    if (!read.success) return { bars, malformed: z.prettifyError(read.error) };
    bars.push(read.data);
  }
  return { bars, malformed: null };
});

const ACTIONS = results<ListedAction>(
  z.object({ symbol, kind: z.enum(['split', 'dividend']), exDate: date, amount: z.number().positive() }),
);
const QUOTES = results<MarketQuote>(
  z.object({ symbol, last: number, bid: number, ask: number, open: z.boolean(), at: instantNumber }),
);

function results<Row>(row: z.ZodType<Row>): z.ZodType<readonly Row[]> {
  return z.object({ results: z.array(row) }).transform((body) => body.results);
}
