// The books' holdings of a brokerage account, for each instrument that a deployment has traded there.
import { type AccountBook, accountBook } from '#engine/execution/reconciliation/external-position.ts';
import { listCorporateActions } from '#records/market/corporate-actions.ts';
import { listHoldingsOfAccount } from '#records/invariants/account-holdings.ts';
import type { Database } from '#records/postgres/database.ts';
import { type Quantity, ZERO_QUANTITY } from '#units/quantity.ts';

export async function readAccountBooks(database: Database, account: string): Promise<AccountBook[]> {
  const holdings = await listHoldingsOfAccount(database, account);
  return Promise.all(
    holdings.map(async (holding) => {
      const actions =
        holding.external.length === 0 ? [] : await listCorporateActions(database, holding.symbol);
      return accountBook(holding, actions);
    }),
  );
}

export async function findAccountBook(
  database: Database,
  account: string,
  symbol: string,
): Promise<AccountBook | undefined> {
  return (await readAccountBooks(database, account)).find((one) => one.symbol === symbol);
}

/** Units that count as sellable though the account does not show them, such as another deployment's short. */
export async function readShortfall(database: Database, account: string, symbol: string): Promise<Quantity> {
  return (await findAccountBook(database, account, symbol))?.shortfall ?? ZERO_QUANTITY;
}
