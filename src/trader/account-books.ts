// What the books say that a brokerage account holds of each instrument that a deployment has traded there.
import { listCorporateActions } from '#records/corporate-actions.ts';
import type { Database } from '#records/database.ts';
import { type AccountHolding, listHoldingsOfAccount } from '#records/verify/account-holdings.ts';
import type { Symbol } from '#units/identifiers.ts';
import { type Quantity, quantity } from '#units/quantity.ts';
import { roundHalfEven } from '#units/round.ts';
import { ratioOf, splitsSince } from './split-ratio.ts';

export type AccountBook = {
  readonly symbol: Symbol;
  readonly ours: Quantity;
  readonly external: Quantity;
};

export async function readAccountBooks(database: Database, account: string): Promise<AccountBook[]> {
  const holdings = await listHoldingsOfAccount(database, account);
  return Promise.all(
    holdings.map(async (holding) => {
      const { symbol, ours } = holding;
      return { symbol, ours, external: await externalOf(database, holding) };
    }),
  );
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
