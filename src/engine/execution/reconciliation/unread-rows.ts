// Rows of a broker's lists that could not be read. One odd row spoils no list and stops no account: a row that cannot
// be ours is kept for staff, and one that may be ours makes its instrument unsure until the row reads or goes.
import type { ClientOrderId, ExecutionId, Symbol } from '#units/identifiers.ts';

export const UNREAD_LISTS = ['orders', 'executions', 'positions'] as const;
export type UnreadList = (typeof UNREAD_LISTS)[number];

/** The first part of the row that could not be read. */
export const UNREAD_REASONS = [
  'form',
  'account',
  'id',
  'instrument',
  'side',
  'status',
  'quantity',
  'price',
  'commission',
  'time',
] as const;
export type UnreadReason = (typeof UNREAD_REASONS)[number];

export type UnreadRow = {
  readonly list: UnreadList;
  /** The broker's id of the row, or its place in the list when it has none. */
  readonly key: string;
  readonly reason: UnreadReason;
  readonly clientOrderId: ClientOrderId | null;
  readonly brokerOrderId: string | null;
  readonly executionId: ExecutionId | null;
  readonly instrument: UnreadInstrument;
  /** The row as the broker sent it: JSON, possibly cut. */
  readonly raw: string;
};

/** not_listed: one outside our catalogue. unread: it could be any. */
export type UnreadInstrument =
  | { readonly type: 'listed'; readonly symbol: Symbol }
  | { readonly type: 'not_listed'; readonly name: string }
  | { readonly type: 'unread' };

/** An order of ours in the account: every one that is or may be at the broker, and every one that an unread row names. */
export type OwnOrder = {
  readonly clientOrderId: ClientOrderId;
  readonly brokerOrderId: string | null;
  readonly symbol: Symbol;
  readonly isAtBroker: boolean;
};

export type UnreadFacts = {
  readonly orders: readonly OwnOrder[];
  /** Executions among the unread rows that are booked or external already. */
  readonly known: ReadonlySet<ExecutionId>;
  /** Instruments of the account in which a deployment holds a position or has an open order. */
  readonly inUse: ReadonlySet<Symbol>;
  /** Instruments with a readable row of their own in the list of positions. */
  readonly positioned: ReadonlySet<Symbol>;
  /** Rows, by rowSubject, that two people have set aside as not ours, with exactly this content. */
  readonly ignored: ReadonlySet<string>;
};

/** Beyond it an adapter cuts a row: then its end is not known. */
export const RAW_MAX = 4_000;

/** cut: its end is not known. own_order, own_position: it is ours. open_order: an order of ours may be the one. */
export const IGNORE_REFUSALS = ['cut', 'own_order', 'own_position', 'open_order'] as const;
export type IgnoreRefusal = (typeof IGNORE_REFUSALS)[number];

/** The name of a row in its account. */
export function rowSubject({ list, key }: Pick<UnreadRow, 'list' | 'key'>): string {
  return `${list} ${key}`;
}

export type UnreadVerdict = {
  readonly row: UnreadRow;
  /** Instruments in which nothing leaves but what is surely safe, until the row reads or goes. */
  readonly unsure: readonly Symbol[];
  /** Whether a deployment holds or trades one of them now. If not, the row is only kept. */
  readonly concernsUs: boolean;
  /** It names no order of ours, and an instrument that no deployment can hold: nobody needs to look. */
  readonly isForeign: boolean;
  readonly isIgnored: boolean;
  /** Why no one may set it aside as not ours; null when two people may. */
  readonly ignoreRefusal: IgnoreRefusal | null;
};

export function judgeUnreadRows(rows: readonly UnreadRow[], facts: UnreadFacts): readonly UnreadVerdict[] {
  return rows.map((row) => {
    const ours = ownInstruments(row, facts);
    const ignoreRefusal = ignoreRefusalOf(row, facts);
    const isIgnored = ignoreRefusal === null && facts.ignored.has(rowSubject(row));
    // Also without a deployment in it: an order of it may be decided before the next look.
    const unsure = isIgnored || isKnown(row, facts) ? [] : [...new Set([...ours, ...listedInstrument(row)])];
    const concernsUs = unsure.some((symbol) => ours.includes(symbol) || facts.inUse.has(symbol));
    const isForeign = row.instrument.type === 'not_listed' && ours.length === 0;
    return { row, unsure, concernsUs, isForeign, isIgnored, ignoreRefusal };
  });
}

/** The lists that leave an instrument unsure. */
export type UnsureInstruments = ReadonlyMap<Symbol, ReadonlySet<UnreadList>>;

export function unsureInstruments(verdicts: readonly UnreadVerdict[]): UnsureInstruments {
  const found = new Map<Symbol, Set<UnreadList>>();
  for (const { row, unsure } of verdicts)
    for (const symbol of unsure) found.set(symbol, (found.get(symbol) ?? new Set()).add(row.list));
  return found;
}

/** Whether the broker's list of positions may leave the instrument out, or show another quantity of it. */
export function isPositionUnread(unsure: UnsureInstruments, symbol: Symbol): boolean {
  return unsure.get(symbol)?.has('positions') ?? false;
}

/** An execution that is booked already says nothing new: its id is the key against booking twice. */
function isKnown({ executionId }: UnreadRow, { known }: UnreadFacts): boolean {
  return executionId !== null && known.has(executionId);
}

/** Judged again at each look: an order that is sent later may turn out to be the one of the row. */
function ignoreRefusalOf(row: UnreadRow, facts: UnreadFacts): IgnoreRefusal | null {
  if (isKnown(row, facts)) return null;
  if (row.raw.length >= RAW_MAX) return 'cut';
  const named = facts.orders.filter((order) => isNamed(row, order));
  // The row of an order that has ended says nothing new; an execution of it does.
  if (named.some(({ isAtBroker }) => isAtBroker || row.list === 'executions')) return 'own_order';
  if (row.list === 'positions')
    return listedInstrument(row).some((symbol) => facts.inUse.has(symbol)) ? 'own_position' : null;
  if (row.clientOrderId !== null || named.length > 0) return null;
  return facts.orders.some((order) => mayBe(row, order)) ? 'open_order' : null;
}

/** Whether it can be the order of a row that names none, with an id that we do not know yet. */
function mayBe({ brokerOrderId, instrument }: UnreadRow, order: OwnOrder): boolean {
  if (!order.isAtBroker || (brokerOrderId !== null && order.brokerOrderId !== null)) return false;
  return instrument.type === 'unread' || (instrument.type === 'listed' && instrument.symbol === order.symbol);
}

function listedInstrument({ instrument }: UnreadRow): readonly Symbol[] {
  return instrument.type === 'listed' ? [instrument.symbol] : [];
}

/** The instruments of the orders and positions of ours that the row may be about. */
function ownInstruments(row: UnreadRow, facts: UnreadFacts): readonly Symbol[] {
  const named = facts.orders.filter((order) => isNamed(row, order)).map(({ symbol }) => symbol);
  if (named.length > 0 || row.instrument.type !== 'unread') return named;
  if (row.list === 'positions') return [...facts.inUse].filter((symbol) => !facts.positioned.has(symbol));
  // It names an order of the client's own.
  if (row.clientOrderId !== null) return [];
  return facts.orders.filter((order) => mayBe(row, order)).map(({ symbol }) => symbol);
}

function isNamed(row: UnreadRow, order: OwnOrder): boolean {
  if (row.clientOrderId !== null && row.clientOrderId === order.clientOrderId) return true;
  return row.brokerOrderId !== null && row.brokerOrderId === order.brokerOrderId;
}
