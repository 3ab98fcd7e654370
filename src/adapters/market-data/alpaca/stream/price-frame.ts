// A frame of the vendor's stream of prices: a list of messages, of control or of prices. Shares and coins share the form.
import { z } from 'zod';
import type { Instant } from '#units/instant.ts';
import { QUOTE, time, TRADE } from '../rows.ts';

export type PriceMessage =
  | { readonly kind: 'connected' | 'authenticated' | 'other' }
  /** All that is subscribed now. */
  | { readonly kind: 'subscribed'; readonly trades: readonly string[]; readonly quotes: readonly string[] }
  | { readonly kind: 'refused'; readonly code: number }
  | { readonly kind: 'trade'; readonly symbol: string; readonly price: number; readonly at: Instant }
  | {
      readonly kind: 'quote';
      readonly symbol: string;
      readonly bid: number;
      readonly ask: number;
      readonly at: Instant;
    }
  /** Of the minute that begins at `at`: there was a trade in it. */
  | { readonly kind: 'bar'; readonly symbol: string; readonly at: Instant }
  /** An earlier trade is corrected or cancelled. */
  | { readonly kind: 'corrected'; readonly symbol: string }
  | {
      readonly kind: 'halted' | 'resumed';
      readonly symbol: string;
      readonly at: Instant;
      readonly said: string;
    };

/** Null when it cannot be read. */
export function parsePriceFrame(text: string): readonly PriceMessage[] | null {
  try {
    const frame = z.array(TYPED).safeParse(JSON.parse(text));
    if (!frame.success) return null;
    const messages = frame.data.map((row) => (MESSAGES[row.T] ?? OTHER).safeParse(row));
    return messages.every((one) => one.success) ? messages.map(({ data }) => data!) : null;
  } catch {
    return null;
  }
}

const TYPED = z.looseObject({ T: z.string() });
const symbols = z.array(z.string()).default([]);
const S = z.string().min(1);
const OTHER = z.unknown().transform((): PriceMessage => ({ kind: 'other' }));
/** By the type of the message. */
const MESSAGES: Readonly<Record<string, z.ZodType<PriceMessage>>> = {
  success: z.object({ msg: z.string() }).transform(
    ({ msg }): PriceMessage => ({
      kind: msg === 'authenticated' || msg === 'connected' ? msg : 'other',
    }),
  ),
  subscription: z
    .object({ trades: symbols, quotes: symbols })
    .transform((channels): PriceMessage => ({ kind: 'subscribed', ...channels })),
  error: z.object({ code: z.number() }).transform(({ code }): PriceMessage => ({ kind: 'refused', code })),
  t: TRADE.extend({ S, c: z.array(z.string()).nullish() }).transform(
    ({ S: symbol, p: price, t: at, c: conditions }): PriceMessage =>
      conditions?.some((one) => NOT_OF_NOW.has(one)) === true
        ? { kind: 'other' }
        : { kind: 'trade', symbol, price, at },
  ),
  q: QUOTE.extend({ S }).transform(
    ({ S: symbol, bp: bid, ap: ask, t: at }): PriceMessage => ({ kind: 'quote', symbol, bid, ask, at }),
  ),
  b: z
    .object({ S, t: time })
    .transform(({ S: symbol, t: at }): PriceMessage => ({ kind: 'bar', symbol, at })),
  c: z.object({ S }).transform(({ S: symbol }): PriceMessage => ({ kind: 'corrected', symbol })),
  x: z.object({ S }).transform(({ S: symbol }): PriceMessage => ({ kind: 'corrected', symbol })),
  s: z
    .object({ S, t: time, sc: z.string(), sm: z.string().default(''), rm: z.string().default('') })
    .transform(({ S: symbol, t: at, sc, sm, rm }): PriceMessage => {
      const kind = HALTS.has(sc) ? 'halted' : RESUMES.has(sc) ? 'resumed' : null;
      return kind === null ? { kind: 'other' } : { kind, symbol, at, said: rm === '' ? sm : rm };
    }),
};

/** Of both tapes, whose codes do not overlap: a halt and a volatility pause. When only quoting resumes, the halt goes on. */
const HALTS = new Set(['2', 'H', 'P']);
const RESUMES = new Set(['3', 'T']);
/**
 * Conditions of trades that do not set the last price by the rules of the tapes: average, earlier and derived prices, other
 * settlement, out of sequence. Odd lots and trades out of hours are prices of now.
 */
const NOT_OF_NOW = new Set(['B', 'C', 'H', 'M', 'N', 'P', 'Q', 'R', 'U', 'V', 'W', 'Z', '4', '7']);
