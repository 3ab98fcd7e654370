// The double-entry ledger: append-only, every transaction sums to zero per currency, each cause is booked once.
import { sql, type Transaction } from 'kysely';
import type { LedgerPosting } from '#engine/execution/deployment/ledger-posting.ts';
import type { DeploymentId } from '#units/identifiers.ts';
import { type Instant, isoText } from '#units/instant.ts';
import { type Micro, ZERO_MICRO } from '#units/money.ts';
import type { Tables } from '../tables.ts';

/**
 * Writes ledger transactions, in this order. Throws when the entries of one do not sum to zero (RangeError) or a cause is
 * already booked (the database's unique violation).
 */
export async function postTransactions(
  trx: Transaction<Tables>,
  postings: readonly LedgerPosting[],
): Promise<void> {
  if (postings.length === 0) return;
  const entries = postings.flatMap((posting, place) =>
    balancedEntries(posting).map((entry) => ({ ...entry, place: place + 1 })),
  );
  await sql`
    with posted as materialized (
      select gen_random_uuid() as id, p.* from unnest(
        ${postings.map(({ deploymentId }) => deploymentId)}::uuid[],
        ${postings.map(({ kind }) => kind)}::text[],
        ${postings.map(({ cause }) => cause)}::text[],
        ${postings.map(({ at }) => isoText(at))}::timestamptz[]
      ) with ordinality as p (deployment_id, kind, cause, at, place)
    ), written as (
      insert into ledger_transactions (id, deployment_id, kind, cause, at)
      select id, deployment_id, kind, cause, at from posted
    )
    insert into ledger_entries (transaction_id, deployment_id, ledger_account, amount_micro)
    select posted.id, posted.deployment_id, entry.ledger_account, entry.amount_micro
    from unnest(
      ${entries.map(({ place }) => place)}::bigint[],
      ${entries.map(({ account }) => account)}::text[],
      ${entries.map(({ amount }) => String(amount))}::bigint[]
    ) with ordinality as entry (posting, ledger_account, amount_micro, place)
    join posted on posted.place = entry.posting
    order by entry.place`.execute(trx);
}

export async function postTransaction(trx: Transaction<Tables>, posting: LedgerPosting): Promise<void> {
  await postTransactions(trx, [posting]);
}

function balancedEntries(posting: LedgerPosting): LedgerPosting['entries'] {
  const moved = posting.entries.filter(({ amount }) => amount !== 0);
  // A replay of the books takes the order of bookings from their entries, so that one which moves nothing has one too.
  const entries = moved.length > 0 ? moved : NOTHING_MOVED;
  const sum = entries.reduce((total, { amount }) => total + amount, 0);
  if (sum !== 0) throw new RangeError(`ledger entries of ${posting.cause} sum to ${sum}, not to zero`);
  return entries;
}

const NOTHING_MOVED = [{ account: 'cash', amount: ZERO_MICRO }] as const;

/** The cash that a client puts into a deployment at its start. */
export function openingPosting(deploymentId: DeploymentId, investment: Micro, at: Instant): LedgerPosting {
  return {
    deploymentId,
    kind: 'opening',
    cause: `opening:${deploymentId}`,
    at,
    entries: [
      { account: 'cash', amount: investment },
      { account: 'capital', amount: -investment as Micro },
    ],
  };
}
