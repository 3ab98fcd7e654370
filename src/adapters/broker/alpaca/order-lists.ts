// Orders and fills of the account, and which client order id belongs to which order of the vendor.
import type { BrokerAnswer, BrokerExecution, BrokerOrder } from '#ports/broker.ts';
import type { ClientOrderId } from '#units/identifiers.ts';
import { type Instant, isoText, parseInstant } from '#units/instant.ts';
import { reading, textOf } from '../answer-fields.ts';
import { listPages, PAGES_MAX } from './list-pages.ts';
import { type FillRow, type Known, parseFills, parseOrder } from './parse-answers.ts';

type Question = (path: string, query?: Readonly<Record<string, string>>) => Promise<BrokerAnswer<unknown>>;

type OrderLists = {
  orders(): Promise<BrokerAnswer<readonly BrokerOrder[]>>;
  executions(since: Instant): Promise<BrokerAnswer<readonly BrokerExecution[]>>;
};

export function createOrderLists(ask: Question, known: Known): OrderLists {
  const clientIds = new Map<string, ClientOrderId | null>();

  /** All working orders, and the most recent of those that ended. */
  const list = async (): Promise<BrokerAnswer<readonly BrokerOrder[]>> => {
    const found = new Map<string, BrokerOrder>();
    for (const status of ['open', 'closed'] as const) {
      const size = { rows: ORDER_ROWS, pages: status === 'open' ? PAGES_MAX : 1 };
      const rows = await listPages(size, (last) =>
        ask('/v2/orders', {
          status,
          limit: String(ORDER_ROWS),
          direction: 'desc',
          ...(last === null ? {} : { until: justAfter(textOf(last, 'submitted_at')) }),
        }),
      );
      if (rows.outcome === 'failed') return rows;
      const read = reading(() => rows.value.map((row) => parseOrder(row, known)));
      if (read.outcome === 'failed') return read;
      for (const order of read.value) found.set(order.brokerOrderId, order);
    }
    for (const { brokerOrderId, clientOrderId } of found.values())
      clientIds.set(brokerOrderId, clientOrderId);
    return { outcome: 'ok', value: [...found.values()] };
  };

  /** Fills name only the vendor's order id. */
  const withClientIds = async (
    fills: readonly FillRow[],
  ): Promise<BrokerAnswer<readonly BrokerExecution[]>> => {
    const value: BrokerExecution[] = [];
    for (const { name, ...fill } of fills) {
      if (!clientIds.has(fill.brokerOrderId)) {
        const answer = await ask(`/v2/orders/${encodeURIComponent(fill.brokerOrderId)}`);
        if (answer.outcome === 'failed') return answer;
        const order = reading(() => parseOrder(answer.value, known));
        if (order.outcome === 'failed') return order;
        clientIds.set(fill.brokerOrderId, order.value.clientOrderId);
      }
      const clientOrderId = clientIds.get(fill.brokerOrderId) ?? null;
      value.push({ ...fill, clientOrderId, brokerInstrumentId: name });
    }
    return { outcome: 'ok', value };
  };

  return {
    orders: list,
    async executions(since) {
      const rows = await listPages({ rows: FILL_ROWS, pages: PAGES_MAX }, (last) =>
        ask('/v2/account/activities/FILL', {
          after: isoText((since - 1) as Instant),
          direction: 'asc',
          page_size: String(FILL_ROWS),
          ...(last === null ? {} : { page_token: textOf(last, 'id') }),
        }),
      );
      if (rows.outcome === 'failed') return rows;
      const fills = reading(() => parseFills(rows.value, known).filter(({ at }) => at >= since));
      return fills.outcome === 'failed' ? fills : withClientIds(fills.value);
    },
  };
}

/** Orders of the same millisecond are reported again rather than missed. */
function justAfter(time: string): string {
  return isoText((parseInstant(time) + 1) as Instant);
}

const ORDER_ROWS = 500;
const FILL_ROWS = 100;
