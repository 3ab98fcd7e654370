// The executions of an account: from the vendor's list and from stream frames.
import type { BrokerExecution, BrokerList } from '#ports/broker.ts';
import type { BrokerAccountId } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';
import { reading } from '../../answer-fields.ts';
import { failed } from '../../exchange.ts';
import type { Brokerage } from '../inner-session/brokerage.ts';
import type { ContractBook } from '../market-data/contracts.ts';
import { nameInstruments } from './name-instruments.ts';
import { parseTrades } from './parse-orders.ts';

/** The vendor keeps trades of seven days, the current one included. */
export const EXECUTION_HISTORY_DAYS = 7;

export async function listExecutions(
  brokerage: Brokerage,
  contracts: ContractBook,
  accountId: BrokerAccountId,
  since: Instant,
): Promise<BrokerList<BrokerExecution>> {
  const answer = await brokerage.queryOf(accountId, {
    method: 'GET',
    path: '/iserver/account/trades',
    query: { days: String(EXECUTION_HISTORY_DAYS) },
    priority: 'reconcile',
  });
  if (answer.outcome === 'failed') return answer;
  const list = reading(() => parseTrades(answer.value));
  if (list.outcome === 'failed') return list;
  const rows = list.value.rows
    .filter((row) => row.account === accountId && row.at >= since)
    .sort((left, right) => left.at - right.at);
  const spoilt = list.value.spoilt.filter(({ account }) => account === null || account === accountId);
  return nameInstruments('executions', { rows, spoilt }, { contracts, brokerage });
}

/** Fails when a row cannot be read: the list that is asked for next says more. */
export async function executionsOfFrame(frame: unknown, contracts: ContractBook, brokerage: Brokerage) {
  const trades = reading(() => parseTrades(frame));
  if (trades.outcome === 'failed') return trades;
  const executed = await nameInstruments('executions', trades.value, { contracts, brokerage });
  if (executed.outcome === 'failed') return executed;
  if (executed.unread.length > 0) return failed('unreadable', 'a frame with a trade that cannot be read');
  const value = executed.value.map(({ account, ...execution }) => ({ accountId: account, execution }));
  return { outcome: 'ok', value } as const;
}
