// The double-entry ledger: append-only, every transaction sums to zero per currency, each cause is booked once.
import { sql, type Transaction } from 'kysely';
import type { LedgerPosting } from '#engine/execution/deployment/ledger-posting.ts';
import type { DeploymentId } from '#units/identifiers.ts';
import { type Instant, isoText } from '#units/instant.ts';
import { type Micro, ZERO_MICRO } from '#units/money.ts';
import type { Tables } from '../tables.ts';

/**
 * Writes one ledger transaction. Throws when the entries do not sum to zero (RangeError) or the cause is already
 * booked (the database's unique violation).
 */
export async function postTransaction(trx: Transaction<Tables>, posting: LedgerPosting): Promise<void> {
  const moved = posting.entries.filter(({ amount }) => amount !== 0);
  // A replay of the books takes the order of bookings from their entries, so that one which moves nothing has one too.
  const entries = moved.length > 0 ? moved : [{ account: 'cash', amount: ZERO_MICRO }];
  const sum = entries.reduce((total, { amount }) => total + amount, 0);
  if (sum !== 0) throw new RangeError(`ledger entries of ${posting.cause} sum to ${sum}, not to zero`);
  await sql`
    with posted as (
      insert into ledger_transactions (id, deployment_id, kind, cause, at)
      values (gen_random_uuid(), ${posting.deploymentId}, ${posting.kind}, ${posting.cause}, ${isoText(posting.at)})
      returning id, deployment_id
    )
    insert into ledger_entries (transaction_id, deployment_id, ledger_account, amount_micro)
    select posted.id, posted.deployment_id, entry.ledger_account, entry.amount_micro
    from posted, unnest(
      ${entries.map(({ account }) => account)}::text[],
      ${entries.map(({ amount }) => String(amount))}::bigint[]
    ) as entry (ledger_account, amount_micro)`.execute(trx);
}

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
