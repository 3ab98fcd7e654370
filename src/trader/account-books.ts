// What the books say that a brokerage account holds of each instrument that a deployment has traded there.
import { previousSession } from '#engine/market/calendar.ts';
import { listCorporateActions } from '#records/corporate-actions.ts';
import type { Database } from '#records/database.ts';
import { type AccountHolding, listHoldingsOfAccount } from '#records/verify/account-holdings.ts';
import type { Instant } from '#units/instant.ts';
import { type Quantity, quantity } from '#units/quantity.ts';
import { roundHalfEven } from '#units/round.ts';
import { ratioOf, splitsSince } from './split-ratio.ts';

export type AccountBook = Omit<AccountHolding, 'external'> & { readonly external: Quantity };

export async function readAccountBooks(database: Database, account: string): Promise<AccountBook[]> {
  const holdings = await listHoldingsOfAccount(database, account);
  return Promise.all(
    holdings.map(async (holding) => ({ ...holding, external: await externalOf(database, holding) })),
  );
}

/** Whether the books count with the last night. The broker does from the moment at which a session ends. */
export function haveLastNight({ calendar, passed }: AccountBook, now: Instant): boolean {
  return passed !== null && passed >= previousSession(calendar, now).date;
}

/** In units of now: a split makes more or fewer shares of those of others too. */
async function externalOf(
  database: Database,
  { symbol, calendar, passed, external }: AccountHolding,
): Promise<Quantity> {
  if (external.length === 0) return quantity(0);
  const actions = await listCorporateActions(database, symbol);
  let total = 0;
  for (const { at, traded } of external) {
    const splits = splitsSince(actions, calendar, at);
    const happened = splits.filter(({ night }) => passed !== null && night <= passed);
    total += roundHalfEven(traded * ratioOf(happened));
  }
  return quantity(total);
}
