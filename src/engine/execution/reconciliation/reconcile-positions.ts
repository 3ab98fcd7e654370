// What an account holds outside our books. A difference is a break for a person to look at: it is never traded away,
// and positions that are not ours are never sold. A break needs two looks with the same result, so that the order in
// which lists were read cannot cause one.
import type { Symbol } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';
import { type Quantity, quantity } from '#units/quantity.ts';
import { msBetween, type WallInstant } from '#units/wall-instant.ts';
import type { UnsureInstruments } from './unread-rows.ts';

/** Our books of one instrument in an account. Quantities are signed. */
export type PositionBook = {
  readonly symbol: Symbol;
  /** Of all our deployments together. */
  readonly ours: Quantity;
  /** External trades there. */
  readonly external: Quantity;
  /** What the account is short of since a broker took back purchases already sold. */
  readonly shortfall: Quantity;
  /** What its owner traded externally out of the positions of deployments. */
  readonly externalPosition: ExternalPosition | null;
  /** Coins that the books have given up for fees which the broker has not listed yet: the account may hold them or not. */
  readonly awaited?: Quantity;
};

export type ExternalPosition = {
  /** Signed: what the books of deployments must add so that they hold no more than the account does. */
  readonly units: Quantity;
  /** The average of the latest trades behind it; null where one of them has no price. */
  readonly price: number | null;
  /** The time of the last of them; null when unknown. */
  readonly at: Instant | null;
};

export const BREAK_KINDS = ['unexplained', 'external_trade', 'shortfall'] as const;
/**
 * unexplained: the broker's position differs from our books and external trades together. For the other kinds it
 * matches them. external_trade: units that deployments hold were sold externally, or bought back. shortfall: the
 * account is short of what its broker took back after it was sold.
 */
export type BreakKind = (typeof BREAK_KINDS)[number];

export type PositionBreak = {
  readonly kind: BreakKind;
  readonly symbol: Symbol;
  readonly ours: Quantity;
  readonly external: Quantity;
  /** The broker's position. */
  readonly theirs: Quantity;
  /** What the books of deployments must add to close it; for a shortfall, what the account is short of. */
  readonly units: Quantity;
  readonly price: number | null;
  readonly tradedAt: Instant | null;
};

export type BreakSlot = Pick<PositionBreak, 'kind' | 'symbol'>;

/** What earlier looks saw. */
export type SeenPositions = {
  /** What the account held outside our books, when last known for certain. */
  readonly beside: ReadonlyMap<Symbol, number>;
  /** The difference between the account and our books at the last look. */
  readonly difference: ReadonlyMap<Symbol, SeenDifference>;
  /** The unexplained difference of the last look. */
  readonly unexplained: ReadonlyMap<Symbol, number>;
  /** Total external trades at the last look, by effect, when there was no unexplained difference. */
  readonly external: ReadonlyMap<string, number>;
};

type SeenDifference = {
  readonly units: number;
  readonly held: number;
  /** Since which look the difference is the same. */
  readonly since: WallInstant;
  /** Since which look both are: a fill that is booked while another one hides leaves the difference as it was. */
  readonly stillSince: WallInstant;
};

/** What orders at the broker could still buy and sell of an instrument; neither is negative. */
export type Unfilled = { readonly buying: number; readonly selling: number };

export type UnderWay = Unfilled & {
  /** When the first of them may have reached the broker, on its clock. */
  readonly sentAt: WallInstant;
};

export type PositionSnapshot = {
  /** The account's positions as the broker reports them. */
  readonly held: ReadonlyMap<Symbol, number>;
  /** Only for instruments whose books include the last end of day, as the broker's do. */
  readonly books: readonly PositionBook[];
  /** Every instrument that a deployment has traded there. */
  readonly traded: ReadonlySet<Symbol>;
  /** External holdings of instruments that no order of ours was ever sent for there, which `books` has none of. */
  readonly untouched: readonly Pick<PositionBook, 'symbol' | 'external'>[];
  /** What orders at the broker could still buy and sell: positions may show a fill before executions do. */
  readonly underWay: ReadonlyMap<Symbol, UnderWay>;
  /** Instruments of which all of these are listed as working, and filled as booked; see listedAsBooked. */
  readonly listed: ReadonlySet<Symbol>;
  readonly seen: SeenPositions;
  /** The broker's clock, before its lists were read. */
  readonly readAt: WallInstant;
  readonly listLagMs: number;
  /** Instruments about which the broker's lists cannot be read now: what was seen of them stays. */
  readonly unsure: UnsureInstruments;
};

export type PositionReconciliation = {
  readonly seen: SeenPositions;
  /** Seen at two looks: to be recorded. */
  readonly lasting: readonly PositionBreak[];
  /** To be ended where they are recorded. */
  readonly cleared: readonly BreakSlot[];
  /** Differences that are new at this look. */
  readonly fresh: readonly PositionBreak[];
  readonly transferred: readonly Transfer[];
};

/** Units that came into the account, or left it, without an execution: its owner's, as no order of ours can have moved them. */
export type Transfer = {
  readonly symbol: Symbol;
  /** Signed, in current units. */
  readonly units: Quantity;
  /** The external holdings that it comes on top of. */
  readonly external: Quantity;
};

export function reconcilePositions(snapshot: PositionSnapshot): PositionReconciliation {
  const { held, traded, underWay, seen, unsure, readAt } = snapshot;
  const books = snapshot.books.filter(({ symbol }) => !unsure.has(symbol));
  const beside = new Map(seen.beside);
  const unexplained = new Map(seen.unexplained);
  const differences = new Map(seen.difference);
  const external = new Map(seen.external);
  const lasting: PositionBreak[] = [];
  const cleared: BreakSlot[] = [];
  const fresh: PositionBreak[] = [];
  for (const symbol of new Set([...beside.keys(), ...held.keys()]))
    if (!traded.has(symbol) && !underWay.has(symbol) && !unsure.has(symbol))
      beside.set(symbol, held.get(symbol) ?? 0);
  const look = (symbol: Symbol, known: number, awaited?: Quantity): SeenDifference => {
    const units = held.get(symbol) ?? 0;
    const difference = withoutAwaited(units - known, awaited);
    const last = seen.difference.get(symbol);
    const since = last?.units === difference ? last.since : readAt;
    const stillSince = last?.units === difference && last.held === units ? last.stillSince : readAt;
    const now = { units: difference, held: units, since, stillSince };
    differences.set(symbol, now);
    return now;
  };
  const transferred: Transfer[] = [];
  for (const { symbol, external: known } of snapshot.untouched) {
    if (unsure.has(symbol)) continue;
    const now = look(symbol, known);
    // An execution of the owner may still be listed.
    if (now.units === 0 || msBetween(now.stillSince, readAt) <= snapshot.listLagMs) continue;
    transferred.push({ symbol, units: quantity(now.units), external: known });
  }
  for (const book of books) {
    const { symbol } = book;
    const now = look(symbol, book.ours + book.external, book.awaited);
    const { units: difference } = now;
    const others = lookAtOthers(book, difference === 0, external);
    lasting.push(...others.lasting);
    cleared.push(...others.cleared);
    const open = underWay.get(symbol);
    const known = beside.get(symbol) ?? 0;
    const isProven = isBeside(symbol, snapshot, now);
    if (isProven) beside.set(symbol, difference);
    if (difference === 0) cleared.push({ kind: 'unexplained', symbol });
    if (open !== undefined && !isProven && isWithin(difference, known, open)) continue;
    const before = unexplained.get(symbol);
    unexplained.set(symbol, difference);
    if (difference === 0) continue;
    (before === difference ? lasting : fresh).push(unexplainedBreak(book, difference));
  }
  return {
    seen: { beside, difference: differences, unexplained, external },
    lasting,
    cleared,
    fresh,
    transferred,
  };
}

/**
 * Whether a difference is what the account holds outside our books. One look may show what is not booked yet: two are
 * needed, or the first. While orders are under way it must have lasted longer than a fill stays unlisted, and not be theirs:
 * the list shows that they have not filled, or it was there before the first of them was sent.
 */
function isBeside(
  symbol: Symbol,
  { underWay, listed, seen, readAt, listLagMs }: PositionSnapshot,
  { since, stillSince }: SeenDifference,
): boolean {
  const open = underWay.get(symbol);
  if (open !== undefined)
    return (
      msBetween(stillSince, readAt) > listLagMs &&
      (listed.has(symbol) || msBetween(stillSince, open.sentAt) > 0)
    );
  return msBetween(since, readAt) > 0 || !seen.beside.has(symbol);
}

/** Whether fills of orders in flight, which only the positions show yet, could cause the difference. */
export function isWithin(difference: number, known: number, { buying, selling }: Unfilled): boolean {
  return difference >= known - selling && difference <= known + buying;
}

function unexplainedBreak({ symbol, ours, external }: PositionBook, difference: number): PositionBreak {
  return {
    kind: 'unexplained',
    symbol,
    ours,
    external,
    theirs: quantity(ours + external + difference),
    units: quantity(difference),
    price: null,
    tradedAt: null,
  };
}

/**
 * Where books and external trades match the broker's position, the external trades may still go against the positions
 * of deployments. `external` is the result of the last look, by slot; it is updated.
 */
function lookAtOthers(
  book: PositionBook,
  isExplained: boolean,
  external: Map<string, number>,
): { readonly lasting: readonly PositionBreak[]; readonly cleared: readonly BreakSlot[] } {
  const { symbol, ours, shortfall, externalPosition } = book;
  const short = shortfall === 0 ? null : { units: quantity(-shortfall), price: null, at: null };
  const lasting: PositionBreak[] = [];
  const cleared: BreakSlot[] = [];
  for (const [kind, found] of [
    ['external_trade', externalPosition] as const,
    ['shortfall', short] as const,
  ]) {
    const slot = breakSlot({ kind, symbol });
    const isRepeated = external.get(slot) === book.external;
    if (found !== null && isExplained) external.set(slot, book.external);
    else external.delete(slot);
    if (found === null) cleared.push({ kind, symbol });
    else if (isExplained && isRepeated) {
      const { units, price, at: tradedAt } = found;
      const theirs = quantity(ours + book.external);
      lasting.push({ kind, symbol, ours, external: book.external, theirs, units, price, tradedAt });
    }
  }
  return { lasting, cleared };
}

/** There is at most one open break of a kind and a symbol in an account. */
export function breakSlot({ kind, symbol }: BreakSlot): string {
  return `${kind} ${symbol}`;
}

/** Whether an account holds exactly what it would of an instrument without an order whose fate is unknown. */
export function holdsWithoutOrder({
  held,
  book,
  beside,
}: {
  readonly held: number;
  readonly book: Pick<PositionBook, 'ours' | 'external' | 'awaited'> | null;
  readonly beside: number;
}): boolean {
  const rest = held - (book === null ? 0 : book.ours + book.external) - beside;
  return rest === 0 || rest === book?.awaited;
}

/** Fees in coins are taken between the purchase and the listing, at an hour that no broker states. */
export function withoutAwaited(difference: number, awaited = 0): number {
  return difference > 0 && difference <= awaited ? 0 : difference;
}
