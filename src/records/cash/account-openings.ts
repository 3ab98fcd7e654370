// What an account held before the first order of ours: its cash, and its positions as external holdings.
import { type Kysely, sql } from 'kysely';
import type { AccountOpening } from '#engine/cash/account-opening.ts';
import type { BrokerAccountId, BrokerConnectionId, ExecutionId } from '#units/identifiers.ts';
import { type Instant, isoText, parseInstant } from '#units/instant.ts';
import { type Micro, parseMicro } from '#units/money.ts';
import { quantityText } from '#units/quantity.ts';
import { connectionsOf } from '../postgres/connections-of.ts';
import type { Tables } from '../tables.ts';

/** When the account was opened in our books, by the trading clock. Null before that. */
export async function findOpening(
  database: Kysely<Tables>,
  account: BrokerAccountId,
): Promise<{ readonly at: Instant; readonly cash: Micro; readonly currency: string } | null> {
  const row = await database
    .selectFrom('account_openings')
    .select(['at', 'cash_micro', 'currency'])
    .where('account_id', '=', account)
    .executeTakeFirst();
  return row === undefined
    ? null
    : { at: parseInstant(row.at), cash: parseMicro(row.cash_micro), currency: row.currency };
}

/** Once for an account: 'repeated' when another look has recorded it, and then nothing is written. */
export async function insertOpening(
  trx: Kysely<Tables>,
  account: { readonly id: BrokerAccountId; readonly connection: BrokerConnectionId },
  { at, cash, currency, holdings, executions }: AccountOpening,
): Promise<'recorded' | 'repeated'> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('account_openings')
    .values({
      account_id: account.id,
      connection_id: account.connection,
      currency,
      cash_micro: cash,
      at: isoText(at),
    })
    .onConflict((conflict) => conflict.column('account_id').doNothing())
    .executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows !== 1n) return 'repeated';
  for (const { symbol, units } of holdings) {
    await trx
      .insertInto('suspense_entries')
      .values({
        kind: 'opening',
        execution_id: `opening:${symbol}` as ExecutionId,
        account_id: account.id,
        symbol,
        side: units < 0 ? 'sell' : 'buy',
        quantity: quantityText(Math.abs(units) as typeof units),
        price: 0,
        executed_at: isoText(at),
      })
      .execute();
  }
  for (const execution of executions) await noteInOpening(trx, account, execution);
  return 'recorded';
}

/** An execution that is part of the opening is known, and never booked. */
export async function noteInOpening(
  trx: Kysely<Tables>,
  account: { readonly id: BrokerAccountId; readonly connection: BrokerConnectionId },
  execution: ExecutionId,
): Promise<void> {
  await sql`
    insert into broker_inbox (account_id, execution_id, connection_id, report, closed_at, is_in_opening)
    values (${account.id}, ${execution}, ${account.connection}, '{}', clock_timestamp(), true)
    on conflict (account_id, execution_id) do update
      set closed_at = coalesce(broker_inbox.closed_at, clock_timestamp()), is_in_opening = true, hold_code = null,
        hold_params = null`.execute(trx);
}

/** What our books have moved in an account that has been sent an order; null in any other account. */
export async function cashMovedIn(database: Kysely<Tables>, account: BrokerAccountId): Promise<Micro | null> {
  const { rows } = await sql<{ has_traded: boolean; moved: string }>`
    -- In the order of the index: an account without orders is not looked for among those of all others.
    select (select o.symbol from orders o where o.broker_connection_id = any(${connectionsOf(account)})
        and o.sent_at is not null order by o.broker_connection_id, o.symbol limit 1) is not null as has_traded,
      (select coalesce(sum(e.amount_micro), 0)::text from broker_connections c
        join deployments d on d.broker_connection_id = c.id
        join ledger_transactions t on t.deployment_id = d.id and t.kind not in ('opening', 'closing', 'flow')
        join ledger_entries e on e.transaction_id = t.id and e.ledger_account = 'cash'
        where c.account_id = ${account}) as moved`.execute(database);
  const [found] = rows;
  return found?.has_traded ? parseMicro(found.moved) : null;
}
