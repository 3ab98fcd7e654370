import type { DeskConnection } from '#contract/operations/desk-connection.ts';
import type { DeskConnection as Connection } from '#records/brokerage/desk-connections.ts';
import { sessionText } from '#rules/brokerage/session-state.ts';
import { failureQuote } from '#rules/reasons/failure-quote.ts';
import { fromMicro, parseMicro } from '#units/money.ts';

export function showDeskConnection(connection: Connection): DeskConnection {
  const { id, accountId, brokerName, client, state, since, detail, until, reconciledAt } = connection;
  return {
    id,
    account: accountId,
    broker_name: brokerName,
    client,
    state,
    title: sessionText(state, brokerName).title,
    since: since.toISOString(),
    quote: failureQuote(detail),
    until: until === null ? null : until.toISOString(),
    reconciled_at: reconciledAt === null ? null : reconciledAt.toISOString(),
    deployments: connection.deployments,
    equity: fromMicro(parseMicro(connection.equityMicro)),
  };
}
