import type { BrokerConnection } from '#contract/brokerage.ts';
import type { ConnectionRecord } from '#records/brokerage/broker-connections.ts';
import { accountNumber } from '#units/account-of-vendor.ts';
import type { BrokerAccountId } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';
import { accountRefusal } from '#rules/brokerage/choose-account.ts';
import { connectionReason } from '#rules/reasons/connection-reason.ts';
import { showSession } from './show-session.ts';

/** Credentials never leave, and of the account number only its last four signs. */
export function showConnection(record: ConnectionRecord, now: Instant): BrokerConnection {
  const isLate = record.status === 'pending' && record.expiresAt.getTime() <= now;
  return {
    id: record.id,
    broker_connection_id: record.id,
    broker: record.brokerId,
    broker_name: record.brokerName,
    connection_status: isLate ? 'failed' : record.status,
    account_id: record.accountId === null ? null : masked(record.accountId),
    is_primary: record.isPrimary && !isLate,
    is_paper: record.isPaper,
    trades_without_market_data: ASKS_FOR_MARKET_DATA.has(record.brokerSlug)
      ? record.tradesWithoutMarketData
      : null,
    failure_reason: isLate
      ? 'The broker sign-in was not completed in time.'
      : record.reason && connectionReason(record.reason),
    accounts: record.status === 'choose_account' ? showChoices(record) : null,
    created_at: record.createdAt.toISOString(),
    connected_at: record.connectedAt?.toISOString() ?? null,
    session: showSession(record.session, record.brokerName),
  };
}

/** Brokers that ask whether to take orders without a subscription to their market data. */
const ASKS_FOR_MARKET_DATA: ReadonlySet<string> = new Set(['interactive-brokers']);

/** The key of a choice is its place in the broker's list, which does not change any more. */
function showChoices({ choices, isPaper }: ConnectionRecord): BrokerConnection['accounts'] {
  return (choices ?? []).map((account, place) => ({
    key: String(place),
    account_id: masked(account.accountId),
    title: account.title,
    currency: account.currency,
    is_paper: isPaper === true,
    refusal: accountRefusal(account),
  }));
}

function masked(accountId: BrokerAccountId): string {
  return `••••${accountNumber(accountId).slice(-4)}`;
}
