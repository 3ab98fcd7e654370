// A vendor's list, row by row: first an envelope (account, ids, instrument), as far as it can be read, then the rest.
// A row that cannot be read is kept with its envelope and spoils no other.
import {
  RAW_MAX,
  type UnreadInstrument,
  type UnreadList,
  type UnreadReason,
  type UnreadRow,
} from '#engine/execution/reconciliation/unread-rows.ts';
import type { BrokerAccountId, ClientOrderId, ExecutionId } from '#units/identifiers.ts';
import { type Fields, isUnreadable, Unreadable } from './answer-fields.ts';

/** What a row says it is about; null for each part that it does not say readably. Reading it never throws. */
export type Envelope<Instrument> = {
  readonly account: BrokerAccountId | null;
  readonly clientOrderId: ClientOrderId | null;
  readonly brokerOrderId: string | null;
  readonly executionId: ExecutionId | null;
  readonly instrument: Instrument | null;
};

export type SpoiltRow<Instrument> = Envelope<Instrument> & {
  readonly reason: UnreadReason;
  readonly place: number;
  readonly raw: string;
};

export type ListRows<Row, Instrument> = {
  readonly rows: readonly Row[];
  readonly spoilt: readonly SpoiltRow<Instrument>[];
};

/** Throws Unreadable when `value` is no list. `parse` returns null for a row to leave out. */
export function readRows<Row, Instrument>(
  value: unknown,
  what: string,
  {
    envelopeOf,
    parse,
  }: {
    readonly envelopeOf: (row: Fields) => Envelope<Instrument>;
    readonly parse: (row: Fields) => Row | null;
  },
): ListRows<Row, Instrument> {
  if (!Array.isArray(value)) throw new Unreadable(`${what} is not a list`);
  const rows: Row[] = [];
  const spoilt: SpoiltRow<Instrument>[] = [];
  for (const [place, one] of value.entries()) {
    const keep = (fields: Fields, reason: UnreadReason) =>
      spoilt.push({ ...envelopeOf(fields), reason, place, raw: rawText(one) });
    if (!isFields(one)) {
      keep({}, 'form');
      continue;
    }
    try {
      const row = parse(one);
      if (row !== null) rows.push(row);
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      keep(one, error instanceof Unreadable ? error.about : 'form');
    }
  }
  return { rows, spoilt };
}

/** `instrument` is the row's, in our words. */
export function unreadRow(
  list: UnreadList,
  { clientOrderId, brokerOrderId, executionId, reason, place, raw }: Omit<SpoiltRow<unknown>, 'instrument'>,
  { id = null, ...instrument }: UnreadInstrument & { readonly id?: string | null },
): UnreadRow {
  const own = { executions: executionId, orders: brokerOrderId, positions: id }[list];
  const key = own ?? `row ${place}`;
  return { list, key, reason, clientOrderId, brokerOrderId, executionId, instrument, raw };
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function rawText(row: unknown): string {
  return JSON.stringify(row).slice(0, RAW_MAX);
}
