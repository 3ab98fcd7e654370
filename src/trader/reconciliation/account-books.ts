// The books' holdings of a brokerage account.
import {
  type AccountBook,
  accountBook,
  type AccountHolding,
} from '#engine/execution/reconciliation/external-position.ts';
import { listCorporateActions } from '#records/market/corporate-actions.ts';
import { listHoldingsOfAccount, listUntouchedHoldings } from '#records/invariants/account-holdings.ts';
import type { Database } from '#records/postgres/database.ts';
import type { Symbol } from '#units/identifiers.ts';
import { type Quantity, ZERO_QUANTITY } from '#units/quantity.ts';

/** Of each instrument that a deployment has traded there. */
export async function readAccountBooks(database: Database, account: string): Promise<AccountBook[]> {
  return booksOf(database, await listHoldingsOfAccount(database, account));
}

/** Of instruments that no order of ours was ever sent for there. */
export async function readUntouchedBooks(
  database: Database,
  account: string,
  asked: readonly Symbol[],
): Promise<AccountBook[]> {
  return booksOf(database, await listUntouchedHoldings(database, account, asked));
}

async function booksOf(database: Database, holdings: readonly AccountHolding[]): Promise<AccountBook[]> {
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
