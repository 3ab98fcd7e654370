// What the books say that a brokerage account holds of each instrument that a deployment has traded there.
import { findExternalPosition, type SuspenseTrade } from '#engine/execution/external-position.ts';
import type { ExternalPosition } from '#engine/execution/reconcile-positions.ts';
import { previousSession } from '#engine/market/calendar.ts';
import { listCorporateActions } from '#records/market/corporate-actions.ts';
import type { Database } from '#records/postgres/database.ts';
import { type AccountHolding, listHoldingsOfAccount } from '#records/invariants/account-holdings.ts';
import type { Instant } from '#units/instant.ts';
import { type Quantity, quantity, ZERO_QUANTITY } from '#units/quantity.ts';
import { roundHalfEven } from '#units/round.ts';
import { actionsSince, ratioOf } from '#engine/market/split-ratio.ts';

export type AccountBook = Omit<AccountHolding, 'external'> & {
  readonly external: Quantity;
  /** What the account is still short of because a broker took purchases back that were sold: nobody bought it back. */
  readonly shortfall: Quantity;
  /** What its owner has traded by hand out of what deployments hold. */
  readonly externalPosition: ExternalPosition | null;
};

export async function readAccountBooks(database: Database, account: string): Promise<AccountBook[]> {
  const holdings = await listHoldingsOfAccount(database, account);
  return Promise.all(
    holdings.map(async (holding) => ({ ...holding, ...(await externalOf(database, holding)) })),
  );
}

export async function findAccountBook(
  database: Database,
  account: string,
  symbol: string,
): Promise<AccountBook | undefined> {
  return (await readAccountBooks(database, account)).find((one) => one.symbol === symbol);
}

/** What counts as there to be sold though the account does not show it, like what another deployment is short of. */
export async function readShortfall(database: Database, account: string, symbol: string): Promise<Quantity> {
  return (await findAccountBook(database, account, symbol))?.shortfall ?? ZERO_QUANTITY;
}

/** Whether the books count with the end of the last session. The broker does from the moment at which a session ends. */
export function isLastSessionProcessed({ calendar, passed }: AccountBook, now: Instant): boolean {
  return passed !== null && passed >= previousSession(calendar, now).date;
}

/** In units of now: a split makes more or fewer shares of those of others too. */
async function externalOf(
  database: Database,
  holding: AccountHolding,
): Promise<Pick<AccountBook, 'external' | 'shortfall' | 'externalPosition'>> {
  const { symbol, calendar, passed, external } = holding;
  if (external.length === 0)
    return { external: ZERO_QUANTITY, shortfall: ZERO_QUANTITY, externalPosition: null };
  const actions = await listCorporateActions(database, symbol);
  const trades: SuspenseTrade[] = [];
  let total = 0;
  let short = 0;
  for (const { at, traded, price, isShortfall, isReleased } of external) {
    const splits = actionsSince(actions, 'split', { calendar, at });
    const ratio = ratioOf(splits.filter(({ sessionDate }) => passed !== null && sessionDate <= passed));
    const units = roundHalfEven(traded * ratio);
    total += units;
    if (isShortfall) short -= units;
    trades.push({ units, price: price / ratio, at, isTheirOwn: !isShortfall && !isReleased });
  }
  const others = {
    external: quantity(total),
    shortfall: quantity(Math.max(0, Math.min(short, -total))),
  };
  return { ...others, externalPosition: findExternalPosition(holding, others, trades) };
}
