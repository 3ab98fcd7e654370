// Orders and fills of the account, and which client order id belongs to which order of the vendor.
import type { UnreadList, UnreadRow } from '#engine/execution/reconciliation/unread-rows.ts';
import type { BrokerAnswer, BrokerExecution, BrokerList, BrokerOrder } from '#ports/broker.ts';
import type { ClientOrderId, Symbol } from '#units/identifiers.ts';
import { type Instant, isoText, parseInstant } from '#units/instant.ts';
import { asText, fieldsOf, reading, textOf } from '../answer-fields.ts';
import { type SpoiltRow, unreadRow } from '../list-rows.ts';
import { expectedCoinFee } from './coins.ts';
import { listPages, PAGES_MAX } from './list-pages.ts';
import { type AlpacaInstrument, type FillRow, type Known, parseFills, parseOrders } from './parse-answers.ts';

type Question = (path: string, query?: Readonly<Record<string, string>>) => Promise<BrokerAnswer<unknown>>;

type OrderLists = {
  orders(): Promise<BrokerList<BrokerOrder>>;
  executions(since: Instant): Promise<BrokerList<BrokerExecution>>;
  /** What somebody else has read of an order: it is not asked for again. */
  noteOrder(brokerOrderId: string, clientOrderId: ClientOrderId | null): void;
};

export function createOrderLists(
  ask: Question,
  known: Known,
  isCoin: (symbol: Symbol) => boolean,
): OrderLists {
  const { clientIds, clientIdOf } = createClientIds(ask);

  /** All working orders, and the most recent of those that ended. */
  const list = async (): Promise<BrokerList<BrokerOrder>> => {
    const found = new Map<string, BrokerOrder>();
    const unread: UnreadRow[] = [];
    for (const status of ['open', 'closed'] as const) {
      const size = { rows: ORDER_ROWS, pages: status === 'open' ? PAGES_MAX : 1 };
      const query = { status, limit: String(ORDER_ROWS), direction: 'desc' };
      const pages = await listPages(
        size,
        (page) => ask('/v2/orders', { ...query, ...page }),
        (last) => ({ until: justAfter(textOf(last, 'submitted_at')) }),
      );
      if (pages.outcome === 'failed') return pages;
      const read = reading(() => parseOrders(pages.value, known));
      if (read.outcome === 'failed') return read;
      for (const order of read.value.rows) found.set(order.brokerOrderId, order);
      unread.push(...unreadRows('orders', read.value.spoilt, known));
    }
    for (const { brokerOrderId, clientOrderId } of found.values())
      clientIds.set(brokerOrderId, clientOrderId);
    return { outcome: 'ok', value: [...found.values()], unread };
  };

  return {
    orders: list,
    noteOrder: (brokerOrderId, clientOrderId) => void clientIds.set(brokerOrderId, clientOrderId),
    async executions(since) {
      const query = {
        after: isoText((since - 1) as Instant),
        direction: 'asc',
        page_size: String(FILL_ROWS),
      };
      const pages = await listPages(
        { rows: FILL_ROWS, pages: PAGES_MAX },
        (page) => ask('/v2/account/activities/FILL', { ...query, ...page }),
        (last) => ({ page_token: textOf(last, 'id') }),
      );
      if (pages.outcome === 'failed') return pages;
      const fills = reading(() => parseFills(pages.value, known));
      if (fills.outcome === 'failed') return fills;
      const named = await withClientIds(
        fills.value.rows.filter(({ at }) => at >= since),
        { clientIdOf, known, isCoin },
      );
      if (named.outcome === 'failed') return named;
      const unread = [...named.unread, ...unreadRows('executions', fills.value.spoilt, known)];
      return { ...named, unread };
    },
  };
}

/** Fills name only the vendor's order id. A fill of an order that cannot be read is unread too. */
async function withClientIds(
  fills: readonly FillRow[],
  {
    clientIdOf,
    known,
    isCoin,
  }: Pick<ReturnType<typeof createClientIds>, 'clientIdOf'> & {
    readonly known: Known;
    readonly isCoin: (symbol: Symbol) => boolean;
  },
): Promise<BrokerList<BrokerExecution>> {
  const value: BrokerExecution[] = [];
  const unread: UnreadRow[] = [];
  for (const [place, fill] of fills.entries()) {
    const { name, ...execution } = fill;
    const id = await clientIdOf(fill.brokerOrderId);
    if (id.outcome === 'ok') {
      value.push({
        ...execution,
        ...(isCoinFill(execution, isCoin) ? feeOf(execution) : {}),
        clientOrderId: id.value,
        brokerInstrumentId: name,
      });
      continue;
    }
    if (id.code !== 'refused' && id.code !== 'unreadable') return id;
    const { brokerOrderId, executionId } = fill;
    const row = { clientOrderId: null, brokerOrderId, executionId, instrument: { name, id: null } };
    const spoilt = { ...row, account: null, reason: 'id', place, raw: JSON.stringify(fill) } as const;
    unread.push(...unreadRows('executions', [spoilt], known));
  }
  return { outcome: 'ok', value, unread };
}

function isCoinFill(
  { symbol, price }: Pick<FillRow, 'symbol' | 'price'>,
  isCoin: (symbol: Symbol) => boolean,
): boolean {
  return symbol !== null && isCoin(symbol) && price > 0;
}

/** Of coins it comes at the end of the day. */
function feeOf({ side, quantity, price }: Pick<FillRow, 'side' | 'quantity' | 'price'>) {
  return { commission: null, expectedFee: expectedCoinFee(side, quantity, price) };
}

/** Which of our orders each of the vendor's is. */
function createClientIds(ask: Question) {
  const clientIds = new Map<string, ClientOrderId | null>();
  /** Asks once for each order of which only the id is known; null when the vendor does not know it either. */
  const clientIdOf = async (brokerOrderId: string): Promise<BrokerAnswer<ClientOrderId | null>> => {
    const before = clientIds.get(brokerOrderId);
    if (before !== undefined) return { outcome: 'ok', value: before };
    const answer = await ask(`/v2/orders/${encodeURIComponent(brokerOrderId)}`);
    if (answer.outcome === 'failed') return answer;
    const read = reading(() => asText(fieldsOf(answer.value, 'an order').client_order_id));
    if (read.outcome === 'failed') return read;
    const id = read.value as ClientOrderId | null;
    clientIds.set(brokerOrderId, id);
    return { outcome: 'ok', value: id };
  };
  return { clientIds, clientIdOf };
}

/** In our words. */
export function unreadRows(
  list: UnreadList,
  spoilt: readonly SpoiltRow<AlpacaInstrument>[],
  known: Known,
): readonly UnreadRow[] {
  return spoilt.map(({ instrument, ...row }) => {
    if (instrument === null) return unreadRow(list, row, { type: 'unread' });
    const { name, id } = instrument;
    const symbol = known(name);
    const named =
      symbol === null ? { type: 'not_listed' as const, name } : { type: 'listed' as const, symbol };
    return unreadRow(list, row, { ...named, id: id ?? name });
  });
}

/** Orders of the same millisecond are reported again rather than missed. */
function justAfter(time: string): string {
  return isoText((parseInstant(time) + 1) as Instant);
}

const ORDER_ROWS = 500;
const FILL_ROWS = 100;
