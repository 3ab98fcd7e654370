import { expect, test } from 'vitest';
import type { Instant } from '#units/instant.ts';
import { toQuantity } from '#units/quantity.ts';
import { findExternalPosition } from './external-position.ts';

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
