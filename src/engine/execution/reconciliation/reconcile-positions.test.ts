import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Symbol } from '#units/identifiers.ts';
import { MINUTE_MS } from '#units/instant.ts';
import { fromQuantity, quantity, toQuantity } from '#units/quantity.ts';
import { wallAfter, wallInstant } from '#units/wall-instant.ts';
import { AAA, MONDAY } from '#tests/support/engine/open-order.ts';
import {
  holdsWithoutOrder,
  type PositionBook,
  type PositionSnapshot,
  reconcilePositions,
  type SeenPositions,
} from './reconcile-positions.ts';
import type { UnsureInstruments } from './unread-rows.ts';

const NOTHING: SeenPositions = {
  beside: new Map(),
  difference: new Map(),
  unexplained: new Map(),
  external: new Map(),
};
const START = wallInstant(0);
const LIST_LAG_MS = 10 * MINUTE_MS;

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
  /** Whether what is under way is listed as working, and filled as booked. */
  isListed?: boolean;
  /** When the first order under way was sent. */
  sentMinute?: number;
  minute?: number;
};

function snapshot(
  {
    held,
    books = [book()],
    buying,
    selling = 0,
    unsure = new Map(),
    isListed = false,
    sentMinute = 0,
    minute = 0,
  }: Asked,
  seen = NOTHING,
): PositionSnapshot {
  const isUnderWay = buying !== undefined || selling > 0;
  return {
    held: new Map([[AAA, toQuantity(held)]]),
    books,
    traded: new Set([AAA]),
    untouched: [],
    underWay: new Map(
      isUnderWay
        ? [
            [
              AAA,
              {
                buying: toQuantity(buying ?? 0),
                selling: toQuantity(selling),
                sentAt: wallAfter(START, sentMinute * MINUTE_MS),
              },
            ],
          ]
        : [],
    ),
    listed: new Set(isListed ? [AAA] : []),
    readAt: wallAfter(START, minute * MINUTE_MS),
    listLagMs: LIST_LAG_MS,
    seen,
    unsure,
  };
}

/** Performs looks in sequence; returns the last result. */
function look(...asked: readonly Asked[]) {
  return asked.reduce(
    (before, one, minute) => reconcilePositions(snapshot({ minute, ...one }, before.seen)),
    {
      seen: NOTHING,
    } as ReturnType<typeof reconcilePositions>,
  );
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

  it('is a break although orders are under way that it is older than, or that are listed without a fill', () => {
    const seen = { held: 7, selling: 3 };
    const later = LIST_LAG_MS / MINUTE_MS + 2;
    const again = { ...seen, minute: later };
    const last = { ...seen, minute: later + 1 };
    expect(look(seen, again, last).lasting).toEqual([]);
    expect(look({ held: 7 }, { ...again, sentMinute: 1 }, { ...last, sentMinute: 1 }).lasting).toHaveLength(
      1,
    );
    expect(look(seen, { ...again, isListed: true }, { ...last, isListed: true }).lasting).toHaveLength(1);
    expect(look({ held: 7 }, { ...seen, sentMinute: 1 }, { ...seen, sentMinute: 1 }).lasting).toEqual([]);
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

describe('what an account holds outside our books', () => {
  const beside = (...asked: readonly Asked[]) =>
    fromQuantity(toQuantityOf(look(...asked).seen.beside.get(AAA)));

  it('is what two looks have seen, so that a look before a booking leaves nothing behind', () => {
    expect(beside({ held: 15 })).toBe(5);
    expect(beside({ held: 10 }, { held: 15 })).toBe(0);
    expect(beside({ held: 10 }, { held: 15 }, { held: 15 })).toBe(5);
    expect(beside({ held: 10 }, { held: 15 }, { held: 10 })).toBe(0);
  });

  it('is seen beside an order once the list shows for longer than its lag that nothing of it filled', () => {
    const own = { held: 15, selling: 5, isListed: true };
    expect(beside({ held: 10 }, { ...own, minute: 1 }, { ...own, minute: 11 })).toBe(0);
    expect(beside({ held: 10 }, { ...own, minute: 1 }, { ...own, minute: 12 })).toBe(5);
    expect(beside({ held: 10 }, { ...own, minute: 1 }, { ...own, minute: 12, isListed: false })).toBe(0);
  });

  it('never takes a fill that only positions show, however late the lists are', () => {
    const happenings = fc.array(
      fc.record({
        minutes: fc.integer({ min: 1, max: 20 }),
        event: fc.constantFrom('fill', 'trade', 'nothing', 'nothing'),
        units: fc.integer({ min: 1, max: 5 }),
      }),
      { maxLength: 25 },
    );
    fc.assert(
      fc.property(happenings, fc.integer({ min: 0, max: 10 }), (happened, lagMinutes) => {
        let [minute, own, seen] = [0, 0, reconcilePositions(snapshot({ held: 10 })).seen];
        const fills: { at: number; units: number }[] = [];
        const steady = [0];
        for (const { minutes, event, units } of happened) {
          minute += minutes;
          if (event === 'trade') steady.push((own += units));
          if (event === 'fill') fills.push({ at: minute, units });
          const sold = (ofs: typeof fills) => ofs.reduce((sum, { units: each }) => sum + each, 0);
          const listed = sold(fills.filter(({ at }) => at + lagMinutes <= minute));
          const asked: Asked = {
            held: 10 + own - sold(fills),
            // Booked as listed: a hidden fill shows in positions alone.
            books: [book({ ours: 10 - listed })],
            selling: 1_000,
            isListed: true,
            minute,
          };
          seen = reconcilePositions(snapshot(asked, seen)).seen;
          expect(steady).toContain(fromQuantity(toQuantityOf(seen.beside.get(AAA))));
        }
      }),
    );
  });
});

function toQuantityOf(units: number | undefined) {
  return quantity(units ?? Number.NaN);
}

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
    untouched: [],
    underWay: new Map(),
    listed: new Set(),
    readAt: START,
    listLagMs: LIST_LAG_MS,
    seen: NOTHING,
    unsure: new Map(),
  });
  expect([seen.beside.get('OWN' as Symbol), fresh]).toEqual([toQuantity(40), []]);
});

describe('units of an instrument that no order was ever sent for', () => {
  const OWN = 'OWN' as Symbol;
  const looked = (
    {
      units,
      external = 0,
      minute = 0,
      unsure = new Map(),
    }: { units: number; external?: number; minute?: number; unsure?: UnsureInstruments },
    seen = NOTHING,
  ) =>
    reconcilePositions({
      held: new Map(units === 0 ? [] : [[OWN, toQuantity(units)]]),
      books: [],
      traded: new Set(),
      untouched: [{ symbol: OWN, external: toQuantity(external) }],
      underWay: new Map(),
      listed: new Set(),
      readAt: wallAfter(START, minute * MINUTE_MS),
      listLagMs: LIST_LAG_MS,
      seen,
      unsure,
    });

  it('came in or left without an execution once none is listed for long enough, and are no difference', () => {
    const first = looked({ units: 40 });
    expect(first.transferred).toEqual([]);
    const soon = looked({ units: 40, minute: 10 }, first.seen);
    expect(soon.transferred).toEqual([]);
    const later = looked({ units: 40, minute: 11 }, soon.seen);
    expect(later.transferred).toEqual([{ symbol: OWN, units: toQuantity(40), external: 0 }]);
    expect([...first.fresh, ...later.fresh, ...later.lasting]).toEqual([]);
    const recorded = looked({ units: 40, external: 40, minute: 12 }, later.seen);
    expect(recorded.transferred).toEqual([]);
    const left = looked({ units: 0, external: 40, minute: 13 }, recorded.seen);
    const [out] = looked({ units: 0, external: 40, minute: 24 }, left.seen).transferred;
    expect(out).toEqual({ symbol: OWN, units: toQuantity(-40), external: toQuantity(40) });
  });

  it('wait while they change, and while their rows cannot be read', () => {
    const { seen } = looked({ units: 40 });
    const changed = looked({ units: 41, minute: 11 }, seen);
    expect(changed.transferred).toEqual([]);
    const unsure: UnsureInstruments = new Map([[OWN, new Set(['positions'] as const)]]);
    expect(looked({ units: 40, minute: 11, unsure }, seen).transferred).toEqual([]);
  });
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
