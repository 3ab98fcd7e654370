// The orders of an account: the vendor's list, and one order by its id.
import type { BrokerFailureCode } from '#engine/execution/connection/broker-failure.ts';
import type { BrokerList, BrokerOrder } from '#ports/broker.ts';
import type { BrokerAccountId } from '#units/identifiers.ts';
import { reading } from '../../answer-fields.ts';
import { failed } from '../../exchange.ts';
import type { Brokerage } from '../inner-session/brokerage.ts';
import type { ContractBook } from '../market-data/contracts.ts';
import { nameInstruments } from './name-instruments.ts';
import { parseOrders, parseOrderStatus } from './parse-orders.ts';

export function createOrderList(brokerage: Brokerage, contracts: ContractBook) {
  /** The inner-session start for which the first list was already requested. */
  let primedStart = 0;
  const look = (query: Readonly<Record<string, string>>) =>
    brokerage.query({ method: 'GET', path: '/iserver/account/orders', query, priority: 'reconcile' });

  return async (accountId: BrokerAccountId): Promise<BrokerList<BrokerOrder>> => {
    for (let attempt = 1; ; attempt++) {
      const ready = await brokerage.ready();
      if (ready.outcome === 'failed') return ready;
      // The first list of a session is always empty; a forced one triggers a refresh and is empty too.
      if (primedStart !== brokerage.starts) {
        const { starts } = brokerage;
        const primed = await look({ force: 'true', accountId });
        if (primed.outcome === 'failed') return primed;
        primedStart = starts;
      }
      const answer = await look({ accountId });
      if (answer.outcome === 'failed') return answer;
      // The session was restarted meanwhile: this is its empty first list.
      if (primedStart !== brokerage.starts) {
        if (attempt === LISTS_MAX) return failed('no_session', 'the trading session does not stay');
        continue;
      }
      const list = reading(() => parseOrders(answer.value));
      if (list.outcome === 'failed') return list;
      const { snapshot, rows, spoilt } = list.value;
      if (snapshot || rows.length + spoilt.length > 0 || attempt >= 2) {
        const isOurs = ({ account }: { readonly account: BrokerAccountId | null }) =>
          account === null || account === accountId;
        const mine = { rows: rows.filter(isOurs), spoilt: spoilt.filter(isOurs) };
        return nameInstruments('orders', mine, { contracts, brokerage });
      }
    }
  };
}

/** The most times a list is requested. */
const LISTS_MAX = 4;

/**
 * The vendor answers with an error for an order of an earlier session, in varying words, and with the same error in an
 * outage: whatever it says instead of the order, the order is not visible now.
 */
export async function findOrder(
  brokerage: Brokerage,
  contracts: ContractBook,
  { accountId, brokerOrderId }: { readonly accountId: BrokerAccountId; readonly brokerOrderId: string },
) {
  const answer = await brokerage.queryOf(accountId, {
    method: 'GET',
    path: `/iserver/account/order/status/${encodeURIComponent(brokerOrderId)}`,
    priority: 'reconcile',
  });
  if (answer.outcome === 'failed')
    return NOT_VISIBLE.has(answer.code) ? ({ outcome: 'ok', value: null } as const) : answer;
  const row = reading(() => parseOrderStatus(answer.value));
  if (row.outcome === 'failed') return row;
  if (row.value.brokerOrderId !== brokerOrderId)
    return failed('unreadable', `the broker answered with order ${row.value.brokerOrderId}`);
  if (row.value.account !== null && row.value.account !== accountId)
    return failed('unreadable', `the broker answered with an order of the account ${row.value.account}`);
  const list = await nameInstruments('orders', { rows: [row.value], spoilt: [] }, { contracts, brokerage });
  if (list.outcome === 'failed') return list;
  const [found] = list.value;
  return found === undefined
    ? failed('unreadable', 'the instrument of the order cannot be read')
    : ({ outcome: 'ok', value: found } as const);
}

const NOT_VISIBLE: ReadonlySet<BrokerFailureCode> = new Set(['unreachable', 'refused', 'unreadable']);
