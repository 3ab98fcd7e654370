// Who held at an event, what our rules booked for it, and what a broker's figures have changed since.
import { type Kysely, sql } from 'kysely';
import { eventKindsOf } from '#engine/cash/cash-activity.ts';
import type { Share } from '#engine/cash/stated-shares.ts';
import type { BrokerAccountId, DeploymentId } from '#units/identifiers.ts';
import { type Instant, isoText } from '#units/instant.ts';
import { type Micro, parseMicro } from '#units/money.ts';
import { parseQuantity } from '#units/quantity.ts';
import type { Tables } from '../tables.ts';
import type { StatedEvent } from './cash-activities.ts';

export async function listDeploymentShares(
  trx: Kysely<Tables>,
  account: BrokerAccountId,
  { symbol, sessionDate, kind }: StatedEvent,
): Promise<readonly Share<DeploymentId>[]> {
  const { rows } = await sql<{ holder: DeploymentId; units: string; estimate: string; changed: string }>`
    select h.deployment_id as holder, sum(h.entitled)::text as units,
      coalesce(sum((select sum(e.amount_micro) from ledger_transactions t
        join ledger_entries e on e.transaction_id = t.id and e.ledger_account = 'cash'
        where t.cause = h.kind || ':' || h.deployment_id || ':' || h.symbol || ':' || h.date
          || case h.execution when '' then '' else ':' || h.execution end)), 0)::text as estimate,
      (select coalesce(sum(s.change_micro), 0)::text from stated_changes s where s.deployment_id = h.deployment_id
        and s.symbol = ${symbol} and s.kind = ${kind} and s.date = ${sessionDate}) as changed
    from position_events h join deployments d on d.id = h.deployment_id
      join broker_connections c on c.id = d.broker_connection_id
    where c.account_id = ${account} and h.symbol = ${symbol} and h.date = ${sessionDate}
      and h.kind = any(${eventKindsOf(kind)})
    group by h.deployment_id order by h.deployment_id`.execute(trx);
  return rows.map(({ holder, units, estimate, changed }) => ({
    holder,
    units: parseQuantity(units),
    estimate: parseMicro(estimate),
    changed: parseMicro(changed),
  }));
}

/** The number of the change within its event. The caller holds the lock of the deployment. */
export async function insertStatedChange(
  trx: Kysely<Tables>,
  { symbol, sessionDate, kind }: StatedEvent,
  {
    deploymentId,
    change,
    at,
  }: { readonly deploymentId: DeploymentId; readonly change: Micro; readonly at: Instant },
): Promise<number> {
  const { rows } = await sql<{ number: number }>`
    insert into stated_changes (deployment_id, symbol, kind, date, number, change_micro, at)
    select ${deploymentId}, ${symbol}, ${kind}, ${sessionDate}::date, (count(*) + 1)::int, ${String(change)}::bigint,
      ${isoText(at)}
    from stated_changes where deployment_id = ${deploymentId} and symbol = ${symbol} and kind = ${kind}
      and date = ${sessionDate} returning number`.execute(trx);
  return rows[0]!.number;
}

/** All that brokers' figures have changed for a deployment. */
export async function sumStatedChanges(database: Kysely<Tables>, deployment: DeploymentId): Promise<Micro> {
  const { rows } = await sql<{ changed: string }>`
    select coalesce(sum(change_micro), 0)::text as changed from stated_changes
    where deployment_id = ${deployment}`.execute(database);
  return parseMicro(rows[0]?.changed ?? '0');
}

/** What the broker's figures have changed of the owner's own part. */
export async function ownerChanged(
  trx: Kysely<Tables>,
  account: BrokerAccountId,
  { symbol, sessionDate, kind }: StatedEvent,
): Promise<Micro> {
  const { rows } = await sql<{ changed: string }>`
    select coalesce(sum(amount_micro), 0)::text as changed from cash_movements
    where account_id = ${account} and starts_with(reference, ${`stated:${kind}:${symbol}:${sessionDate}:`})`.execute(
    trx,
  );
  return parseMicro(rows[0]?.changed ?? '0');
}
