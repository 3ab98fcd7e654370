// Units that deployments hold and an account's owner has sold by hand, or bought back where they are short. Books and
// trades of others then come to what the broker says, and yet an exit has less there than it would close.
import type { Instant } from '#units/instant.ts';
import { type Quantity, quantity } from '#units/quantity.ts';
import { roundHalfEven } from '#units/round.ts';
import type { ExternalPosition } from './reconcile-positions.ts';

/** Traded by others in an account, in units of now. */
export type SuspenseTrade = {
  /** Signed. */
  readonly units: number;
  /** Zero where nobody knows it. */
  readonly price: number;
  readonly at: Instant;
  /** As told by the broker, or as a difference of the books; not written by an adjustment. */
  readonly isTheirOwn: boolean;
};

/** What others have traded in all goes against what deployments hold there; null when it does not. */
export function findExternalPosition(
  { long, short }: { readonly long: Quantity; readonly short: Quantity },
  { external, shortfall }: { readonly external: Quantity; readonly shortfall: Quantity },
  trades: readonly SuspenseTrade[],
): ExternalPosition | null {
  // What the account is short of by purchases that its broker took back counts as there.
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

/** As finely as anybody writes a price. */
const PRICE_STEPS = 1_000_000;
