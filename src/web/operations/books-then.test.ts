import { expect, test } from 'vitest';
import { booksThen } from './books-then.ts';

const bought = (quantity: number) => ({ quantity });

test.each([
  [{ held: 40, units: -15, replaced: null }, 'Its books say 40 AAA now, and 25 then.'],
  [{ held: 40, units: 0, replaced: bought(40) }, 'Its books say 40 AAA now, and 0 then.'],
  [{ held: -40, units: 0, replaced: bought(-40) }, 'Its books say −40 AAA now, and 0 then.'],
  [{ held: 0, units: -5, replaced: null }, 'Its books say 0 AAA now, and −5 then.'],
  [
    { held: 25, units: 0, replaced: bought(40) },
    'Its books say 25 AAA now, and −15 then. If its strategy only buys, they say 0 then, and 15 that it no longer holds are kept apart.',
  ],
  [
    { held: 25, units: 10, replaced: bought(40) },
    'Its books say 25 AAA now, and −5 then. If its strategy only buys, they say 0 then, and 5 that it no longer holds are kept apart.',
  ],
])('%o reads as what the books come to', (draft, said) =>
  expect(booksThen({ symbol: 'AAA', ...draft })).toBe(said),
);
