import type { ClientWait } from '#contract/operations/clients.ts';
import type { CashDifference } from '#contract/operations/cash.ts';
import { listOpenBreaks } from '#records/adjustments/reconciliation-breaks.ts';
import { listOpenRequests } from '#records/deployments/liquidation-requests.ts';
import { listUnconfirmedOrders } from '#records/execution/unconfirmed-orders.ts';
import { listOpenIncidents } from '#records/incidents/open-incidents.ts';
import type { Database } from '#records/postgres/database.ts';
import { incidentText } from '#rules/reasons/incident-reason.ts';
import { fromQuantity } from '#units/quantity.ts';

/** What the queues of the desk have about one client, the longest waiting first of each clock. */
export async function listWaiting(
  database: Database,
  {
    client,
    cash,
    max,
  }: { readonly client: string; readonly cash: readonly CashDifference[]; readonly max: number },
): Promise<ClientWait[]> {
  const [incidents, orders, differences, requests] = await Promise.all([
    listOpenIncidents(database, max, client),
    listUnconfirmedOrders(database, max, client),
    listOpenBreaks(database, ['unexplained', 'external_trade', 'shortfall'], max, client),
    listOpenRequests(database, max, client),
  ]);
  const waits: ClientWait[] = [
    ...incidents.map((one) => real('incident', one.id, incidentText(one).title, one.since)),
    ...orders.map((one) => {
      const about = `${one.side} ${fromQuantity(one.quantity)} ${one.symbol}, ${one.strategyName}`;
      const { unknownSince, sentAt } = one;
      return unknownSince === null && sentAt !== null
        ? { ...real('unconfirmed_order', one.id, about, sentAt), clock: 'market' as const }
        : real('unconfirmed_order', one.id, about, unknownSince ?? new Date(0));
    }),
    ...differences.map((one) => real('difference', one.id, one.symbol, one.since)),
    ...cash.map((one) => real('cash_difference', one.id, one.account, new Date(one.since))),
    ...requests.map((one) => ({
      ...real('liquidation', one.id, one.strategyName, one.requestedAt),
      clock: 'market' as const,
    })),
  ];
  return waits.toSorted((a, b) => a.since.localeCompare(b.since));
}

function real(queue: ClientWait['queue'], id: string, about: string, since: Date): ClientWait {
  return { queue, id, about, since: since.toISOString(), clock: 'real' };
}
