// Practice and what is real never meet: no practice order reaches a real broker, no real order the practice venue, nobody is
// billed for practice, and once everything is quiet the books have the venue's cash to the cent.
import { conversionOf } from '#engine/cash/conversion.ts';
import { explainShadow } from '#engine/practice/explain-shadow.ts';
import { listForeignResults } from '#records/cash/cash-facts.ts';
import { listNetHistories } from '#records/cash/net-histories.ts';
import { findShadowFacts } from '#records/practice/shadow-facts.ts';
import type { BrokerAccountId, UserId } from '#units/identifiers.ts';
import { toMicro } from '#units/money.ts';
import { isOfShares } from './strategies.ts';
import type { World } from './world.ts';

export async function practiceMeetsReal({ records, sentToBrokers }: World): Promise<string[]> {
  const { rows } = await records.pool.query<{ mode: string; clientOrderId: string; atVenue: boolean }>(
    `select d.mode, o.client_order_id as "clientOrderId",
       exists (select from practice_orders p where p.client_order_id = o.client_order_id) as "atVenue"
     from orders o join deployments d on d.id = o.deployment_id where o.sent_at is not null order by 2`,
  );
  const sent = sentToBrokers.join('\n');
  const found = rows.flatMap(({ mode, clientOrderId, atVenue }) => {
    if (mode === 'practice' && sent.includes(clientOrderId))
      return [`practice order ${clientOrderId} was sent to a real broker`];
    return mode !== 'practice' && atVenue ? [`real order ${clientOrderId} is at the practice venue`] : [];
  });
  const { rows: billed } = await records.pool.query<{ id: string }>(
    `select d.id from deployments d where d.mode = 'practice'
       and (d.billed_through is not null or exists (select from fee_bills b where b.deployment_id = d.id)) order by 1`,
  );
  return [...found, ...billed.map(({ id }) => `practice deployment ${id} is billed`)];
}

/**
 * Once the faults are over and the trader has looked. A pair of another currency is converted by each at the rate of its own
 * look.
 */
export async function practiceCashDiffers({ records }: World): Promise<string[]> {
  const { rows } = await records.pool.query<{
    id: string;
    account: BrokerAccountId;
    books: string;
    venue: string;
  }>(
    `select d.id, a.account_id as account, d.cash_micro as books, a.cash_micro as venue from deployments d
     join broker_connections c on c.id = d.broker_connection_id join practice_accounts a on a.account_id = c.account_id
     where d.cash_micro <> a.cash_micro order by 1`,
  );
  const found: string[] = [];
  for (const { id, account, books, venue } of rows) {
    const netted = await listNetHistories(records.database, account);
    const { max } = conversionOf(await listForeignResults(records.database, account, netted));
    if (Math.abs(Number(books) - Number(venue)) > max)
      found.push(`practice ${id} has ${books} in the books and ${venue} at the venue`);
  }
  return found;
}

/** To the cent for shares: other currencies are booked at rates of their time, and are named as the rest. */
export async function unexplainedShadows({ records, practices }: World): Promise<string[]> {
  const found: string[] = [];
  for (const { id, real, person, strategy } of practices) {
    if (real === null || !isOfShares(strategy)) continue;
    const userId = person.user as UserId;
    const facts = await findShadowFacts(records.database, { id, userId });
    if (facts === null) found.push(`practice ${id} goes on beside ${real}, and has no facts`);
    else {
      const { difference, causes } = explainShadow(facts.pair);
      if (Math.abs(causes.rest) > CENT)
        found.push(`of the ${difference} that shadow ${id} differs by nothing explains ${causes.rest}`);
    }
  }
  return found;
}

const CENT = toMicro(0.01);

/** Orders that traded on practice and at the second vendor. */
export async function countMixed({ records }: World): Promise<{ practiced: number; atSecondVendor: number }> {
  const { rows } = await records.pool.query<{ practiced: number; atSecondVendor: number }>(
    `select count(*) filter (where b.slug = 'practice')::int as practiced,
       count(*) filter (where b.slug = 'alpaca')::int as "atSecondVendor"
     from fills f join orders o on o.id = f.order_id join broker_connections c on c.id = o.broker_connection_id
     join brokers b on b.id = c.broker_id`,
  );
  return rows[0]!;
}
