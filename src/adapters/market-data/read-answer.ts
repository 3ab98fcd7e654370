// What the vendors' feeds share: a failure with its code, and an answer that is read by a schema or not at all.
import { z } from 'zod';
import type { MarketDataAnswer, MarketDataFailure } from '#ports/market-data.ts';

/** Thrown by a parser: the vendor's answer is not what it documents. */
export class Malformed extends Error {}

/** The value of a schema; throws Malformed. */
export function parse<Value>(schema: z.ZodType<Value>, value: unknown): Value {
  const read = schema.safeParse(value);
  if (!read.success) throw new Malformed(z.prettifyError(read.error));
  return read.data;
}

export function reading<Value>(read: () => Value): MarketDataAnswer<Value> {
  try {
    return { ok: true, value: read() };
  } catch (error) {
    // RangeError comes from the units: a time that cannot be represented.
    if (error instanceof Malformed || error instanceof RangeError)
      return failure('malformed', `the vendor’s answer cannot be read: ${error.message}`);
    throw error;
  }
}

export function failure(code: MarketDataFailure['code'], message: string): MarketDataFailure {
  return { ok: false, code, message };
}
