import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Symbol } from '#units/identifiers.ts';
import { fromQuantity, toQuantity } from '#units/quantity.ts';
import { AAA, MONDAY } from '#tests/support/engine/open-order.ts';
import {
  holdsWithoutOrder,
  type PositionBook,
  type PositionSnapshot,
  reconcilePositions,
  type SeenPositions,
} from './reconcile-positions.ts';
import type { UnsureInstruments } from './unread-rows.ts';

const NOTHING: SeenPositions = { beside: new Map(), unexplained: new Map(), external: new Map() };

function book(
  asked: { ours?: number; external?: number; shortfall?: number; externalPosition?: number } = {},
): PositionBook {
  const { ours = 10, external = 0, shortfall = 0, externalPosition } = asked;
  return {
    symbol: AAA,
    ours: toQuantity(ours),
    external: toQuantity(external),
    shortfall: toQuantity(shortfall),
    externalPosition:
      externalPosition === undefined ? null : { units: toQuantity(externalPosition), price: 100, at: MONDAY },
  };
}

type Asked = {
  held: number;
  books?: PositionBook[];
  buying?: number;
  selling?: number;
  unsure?: UnsureInstruments;
};

function snapshot(
  { held, books = [book()], buying, selling = 0, unsure = new Map() }: Asked,
  seen = NOTHING,
): PositionSnapshot {
  const isUnderWay = buying !== undefined || selling > 0;
  return {
    held: new Map([[AAA, toQuantity(held)]]),
    books,
    traded: new Set([AAA]),
    underWay: new Map(
      isUnderWay ? [[AAA, { buying: toQuantity(buying ?? 0), selling: toQuantity(selling) }]] : [],
    ),
    seen,
    unsure,
  };
}

/** Performs looks in sequence; returns the last result. */
function look(...asked: readonly Asked[]) {
  return asked.reduce((before, one) => reconcilePositions(snapshot(one, before.seen)), {
    seen: NOTHING,
  } as ReturnType<typeof reconcilePositions>);
}

describe('a difference that nothing explains', () => {
  it('is new at the first look, and a break at the second look with the same result', () => {
    expect(look({ held: 7 })).toMatchObject({
      lasting: [],
      fresh: [{ kind: 'unexplained', units: toQuantity(-3) }],
    });
    expect(look({ held: 7 }, { held: 7 })).toMatchObject({ fresh: [], lasting: [{ theirs: toQuantity(7) }] });
    expect(look({ held: 7 }, { held: 6 }).lasting).toEqual([]);
  });

  it('is cleared when it is gone', () => {
    const { lasting, cleared } = look({ held: 7 }, { held: 7 }, { held: 10 });
    expect(lasting).toEqual([]);
    expect(cleared).toContainEqual({ kind: 'unexplained', symbol: AAA });
  });

  it('is not a break while orders in flight could have caused it', () => {
    expect(look({ held: 7, selling: 3 })).toMatchObject({ fresh: [], lasting: [] });
    expect(look({ held: 6, selling: 3 }).fresh).toHaveLength(1);
    expect(look({ held: 12, buying: 2 }).fresh).toEqual([]);
  });

  it('is not looked for while a row about its instrument cannot be read, and nothing seen is forgotten', () => {
    const unsure = new Map([[AAA, new Set(['positions'] as const)]]);
    expect(look({ held: 0, unsure }, { held: 0, unsure })).toMatchObject({
      lasting: [],
      cleared: [],
      fresh: [],
    });
    const [before, after] = [look({ held: 12 }), look({ held: 12 }, { held: 0, unsure })];
    expect(after.seen).toEqual(before.seen);
    expect(look({ held: 7 }, { held: 0, unsure }, { held: 7 }).lasting).toHaveLength(1);
  });

  it('is measured from what the account held outside our books before', () => {
    expect(look({ held: 15 }, { held: 12, selling: 3 }).fresh).toEqual([]);
    // A sale that only the positions show is not a holding of the owner.
    expect(look({ held: 10 }, { held: 7, selling: 3 }).seen.beside.get(AAA)).toBe(0);
  });
});

describe('external trades against the positions of deployments', () => {
  const sold = { held: 7, books: [book({ external: -3, externalPosition: -3 })] };
  const short = { held: 7, books: [book({ external: -3, shortfall: 3 })] };

  it('are a break once two looks saw them and nothing is unexplained', () => {
    expect(look(sold).lasting).toEqual([]);
    expect(look(sold, sold).lasting).toMatchObject([
      { kind: 'external_trade', units: toQuantity(-3), price: 100, tradedAt: MONDAY },
    ]);
    expect(look(sold, { ...sold, held: 6 }).lasting).toEqual([]);
    expect(look(short, short).lasting).toMatchObject([
      { kind: 'shortfall', units: toQuantity(-3), price: null },
    ]);
  });

  it('are cleared once they are compensated', () => {
    expect(look(sold, sold, { held: 10 }).cleared).toContainEqual({ kind: 'external_trade', symbol: AAA });
  });
});

it('remembers what an account holds of instruments that no deployment trades', () => {
  const held = new Map([['OWN' as Symbol, toQuantity(40)]]);
  const { seen, fresh } = reconcilePositions({
    held,
    books: [],
    traded: new Set(),
    underWay: new Map(),
    seen: NOTHING,
    unsure: new Map(),
  });
  expect([seen.beside.get('OWN' as Symbol), fresh]).toEqual([toQuantity(40), []]);
});

it('reports whether the account holds what it would without an order', () => {
  const without = { held: toQuantity(10), book: book(), beside: 0 };
  expect(holdsWithoutOrder(without)).toBe(true);
  expect(holdsWithoutOrder({ ...without, held: toQuantity(13) })).toBe(false);
  expect(holdsWithoutOrder({ ...without, held: toQuantity(13), beside: toQuantity(3) })).toBe(true);
  expect(holdsWithoutOrder({ held: 0, book: null, beside: 0 })).toBe(true);
});

it('for any holdings: nothing seen only once is kept, and each break adds up to what the broker holds', () => {
  const units = fc.integer({ min: -20, max: 20 });
  const looks = fc.array(fc.record({ held: units, ours: units, external: units }), {
    minLength: 1,
    maxLength: 5,
  });
  fc.assert(
    fc.property(looks, (all) => {
      const asked = all.map(
        ({ held, ours, external }): Asked => ({ held, books: [book({ ours, external })] }),
      );
      expect(look(asked[0]!).lasting).toEqual([]);
      const last = all.at(-1)!;
      for (const { ours, external, units: by, theirs } of look(...asked).lasting) {
        expect(theirs).toBe(ours + external + by);
        expect(fromQuantity(theirs)).toBe(last.held);
      }
    }),
  );
});
