// The vendor's accounts, positions and ledger.
import type { BrokerAccount, BrokerCash } from '#ports/broker.ts';
import type { BrokerAccountId } from '#units/identifiers.ts';
import { toMicro } from '#units/money.ts';
import { type Quantity, toQuantity } from '#units/quantity.ts';
import {
  asNumber,
  asText,
  type Fields,
  fieldsOf,
  numberOf,
  rowsOf,
  textOf,
  Unreadable,
} from '../../answer-fields.ts';
import type { VendorInstrument } from '../orders/parse-orders.ts';

export function parseAccounts(body: unknown): readonly BrokerAccount[] {
  return rowsOf(body, 'the account list').map((row) => ({
    accountId: textOf(row, 'accountId', 'id') as BrokerAccountId,
    title: asText(row.accountTitle) ?? asText(row.displayName) ?? textOf(row, 'accountId', 'id'),
    currency: textOf(row, 'currency'),
  }));
}

export type PositionRow = {
  readonly instrument: VendorInstrument;
  readonly quantity: Quantity;
  readonly averagePrice: number;
  readonly marketPrice: number | null;
  readonly currency: string;
};

/** Either of the vendor's two position lists; a closed position may still be listed with a quantity of zero. */
export function parsePositions(body: unknown): readonly PositionRow[] {
  return rowsOf(body, 'the position list')
    .map((row) => ({
      instrument: {
        conid: textOf(row, 'conid'),
        name: asText(row.contractDesc) ?? asText(row.description) ?? '',
        secType: asText(row.assetClass) ?? asText(row.secType) ?? '',
      },
      quantity: toQuantity(numberOf(row, 'position')),
      averagePrice: averagePriceOf(row),
      marketPrice: asNumber(row.mktPrice) ?? asNumber(row.marketPrice),
      currency: textOf(row, 'currency'),
    }))
    .filter(({ quantity }) => quantity !== 0);
}

/** Per unit; the vendor's average cost is per contract. */
function averagePriceOf(row: Fields): number {
  const price = asNumber(row.avgPrice);
  return price ?? numberOf(row, 'avgCost') / (asNumber(row.multiplier) || 1);
}

/** `accountCurrency` comes from the account list, if it was requested. */
export function parseLedger(body: unknown, accountCurrency: string | null = null): BrokerCash {
  const ledger = fieldsOf(body, 'the ledger');
  if (ledger.BASE === undefined) throw new Unreadable('the ledger has no base line');
  const base = fieldsOf(ledger.BASE, 'the base line of the ledger');
  return {
    currency: baseCurrency(ledger, accountCurrency),
    cash: toMicro(numberOf(base, 'cashbalance')),
    netLiquidation: toMicro(numberOf(base, 'netliquidationvalue')),
  };
}

/** The base line does not name its currency: it is the account's, or the one whose exchange rate is exactly 1. */
function baseCurrency(ledger: Fields, accountCurrency: string | null): string {
  if (accountCurrency !== null) return accountCurrency;
  const rated = Object.keys(ledger).filter(
    (code) => code !== 'BASE' && asNumber(fieldsOf(ledger[code], code).exchangerate) === 1,
  );
  if (rated.length !== 1 || rated[0] === undefined) throw new Unreadable('a ledger without a base currency');
  return rated[0];
}
