// A venue's list as an adapter reads it: some of its rows, and rows of the account's owner, cannot be read.
import type { UnreadList, UnreadRow } from '../../src/engine/execution/reconciliation/unread-rows.ts';
import type { ClientOrderId, ExecutionId, Symbol } from '../../src/units/identifiers.ts';

export function listAsRead<Row extends ReadableRow>(
  list: UnreadList,
  rows: readonly Row[],
  { spoilt, oddRows }: { readonly spoilt: ReadonlySet<string>; readonly oddRows: readonly UnreadRow[] },
) {
  const isSpoilt = (row: Row) => spoilt.has(keyOf(list, row));
  const unread = rows.filter(isSpoilt).map((row): UnreadRow => unreadOf(list, row));
  return {
    value: rows.filter((row) => !isSpoilt(row)),
    unread: [...unread, ...oddRows.filter((row) => row.list === list)],
  };
}

export type ReadableRow = {
  readonly symbol: Symbol | null;
  readonly clientOrderId?: ClientOrderId | null;
  readonly brokerOrderId?: string;
  readonly executionId?: ExecutionId;
};

function keyOf(list: UnreadList, { symbol, brokerOrderId, executionId }: ReadableRow): string {
  return { orders: brokerOrderId, executions: executionId, positions: symbol }[list] ?? '';
}

/** The row as an adapter reports it that could read its envelope and not the rest. */
function unreadOf(list: UnreadList, row: ReadableRow): UnreadRow {
  const { symbol, clientOrderId = null, brokerOrderId = null, executionId = null } = row;
  const instrument = symbol === null ? ({ type: 'unread' } as const) : ({ type: 'listed', symbol } as const);
  const ids = { clientOrderId, brokerOrderId, executionId };
  return { list, key: keyOf(list, row), reason: 'status', ...ids, instrument, raw: JSON.stringify(row) };
}
