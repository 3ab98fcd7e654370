// Unexplained cash of accounts, and the movements that explain it.
import { type Kysely, sql } from 'kysely';
import type { CashItem } from '#engine/cash/cash-statement.ts';
import type { BrokerAccountId } from '#units/identifiers.ts';
import { type Instant, isoText } from '#units/instant.ts';
import { type Micro, parseMicro } from '#units/money.ts';
import type { Tables } from '../tables.ts';

/** Once for a reference; a second one is refused by the key. */
export async function insertCashMovement(
  trx: Kysely<Tables>,
  account: BrokerAccountId,
  movement: CashItem & { readonly reference: string; readonly at: Instant },
): Promise<void> {
  await sql`
    insert into cash_movements (account_id, reference, line, amount_micro, at)
    values (${account}, ${movement.reference}, ${movement.line}, ${String(movement.amount)}::bigint, ${isoText(movement.at)})`.execute(
    trx,
  );
}

export type OpenCashBreak = {
  readonly id: string;
  readonly accountId: BrokerAccountId;
  readonly brokerName: string;
  readonly clients: readonly string[];
  readonly currency: string;
  readonly unexplained: Micro;
  readonly date: string;
  readonly since: Date;
};

/** The longest open first; of one client, where an e-mail is named. */
export async function listCashBreaks(
  database: Kysely<Tables>,
  max: number,
  client: string | null = null,
): Promise<readonly OpenCashBreak[]> {
  const { rows } = await sql<Omit<OpenCashBreak, 'unexplained'> & { unexplained: string }>`
    select k.id, k.account_id as "accountId", k.currency, k.unexplained_micro::text as unexplained, k.date::text, k.since,
      coalesce((select min(b.name) from broker_connections c join brokers b on b.id = c.broker_id
        where c.account_id = k.account_id), '') as "brokerName",
      array(select distinct u.email from broker_connections c join users u on u.id = c.user_id
        where c.account_id = k.account_id order by u.email) as clients
    from cash_breaks k where k.ended_at is null and (${client}::text is null or exists (select from broker_connections c
      join users u on u.id = c.user_id where c.account_id = k.account_id and u.email = ${client}))
    order by k.since, k.id limit ${max}`.execute(database);
  return rows.map((row) => ({ ...row, unexplained: parseMicro(row.unexplained) }));
}

/** The account of a break, whether it is open or not. */
export async function accountOfBreak(
  database: Kysely<Tables>,
  id: string,
): Promise<BrokerAccountId | undefined> {
  const { rows } = await sql<{ account: BrokerAccountId }>`
    select account_id as account from cash_breaks where id::text = ${id}`.execute(database);
  return rows[0]?.account;
}
