// The executions of an account: from the vendor's list and from stream frames.
import type { BrokerAnswer, BrokerExecution } from '#ports/broker.ts';
import type { BrokerAccountId } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';
import { reading } from '../../answer-fields.ts';
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
): Promise<BrokerAnswer<readonly BrokerExecution[]>> {
  const answer = await brokerage.queryOf(accountId, {
    method: 'GET',
    path: '/iserver/account/trades',
    query: { days: String(EXECUTION_HISTORY_DAYS) },
    priority: 'reconcile',
  });
  if (answer.outcome === 'failed') return answer;
  const rows = reading(() => parseTrades(answer.value));
  if (rows.outcome === 'failed') return rows;
  const mine = rows.value
    .filter((row) => row.account === accountId && row.at >= since)
    .sort((left, right) => left.at - right.at);
  return nameInstruments(mine, contracts, brokerage);
}

export async function executionsOfFrame(rows: unknown, contracts: ContractBook, brokerage: Brokerage) {
  const trades = reading(() => parseTrades(rows));
  if (trades.outcome === 'failed') return trades;
  const executed = await nameInstruments(trades.value, contracts, brokerage);
  if (executed.outcome === 'failed') return executed;
  const value = executed.value.map(({ account, ...execution }) => ({ accountId: account, execution }));
  return { outcome: 'ok', value } as const;
}
