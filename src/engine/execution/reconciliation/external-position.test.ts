import { describe, expect, test } from 'vitest';
import type { Symbol } from '#units/identifiers.ts';
import { type Instant, parseInstant, utcDate } from '#units/instant.ts';
import { toQuantity } from '#units/quantity.ts';
import { NEW_SESSION } from '../connection/session-health.ts';
import { absenceOf, type AccountBook, findExternalPosition } from './external-position.ts';

test.each([
  [
    'the latest first',
    [
      [-5, 100, 1],
      [-3, 90, 2],
    ],
    -4,
    92.5,
  ],
  [
    'of those that go this way alone',
    [
      [-5, 100, 1],
      [4, 95, 2],
      [-3, 90, 3],
    ],
    -4,
    92.5,
  ],
  [
    'none that an adjustment wrote',
    [
      [-5, 100, 1],
      [-3, 90, 2, 'written'],
    ],
    -4,
    100,
  ],
  [
    'nothing where the price of one is not known',
    [
      [-5, 100, 1],
      [-3, 0, 2],
    ],
    -4,
    null,
  ],
  ['nothing where there are too few', [[-3, 90, 2]], -4, null],
] as const)('the price of what was traded externally is that of %s', (_, trades, net, price) => {
  const reported = trades.map(([traded, each, at, written]) => ({
    units: toQuantity(traded),
    price: each,
    at: at as Instant,
    isTheirOwn: written === undefined,
  }));
  const external = toQuantity(net);
  const found = findExternalPosition(
    { long: toQuantity(40), short: toQuantity(0) },
    { external, shortfall: toQuantity(0) },
    reported,
  );
  expect(found).toMatchObject({ units: external, price });
});

test.each([
  ['what deployments are long of, when more was sold', 3, 0, -5, 0, -3],
  ['what was sold, when less was', 40, 15, -5, 0, -5],
  ['what deployments are short of, when more was bought', 40, 15, 20, 0, 15],
  ['nothing where others go the same way', 40, 0, 20, 0, null],
  ['nothing of what a broker took back', 40, 0, -32, 32, null],
  ['what is sold beyond that', 40, 0, -37, 32, -5],
  ['nothing where nothing is held', 0, 0, -5, 0, null],
] as const)('given up is %s', (_, long, short, external, shortfall, wanted) => {
  const others = { external: toQuantity(external), shortfall: toQuantity(shortfall) };
  const found = findExternalPosition({ long: toQuantity(long), short: toQuantity(short) }, others, []);
  expect(found?.units ?? null).toBe(wanted === null ? null : toQuantity(wanted));
});

describe('an account that differs from the books', () => {
  const SYMBOL = 'BBB' as Symbol;
  const NOW = parseInstant('2026-03-27T16:00:00Z');
  const book: AccountBook = {
    symbol: SYMBOL,
    calendar: 'us-equity',
    passed: utcDate(NOW),
    ours: toQuantity(-70),
    external: toQuantity(0),
    shortfall: toQuantity(0),
    externalPosition: null,
  };
  const absence = (given: {
    held: number;
    agreed?: number;
    buying?: number;
    selling?: number;
    beside?: number;
  }) =>
    absenceOf(SYMBOL, {
      held: new Map([[SYMBOL, toQuantity(given.held)]]),
      seen: { ...NEW_SESSION.seen, beside: new Map([[SYMBOL, toQuantity(given.beside ?? 0)]]) },
      unsure: new Map(),
      now: NOW,
      book,
      agreed: toQuantity(given.agreed ?? 0),
      underWay: { buying: toQuantity(given.buying ?? 0), selling: toQuantity(given.selling ?? 0) },
    });

  test('proves an order’s absence once two people have agreed on that difference', () => {
    expect(absence({ held: 16, selling: 1 })).toBe('not_proven');
    expect(absence({ held: 16, selling: 1, agreed: 86 })).toBe('proven');
    expect(absence({ held: 15, selling: 1, agreed: 86 }), 'the order has filled').toBe('not_proven');
    expect(absence({ held: -70, selling: 1, agreed: 86 }), 'it is gone').toBe('proven');
  });

  test('proves nothing where orders under way explain it', () => {
    expect(absence({ held: 16, buying: 85, agreed: 86 })).toBe('proven');
    expect(absence({ held: 16, buying: 86, agreed: 86 })).toBe('not_proven');
    expect(absence({ held: -84, selling: 14, agreed: -14 })).toBe('not_proven');
    expect(
      absence({ held: -64, buying: 1, agreed: 6, beside: 5 }),
      'one more than was beside the books',
    ).toBe('not_proven');
  });
});
