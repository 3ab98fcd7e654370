// Closing an account: what the law keeps is set apart and locked, everything else is erased, in one transaction. The caller
// holds the lock of the person and has looked that nothing runs.
import { sql, type Transaction } from 'kysely';
import type { BrokerConnectionId, UserId } from '#units/identifiers.ts';
import { type Instant, isoText } from '#units/instant.ts';
import type { Database } from '../postgres/database.ts';
import type { Tables } from '../tables.ts';

type Closing = {
  readonly userId: UserId;
  readonly ruleVersion: string;
  readonly at: Instant;
  readonly keptUntil: Instant;
};

/** The broker connections whose credentials the caller still has to remove. */
export async function eraseAccount(
  trx: Transaction<Tables>,
  { userId, ruleVersion, at, keptUntil }: Closing,
): Promise<readonly BrokerConnectionId[]> {
  await sql`delete from sandbox_mails where recipient = (select email from users where id = ${userId})`.execute(
    trx,
  );
  await sql`
    insert into closed_accounts (user_id, email, first_name, last_name, date_of_birth, country, rule_version, closed_at,
      kept_until)
    select id, email, first_name, last_name, date_of_birth, country, ${ruleVersion}, ${isoText(at)}, ${isoText(keptUntil)}
    from users where id = ${userId}`.execute(trx);
  for (const table of ERASED)
    await sql`delete from ${sql.table(table)} where user_id = ${userId}`.execute(trx);
  await sql`
    delete from strategies s where s.owner_id = ${userId} and s.status = 'draft'
      and not exists (select from deployments d where d.strategy_id = s.id)`.execute(trx);
  // The address is free again, for its owner too.
  await sql`
    update users set email = 'closed-' || id || '@closed.invalid', password_hash = '', first_name = '', last_name = '',
      date_of_birth = null, country = null, email_verified_at = null, pays_fees_automatically = false,
      disabled_at = ${isoText(at)} where id = ${userId}`.execute(trx);
  const { rows } = await sql<{ id: BrokerConnectionId }>`
    select id from broker_connections where user_id = ${userId} order by id`.execute(trx);
  return rows.map(({ id }) => id);
}

/** With what hangs on their rows. */
const ERASED = [
  'sessions',
  'api_keys',
  'webhooks',
  'authenticators',
  'passkeys',
  'passkey_challenges',
  'backup_codes',
  'account_events',
  'password_resets',
  'email_verifications',
  'idempotency_keys',
  'news_choices',
  'news_deliveries',
  'news_addresses',
  'telegram_codes',
  'mails',
  'notifications',
  'download_links',
  'watched_strategies',
  'draft_words',
  'model_calls',
  'model_readings',
  'subscriptions',
] as const;

/** Who they were is erased once the law no longer keeps it: what is left of their records names nobody. */
export async function eraseExpired(database: Database): Promise<void> {
  await database.transaction().execute(async (trx) => {
    const { rows } = await sql<{ id: UserId }>`
      select user_id as id from closed_accounts where kept_until <= clock_timestamp() order by user_id limit ${AT_ONCE}
      for update`.execute(trx);
    const expired = rows.map(({ id }) => id);
    if (expired.length === 0) return;
    // The row of the person last: it is what lets the others go.
    for (const table of KEPT)
      await sql`delete from ${sql.table(table)} where user_id = any(${expired}::uuid[])`.execute(trx);
  });
}

const AT_ONCE = 200;

/** Identity, agreements and advice. Trading and money stay under an id that names nobody: the books must add up. */
const KEPT = [
  'identity_checks',
  'attestations',
  'eligibility_decisions',
  'advice_records',
  'attack_acceptances',
  'risk_profiles',
  'client_notes',
  'agreements',
  'closed_accounts',
] as const;
