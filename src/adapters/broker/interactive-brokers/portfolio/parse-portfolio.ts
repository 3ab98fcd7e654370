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
  part,
  rowsOf,
  textOf,
  Unreadable,
} from '../../answer-fields.ts';
import { type ListRows, readRows } from '../../list-rows.ts';
import { accountOf, envelopeOf, instrumentOf, type VendorInstrument } from '../orders/vendor-row.ts';

export function parseAccounts(body: unknown): readonly BrokerAccount[] {
  return rowsOf(body, 'the account list').map((row) => ({
    accountId: textOf(row, 'accountId', 'id') as BrokerAccountId,
    title: asText(row.accountTitle) ?? asText(row.displayName) ?? textOf(row, 'accountId', 'id'),
    currency: textOf(row, 'currency'),
  }));
}

export type PositionRow = {
  /** Null where the row does not name it: the address of the question did. */
  readonly account: BrokerAccountId | null;
  readonly instrument: VendorInstrument;
  readonly quantity: Quantity;
  readonly averagePrice: number | null;
  readonly marketPrice: number | null;
  readonly currency: string | null;
};

/** Either of the vendor's two position lists; a closed position may still be listed with a quantity of zero. */
export function parsePositions(body: unknown): ListRows<PositionRow, VendorInstrument> {
  return readRows(body, 'the position list', { envelopeOf, parse: parsePosition });
}

function parsePosition(row: Fields): PositionRow | null {
  const instrument = instrumentOf(row);
  const quantity = part('quantity', () => toQuantity(numberOf(row, 'position')));
  if (quantity === 0) return null;
  return {
    account: accountOf(row),
    instrument,
    quantity,
    averagePrice: averagePriceOf(row),
    marketPrice: asNumber(row.mktPrice) ?? asNumber(row.marketPrice),
    currency: asText(row.currency),
  };
}

/** Per unit; the vendor's average cost is per contract. */
function averagePriceOf(row: Fields): number | null {
  const cost = asNumber(row.avgCost);
  return asNumber(row.avgPrice) ?? (cost === null ? null : cost / (asNumber(row.multiplier) || 1));
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
