// Books what an account's own shares earn in dividends, by the feed's amounts: estimates, until the broker states its own.
// Returns all of them since the opening.
import { type OwnerDividend, ownerDividends, unbookedDividends } from '#engine/cash/owner-dividends.ts';
import {
  insertOwnerDividend,
  listBookedOwnerDividends,
  type listOwnerHoldings,
} from '#records/cash/owner-dividends.ts';
import { listCorporateActions } from '#records/market/corporate-actions.ts';
import type { Transaction } from '#records/postgres/database.ts';
import type { BrokerAccountId } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';

type OwnShares = {
  readonly holdings: Awaited<ReturnType<typeof listOwnerHoldings>>;
  readonly openedAt: Instant;
  readonly now: Instant;
};

export async function bookOwnerDividends(
  trx: Transaction,
  accountId: BrokerAccountId,
  { holdings, openedAt, now }: OwnShares,
): Promise<readonly OwnerDividend[]> {
  const paying = holdings.filter(({ paysDividends }) => paysDividends);
  if (paying.length === 0) return [];
  const booked = await listBookedOwnerDividends(trx, accountId);
  const all: OwnerDividend[] = [];
  for (const holding of paying) {
    const due = ownerDividends(holding, await listCorporateActions(trx, holding.symbol), openedAt);
    for (const dividend of unbookedDividends(due, booked))
      await insertOwnerDividend(trx, accountId, { ...dividend, at: now });
    all.push(...due);
  }
  return all;
}
