import { describe, expect, test } from 'vitest';
import { type IsoDate, parseInstant } from '#units/instant.ts';
import { findBandBreach, validateQuote } from './validate-quote.ts';

const now = parseInstant('2026-03-04T22:00:00Z');
const split = { kind: 'split', exDate: '2026-03-04' as IsoDate, amount: 20 } as const;

test('a zero or crossed price is not used', () => {
  const quote = { last: 100, bid: 99, ask: 101 };
  expect(validateQuote(quote)).toBeNull();
  expect(validateQuote({ ...quote, last: 0 })).toEqual({ code: 'not_a_price', of: 'last', price: 0 });
  expect(validateQuote({ ...quote, last: Number.NaN })).toMatchObject({ code: 'not_a_price', of: 'last' });
  expect(validateQuote({ ...quote, bid: 0 })).toMatchObject({ code: 'not_a_price', of: 'bid' });
  expect(validateQuote({ ...quote, ask: Number.POSITIVE_INFINITY })).toMatchObject({ of: 'ask' });
  expect(validateQuote({ ...quote, bid: 102 })).toEqual({ code: 'crossed', bid: 102, ask: 101 });
});

describe('of a quote', () => {
  const day = '2026-03-03' as IsoDate;
  const at = (time: string) => ({ last: 5, at: parseInstant(time) });
  const known = (...prices: number[]) => prices.map((price) => ({ price, date: day }));
  const plain = { calendar: 'us-equity', actions: [] } as const;
  const splits = { calendar: 'us-equity', actions: [split] } as const;

  test('one known price that makes it plausible is enough', () => {
    const quote = { last: 100, at: now };
    expect(findBandBreach(quote, [], plain)).toBeNull();
    expect(findBandBreach(quote, known(10), plain)).toMatchObject({ code: 'outside_price_band' });
    expect(findBandBreach(quote, known(1_000, 90), plain)).toBeNull();
    expect(findBandBreach(quote, known(10, 1_000), plain)).toMatchObject({ code: 'outside_price_band' });
  });

  test('a split counts once its day has opened', () => {
    expect(findBandBreach(at('2026-03-03T16:00:00Z'), known(100), splits)).toMatchObject({
      code: 'outside_price_band',
    });
    expect(findBandBreach(at('2026-03-04T14:30:00Z'), known(100), splits)).toBeNull();
    expect(findBandBreach({ ...at('2026-03-04T14:30:00Z'), last: 100 }, known(100), splits)).toMatchObject({
      code: 'outside_price_band',
    });
  });

  test('between the two sessions both share counts are possible', () => {
    expect(findBandBreach(at('2026-03-03T23:00:00Z'), known(100), splits)).toBeNull();
    expect(findBandBreach({ ...at('2026-03-03T23:00:00Z'), last: 100 }, known(100), splits)).toBeNull();
    expect(findBandBreach({ ...at('2026-03-03T23:00:00Z'), last: 3_000 }, known(100), splits)).toMatchObject({
      code: 'outside_price_band',
    });
  });
});
