import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Symbol } from '#units/identifiers.ts';
import { DAY_MS, type IsoDate, MINUTE_MS, parseInstant, utcDate, type Instant } from '#units/instant.ts';
import { MARKET } from '../../../tests/support/engine/deployment-snapshot.ts';
import { AAA, MONDAY } from '../../../tests/support/engine/open-order.ts';
import { KIND_RULES } from '../market/kinds/rules-of.ts';
import { acceptQuotes, doubtedQuotes, type Quote, quotedSymbols } from './accept-quotes.ts';
import type { KnownPrice } from './price-band.ts';

const DAY = utcDate(MONDAY);
const quote = (last: number, symbol = AAA): Quote => ({ symbol, last, bid: last, ask: last, at: MONDAY });
const priced = (price: number): ReadonlyMap<Symbol, KnownPrice> => new Map([[AAA, { price, date: DAY }]]);
const shares = (accepted: ReadonlyMap<Symbol, KnownPrice> = new Map()) => ({
  instruments: MARKET.instruments,
  actions: new Map(),
  accepted,
  now: MONDAY,
  speed: 1,
});

it('accepts what the last price or one of the newest closes makes plausible, and remembers only that', () => {
  const prices = fc.integer({ min: 1, max: 5_000 });
  const known = fc.option(prices, { nil: null });
  fc.assert(
    fc.property(prices, known, fc.array(prices, { maxLength: 5 }), (last, before, closes) => {
      const asked = shares(before === null ? new Map() : priced(before));
      const bars = new Map([[AAA, closes.map((price) => ({ price, date: DAY }))]]);
      const { marks, faults, accepted } = acceptQuotes([quote(last)], asked, bars);
      const references = [...(before === null ? [] : [before]), ...closes];
      const isPossible =
        references.length === 0 || references.some((one) => last < one * 10 && last > one / 10);
      expect(marks.get(AAA)).toBe(isPossible ? last : undefined);
      expect(faults.has(AAA)).toBe(!isPossible);
      expect(accepted.get(AAA)?.price ?? null).toBe(isPossible ? last : before);
    }),
  );
});

it('decides nothing on prices of a feed that is late or silent while the instrument trades', () => {
  const ageMax = 10 * MINUTE_MS;
  fc.assert(
    fc.property(fc.integer({ min: 0, max: ageMax }), fc.constantFrom(1, 4), (age, speed) => {
      const late = { ...quote(100), at: (MONDAY - age) as Instant };
      const { marks, faults, accepted } = acceptQuotes([late], { ...shares(), speed }, new Map());
      const isTooOld = age > KIND_RULES.equity.priceMaxAgeMs * speed;
      expect(faults.get(AAA)?.code).toBe(isTooOld ? 'too_old' : undefined);
      expect([marks.has(AAA), accepted.has(AAA)]).toEqual([!isTooOld, !isTooOld]);
    }),
  );
});

it('takes a feed that is late by its plan as of the moment that it shows, and no later', () => {
  const delayMs = 15 * MINUTE_MS;
  const of = (ageMs: number, now = MONDAY) => {
    const one = { ...quote(100), at: (now - ageMs) as Instant, delayMs };
    return acceptQuotes([one], { ...shares(), now }, new Map()).faults.get(AAA)?.code ?? null;
  };
  const limit = KIND_RULES.equity.priceMaxAgeMs;
  expect([of(delayMs), of(delayMs + limit), of(delayMs + limit + 1)]).toEqual([null, null, 'too_old']);
  // In its first quarter of an hour the session is not seen yet, and the close before it is the newest price.
  const opened = parseInstant('2026-03-03T14:40:00Z');
  expect(of(opened - parseInstant('2026-03-02T20:59:59Z'), opened)).toBe(null);
  const seen = parseInstant('2026-03-03T14:47:00Z');
  expect(of(seen - parseInstant('2026-03-02T20:59:59Z'), seen)).toBe('too_old');
});

it('takes the close for the newest price until the next opening', () => {
  const evening = parseInstant('2026-03-02T23:00:00Z');
  const close = { ...quote(100), at: parseInstant('2026-03-02T20:59:59Z') };
  expect(acceptQuotes([close], { ...shares(), now: evening }, new Map()).marks.get(AAA)).toBe(100);
});

it('requests bars only for quotes that the last price does not make plausible', () => {
  expect(doubtedQuotes([quote(100)], shares(priced(99)))).toEqual([]);
  expect(doubtedQuotes([quote(1_000)], shares(priced(99)))).toHaveLength(1);
  expect(doubtedQuotes([quote(-1)], shares())).toEqual([]);
});

it('requests quotes of a contract until well after its settlement, and never of a continuous series', () => {
  const share = MARKET.instruments.get(AAA)!;
  const ended = (days: number): IsoDate => utcDate((MONDAY - days * DAY_MS) as Instant);
  const contract = (name: string, expiry: IsoDate | null) =>
    ({ ...share, symbol: name as Symbol, kind: 'futures', expiry }) as const;
  const all = [share, contract('NEW', ended(10)), contract('OLD', ended(11)), contract('SERIES', null)];
  expect(quotedSymbols(all, MONDAY)).toEqual(['AAA', 'NEW']);
});
