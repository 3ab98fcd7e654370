import type {
  UnreadInstrument,
  UnreadList,
  UnreadRow,
} from '#engine/execution/reconciliation/unread-rows.ts';
import type { BrokerFailure } from '#ports/broker.ts';
import type { ClientOrderId, ExecutionId, Symbol } from '#units/identifiers.ts';
import { type ListRows, unreadRow } from '../../list-rows.ts';
import type { Brokerage } from '../inner-session/brokerage.ts';
import type { ContractBook } from '../market-data/contracts.ts';
import type { VendorInstrument } from './vendor-row.ts';

type Named<One> = Omit<One, 'instrument'> & {
  readonly symbol: Symbol | null;
  readonly brokerInstrumentId: string;
  readonly description: string;
};

type NamedList<One> =
  | { readonly outcome: 'ok'; readonly value: readonly Named<One>[]; readonly unread: readonly UnreadRow[] }
  | BrokerFailure;

type Row = {
  readonly instrument: VendorInstrument;
  readonly clientOrderId?: ClientOrderId | null;
  readonly brokerOrderId?: string;
  readonly executionId?: ExecutionId;
};

/**
 * Adds our symbol to the vendor's instrument in each row. A broker that does not say what an instrument is fails the
 * list; where its answer about one cannot be read, the rows of that one are unread.
 */
export async function nameInstruments<One extends Row>(
  list: UnreadList,
  { rows, spoilt }: ListRows<One, VendorInstrument>,
  { contracts, brokerage }: NamingTools,
): Promise<NamedList<One>> {
  const value: Named<One>[] = [];
  const unread: UnreadRow[] = [];
  for (const [place, row] of rows.entries()) {
    const symbol = await contracts.recognize(row.instrument, brokerage.query);
    if (symbol.outcome === 'ok') value.push(withSymbol(row, symbol.value));
    else if (symbol.code === 'unreadable') unread.push(withoutSymbol(list, row, place));
    else return symbol;
  }
  for (const { instrument, ...row } of spoilt) {
    const symbol = instrument === null ? null : await contracts.recognize(instrument, brokerage.query);
    if (symbol?.outcome === 'failed' && symbol.code !== 'unreadable') return symbol;
    const named = symbol?.outcome === 'ok' ? inOurWords(symbol.value, instrument) : UNREAD;
    unread.push(unreadRow(list, row, { ...named, id: instrument?.conid }));
  }
  return { outcome: 'ok', value, unread };
}

type NamingTools = { readonly contracts: ContractBook; readonly brokerage: Brokerage };

function withSymbol<One extends Row>({ instrument, ...row }: One, symbol: Symbol | null): Named<One> {
  return { ...row, symbol, brokerInstrumentId: instrument.conid, description: instrument.name };
}

function withoutSymbol(list: UnreadList, row: Row, place: number): UnreadRow {
  const { clientOrderId = null, brokerOrderId = null, executionId = null, instrument } = row;
  const ids = { account: null, clientOrderId, brokerOrderId, executionId };
  const raw = JSON.stringify(row);
  return unreadRow(list, { ...ids, reason: 'instrument', place, raw }, { ...UNREAD, id: instrument.conid });
}

function inOurWords(symbol: Symbol | null, instrument: VendorInstrument | null): UnreadInstrument {
  return symbol === null ? { type: 'not_listed', name: instrument?.name ?? '' } : { type: 'listed', symbol };
}

const UNREAD = { type: 'unread' } as const;
