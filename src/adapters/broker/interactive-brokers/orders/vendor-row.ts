// What every row of the vendor's order, trade and position lists says about itself, under its several names.
import type { Side } from '#engine/order/order.ts';
import type { BrokerAccountId, ClientOrderId, ExecutionId } from '#units/identifiers.ts';
import { asText, type Fields, Unreadable } from '../../answer-fields.ts';
import type { Envelope } from '../../list-rows.ts';

/** How the vendor names an instrument in a row. */
export type VendorInstrument = { readonly conid: string; readonly name: string; readonly secType: string };

export function envelopeOf(row: Fields): Envelope<VendorInstrument> {
  return {
    account: accountOf(row),
    clientOrderId: asText(row.order_ref) as ClientOrderId | null,
    brokerOrderId: asText(row.orderId) ?? asText(row.order_id),
    executionId: asText(row.execution_id) as ExecutionId | null,
    instrument: findInstrument(row),
  };
}

export function accountOf(row: Fields): BrokerAccountId | null {
  const names = [row.acct, row.account, row.accountCode, row.acctId, row.accountId];
  return (names.map(asText).find((name) => name !== null) ?? null) as BrokerAccountId | null;
}

export function instrumentOf(row: Fields): VendorInstrument {
  const instrument = findInstrument(row);
  if (instrument === null) throw new Unreadable('no contract id', 'instrument');
  return instrument;
}

/** Currency pairs are named 'AUD.CAD' in one field and 'AUD' in another; the one with the dot is complete. */
function findInstrument(row: Fields): VendorInstrument | null {
  const conid = asText(row.conid) ?? asText(row.conidex) ?? asText(row.conidEx);
  if (conid === null) return null;
  const secType = asText(row.secType ?? row.sec_type ?? row.assetClass) ?? '';
  const names = [
    row.description1,
    row.contract_description_1,
    row.ticker,
    row.symbol,
    row.contractDesc,
    row.description,
  ]
    .map(asText)
    .filter((name) => name !== null);
  const name = names.find((candidate) => secType === 'CASH' && candidate.includes('.')) ?? names[0] ?? '';
  return { conid: conid.replace(/@.*$/, ''), name, secType };
}

/** SSHORT and SLONG are the sale of borrowed shares and of long ones that others hold. */
export function parseSide(value: unknown): Side {
  const reported = asText(value)?.toUpperCase();
  switch (reported) {
    case 'B':
    case 'BUY':
    case 'BOT':
    case 'BOUGHT':
      return 'buy';
    case 'S':
    case 'SELL':
    case 'SLD':
    case 'SOLD':
    case 'SSHORT':
    case 'SLONG':
      return 'sell';
    default:
      throw new Unreadable(reported === undefined ? 'no side' : `unknown side '${reported}'`, 'side');
  }
}
