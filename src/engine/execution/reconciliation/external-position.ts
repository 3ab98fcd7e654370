// Units that deployments hold and that the account's owner has sold externally, or bought back where they are short.
// Books and external trades then match the broker's position, and yet an exit finds less than it would close.
import type { Symbol } from '#units/identifiers.ts';
import type { Instant, IsoDate } from '#units/instant.ts';
import { type Quantity, quantity } from '#units/quantity.ts';
import { roundHalfEven } from '#units/round.ts';
import { previousSession } from '../../market/calendar.ts';
import type { CorporateAction } from '../../market/corporate-action.ts';
import type { CalendarId } from '../../market/instrument.ts';
import { actionsSince, ratioOf } from '../../market/split-ratio.ts';
import {
  type ExternalPosition,
  holdsWithoutOrder,
  isWithin,
  type PositionBook,
  type Unfilled,
} from './reconcile-positions.ts';
import type { Absence } from './resolve-in-flight.ts';
import type { SessionHealth } from '../connection/session-health.ts';

/** The records of one instrument in an account. */
export type AccountHolding = {
  readonly symbol: Symbol;
  readonly calendar: CalendarId;
  /** Of all deployments together, signed. */
  readonly ours: Quantity;
  /** The long ones together and the short ones together; neither is negative. */
  readonly long: Quantity;
  readonly short: Quantity;
  /** Coins that the books have given up for fees which the broker has not listed yet. */
  readonly awaited?: Quantity;
  /** External trades in the account, signed, in units of their day. */
  readonly external: readonly ExternallyTraded[];
  /** The last session whose end has been processed for all deployments of the account. */
  readonly passed: IsoDate | null;
};

export type ExternallyTraded = {
  readonly at: Instant;
  readonly traded: Quantity;
  /** In the quote currency, per unit; zero when unknown. */
  readonly price: number;
  /** Sold by a deployment before its broker took the purchase back. */
  readonly isShortfall: boolean;
  /** The other side of what a deployment gave up because it was traded externally. */
  readonly isReleased: boolean;
};

export type AccountBook = PositionBook & Pick<AccountHolding, 'calendar' | 'passed'>;

/** In current units: a split changes the number of externally held shares too. */
export function accountBook(holding: AccountHolding, actions: readonly CorporateAction[]): AccountBook {
  const { symbol, ours, calendar, passed, awaited } = holding;
  const trades: SuspenseTrade[] = [];
  let total = 0;
  let short = 0;
  for (const { at, traded, price, isShortfall, isReleased } of holding.external) {
    const splits = actionsSince(actions, 'split', { calendar, at });
    const ratio = ratioOf(splits.filter(({ sessionDate }) => passed !== null && sessionDate <= passed));
    const units = roundHalfEven(traded * ratio);
    total += units;
    if (isShortfall) short -= units;
    trades.push({ units, price: price / ratio, at, isTheirOwn: !isShortfall && !isReleased });
  }
  const external = quantity(total);
  const shortfall = quantity(Math.max(0, Math.min(short, -total)));
  const externalPosition = findExternalPosition(holding, { external, shortfall }, trades);
  return {
    symbol,
    ours,
    calendar,
    passed,
    external,
    shortfall,
    externalPosition,
    ...(awaited && { awaited }),
  };
}

/** Whether the books include the end of the last session. The broker's do from the moment the session ends. */
export function isLastSessionProcessed(
  { calendar, passed }: Pick<AccountBook, 'calendar' | 'passed'>,
  now: Instant,
): boolean {
  return passed !== null && passed >= previousSession(calendar, now).date;
}

/** An external trade in an account, in current units. */
export type SuspenseTrade = {
  /** Signed. */
  readonly units: number;
  /** Zero when unknown. */
  readonly price: number;
  readonly at: Instant;
  /** As reported by the broker, or as a difference of the books; not written by an adjustment. */
  readonly isTheirOwn: boolean;
};

/** The external trades in total, where they go against the positions of deployments; null when they do not. */
export function findExternalPosition(
  { long, short }: { readonly long: Quantity; readonly short: Quantity },
  { external, shortfall }: { readonly external: Quantity; readonly shortfall: Quantity },
  trades: readonly SuspenseTrade[],
): ExternalPosition | null {
  // Purchases that the broker took back count as held, though the account is short of them.
  const net = external + shortfall;
  const units = net < 0 ? -Math.min(long, -net) : Math.min(short, net);
  if (units === 0) return null;
  const latest = trades
    .filter((trade) => trade.isTheirOwn && Math.sign(trade.units) === Math.sign(units))
    .toSorted((a, b) => b.at - a.at);
  return { units: quantity(units), price: averageOf(latest, Math.abs(units)), at: latest[0]?.at ?? null };
}

function averageOf(trades: readonly SuspenseTrade[], wanted: number): number | null {
  let left = wanted;
  let paid = 0;
  for (const { units, price } of trades) {
    if (left === 0) break;
    if (!(price > 0)) return null;
    const taken = Math.min(left, Math.abs(units));
    paid += taken * price;
    left -= taken;
  }
  return left === 0 ? roundHalfEven((paid / wanted) * PRICE_STEPS) / PRICE_STEPS : null;
}

/** As fine as any quoted price. */
const PRICE_STEPS = 1_000_000;

export type AccountEvidence = { readonly now: Instant } & Pick<SessionHealth, 'held' | 'seen' | 'unsure'> & {
    /** Our record of the instrument; undefined where we have none. */
    readonly book: AccountBook | undefined;
    /** The recorded difference that two people agreed to bring into the books; zero where there is none. */
    readonly agreed: number;
    /** What orders at the broker could still buy and sell of the instrument, the one in question included. */
    readonly underWay: Unfilled;
  };

/**
 * Whether an account holds exactly what it would without an order whose fate is unknown. What two people agreed on counts,
 * or their adjustment would wait for the order and the order for it; but not where orders under way explain it.
 */
export function absenceOf(symbol: Symbol, evidence: AccountEvidence): Absence {
  const { held, seen, unsure, now, book, agreed, underWay } = evidence;
  if (held === null || unsure.has(symbol) || (book !== undefined && !isLastSessionProcessed(book, now)))
    return 'unknown';
  const found = { held: held.get(symbol) ?? 0, book: book ?? null };
  const beside = seen.beside.get(symbol) ?? 0;
  if (holdsWithoutOrder({ ...found, beside })) return 'proven';
  // The difference is all that broker and books differ by, with what was held beside them.
  if (agreed !== 0 && !isWithin(agreed, beside, underWay) && holdsWithoutOrder({ ...found, beside: agreed }))
    return 'proven';
  return holdsWithoutOrder({ ...found, beside: 0 }) ? 'books_agree' : 'not_proven';
}
