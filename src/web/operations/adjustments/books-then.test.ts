import { expect, test } from 'vitest';
import { booksThen } from './books-then.ts';

const bought = (quantity: number) => ({ quantity });

test.each([
  [{ held: 40, units: -15, replaced: null }, 'Books now: 40 AAA. After the adjustment: 25.'],
  [{ held: 40, units: 0, replaced: bought(40) }, 'Books now: 40 AAA. After the adjustment: 0.'],
  [{ held: -40, units: 0, replaced: bought(-40) }, 'Books now: −40 AAA. After the adjustment: 0.'],
  [{ held: 0, units: -5, replaced: null }, 'Books now: 0 AAA. After the adjustment: −5.'],
  [
    { held: 25, units: 0, replaced: bought(40) },
    'Books now: 25 AAA. After the adjustment: −15. If the strategy is long-only, its books stop at 0 and 15 go to the suspense account.',
  ],
  [
    { held: 25, units: 10, replaced: bought(40) },
    'Books now: 25 AAA. After the adjustment: −5. If the strategy is long-only, its books stop at 0 and 5 go to the suspense account.',
  ],
])('%o reads as what the books come to', (draft, said) =>
  expect(booksThen({ symbol: 'AAA', ...draft })).toBe(said),
);
