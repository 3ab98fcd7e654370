import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Symbol } from '#units/identifiers.ts';
import { instant, type IsoDate } from '#units/instant.ts';
import { barSeries } from './bar-series.ts';
import { session } from './calendar.ts';
import type { CorporateAction } from './corporate-action.ts';
import { totalReturnCloses } from './total-return-closes.ts';

const DATES = ['2026-03-02', '2026-03-03', '2026-03-04', '2026-03-05', '2026-03-06'] as IsoDate[];
const action = (kind: CorporateAction['kind'], day: number, amount: number) =>
  ({ kind, exDate: DATES[day]!, amount }) as const;

function series(closes: readonly number[], actions: readonly CorporateAction[] = []) {
  const bars = closes.map((close, i) => {
    const { opensAt, closesAt } = session('us-equity', DATES[i]!)!;
    const [openedAt, closedAt] = [instant(opensAt), instant(closesAt)];
    return { date: DATES[i]!, openedAt, closedAt, open: close, high: close, low: close, close, volume: 1 };
  });
  const made = barSeries('AAA' as Symbol, '1d', bars);
  return actions.length === 0 ? made : { ...made, actions };
}
const worthOf = (closes: readonly number[], ...actions: CorporateAction[]) => [
  ...totalReturnCloses(series(closes, actions)),
];

it('reinvests a dividend at the close of its ex-date', () => {
  // 2 dollars buy 2/98 of a share.
  expect(worthOf([100, 98, 49], action('dividend', 1, 2))).toEqual([
    100,
    98 * (1 + 2 / 98),
    49 * (1 + 2 / 98),
  ]);
});

it('takes splits out, and pays a dividend after one on the new shares', () => {
  expect(worthOf([100, 50, 55], action('split', 1, 2))).toEqual([100, 100, 110]);
  const both = worthOf([100, 50, 49, 49], action('split', 1, 2), action('dividend', 2, 1));
  expect(both).toEqual([100, 100, 100, 100]);
});

it('leaves out what took effect by the first close, and counts what fell between two closes at the second', () => {
  expect(worthOf([100, 100], action('dividend', 0, 5))).toEqual([100, 100]);
  const bars = series([100, 100, 95, 95], [action('dividend', 2, 5)]);
  const without = {
    ...bars,
    length: 3,
    closedAt: bars.closedAt.filter((_, i) => i !== 2),
    close: bars.close.filter((_, i) => i !== 2),
  };
  expect([...totalReturnCloses(without)]).toEqual([100, 100, 100]);
});

it('earns each day what price and dividend earned together', () => {
  const price = fc.integer({ min: 50, max: 150 });
  fc.assert(
    fc.property(
      fc.tuple(price, price, price, price, price),
      fc.integer({ min: 0, max: 20 }),
      (closes, paid) => {
        const worth = paid === 0 ? worthOf(closes) : worthOf(closes, action('dividend', 3, paid));
        for (let i = 1; i < closes.length; i++) {
          const received = i === 3 ? paid : 0;
          expect(worth[i]! / worth[i - 1]!).toBeCloseTo((closes[i]! + received) / closes[i - 1]!, 12);
        }
      },
    ),
  );
});
