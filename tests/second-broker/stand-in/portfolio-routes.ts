// Accounts, positions and cash of one user. Positions come in the paged list alone, as numbers, text or grouped text.
import { type Answer, json, page } from './answer.ts';
import type { Account, Books } from './books.ts';
import type { ContractTable } from './contracts.ts';
import type { Wording } from './wording.ts';

export class PortfolioRoutes {
  readonly #books: Books;
  readonly #wording: Wording;
  readonly #contracts: () => ContractTable;

  constructor(tools: {
    readonly books: Books;
    readonly wording: Wording;
    readonly contracts: () => ContractTable;
  }) {
    this.#books = tools.books;
    this.#wording = tools.wording;
    this.#contracts = tools.contracts;
  }

  accounts(user: string): Answer {
    return json(
      this.#of(user).map(({ id }) => ({
        id,
        accountId: id,
        accountVan: id,
        accountTitle: `${user} ${id}`,
        displayName: id,
        currency: 'USD',
        type: 'DEMO',
        tradingType: 'STKNOPT',
        faclient: false,
        clearingStatus: 'O',
        parent: { mmc: [], accountId: '', isMParent: false, isMChild: false, isMultiplex: false },
      })),
    );
  }

  tradingAccounts(user: string, selectedAccount: string): Answer {
    const accounts = this.#of(user).map(({ id }) => id);
    const props = accounts.map((id) => [id, { hasChildAccounts: false, supportsFractions: false }]);
    return json({
      accounts,
      acctProps: Object.fromEntries(props) as object,
      aliases: Object.fromEntries(accounts.map((id) => [id, id])) as object,
      selectedAccount,
      isFT: false,
      isPaper: true,
    });
  }

  positions(accountId: string, pageNumber: number): Answer {
    const rows = [...this.#books.account(accountId).positions].map(([symbol, { units, average }]) => {
      const contract = this.#contracts().bySymbol(symbol);
      return {
        acctId: accountId,
        conid: contract.conid,
        contractDesc: contract.name,
        position: this.#wording.number(units, `${symbol} position`),
        mktPrice: average,
        mktValue: this.#wording.number(units * average, `${symbol} value`),
        currency: contract.currency,
        avgCost: average,
        avgPrice: this.#wording.number(average, `${symbol} average`),
        realizedPnl: 0,
        unrealizedPnl: 0,
        assetClass: contract.type,
        multiplier: null,
        strike: '0',
        model: '',
      };
    });
    return json(rows.slice(pageNumber * 100, pageNumber * 100 + 100));
  }

  /** This server does not know the newer list. */
  newerPositions(): Answer {
    return page('<html><body>Error 404: Resource not found</body></html>', 404);
  }

  ledger(accountId: string): Answer {
    const { cash, positions } = this.#books.account(accountId);
    const worth = [...positions.values()].reduce((sum, { units, average }) => sum + units * average, 0);
    const line = (currency: string) => ({
      cashbalance: this.#wording.number(cash / 1e6, `${accountId} cash`),
      settledcash: cash / 1e6,
      netliquidationvalue: this.#wording.number(
        Number((cash / 1e6 + worth).toFixed(2)),
        `${accountId} worth`,
      ),
      stockmarketvalue: worth,
      exchangerate: 1,
      interest: 0,
      dividends: 0,
      currency,
      acctcode: accountId,
      key: 'LedgerList',
      secondkey: currency,
      timestamp: 1_775_169_606,
    });
    return json({ USD: line('USD'), BASE: line('BASE') });
  }

  owns(user: string, accountId: string): boolean {
    return this.#of(user).some(({ id }) => id === accountId);
  }

  first(user: string): string {
    return this.#of(user)[0]?.id ?? '';
  }

  #of(user: string): readonly Account[] {
    return [...this.#books.accounts.values()].filter((account) => account.user === user);
  }
}
