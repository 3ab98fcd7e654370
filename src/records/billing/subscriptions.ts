// Each person's plan, and how much of it is in use. A writer of either holds the lock of the person's row.
import { type Kysely, sql, type Transaction } from 'kysely';
import type { PlanId, PlanInterval, PlanUse } from '#rules/billing/plans.ts';
import type { UserId } from '#units/identifiers.ts';
import { type Instant, isoText, parseInstant } from '#units/instant.ts';
import { type Micro, parseMicro } from '#units/money.ts';
import type { Tables } from '../tables.ts';

export type Subscription = {
  readonly userId: UserId;
  readonly plan: PlanId;
  readonly interval: PlanInterval;
  /** Start from which billing periods are counted. */
  readonly chosenAt: Instant;
  /** Null on the free plan. */
  readonly period: { readonly start: Instant; readonly end: Instant; readonly price: Micro } | null;
  readonly credit: Micro;
  readonly cancelledAt: Instant | null;
  /** Why the last renewal was refused. */
  readonly renewalFailure: string | null;
};

/**
 * Serialises everything that a plan's caps depend on for one person until the transaction ends: choosing a plan,
 * deploying, resuming. Rows that refer to the person can still be written.
 */
export async function lockPerson(trx: Transaction<Tables>, userId: UserId): Promise<void> {
  await sql`select from users where id = ${userId} for no key update`.execute(trx);
}

export async function findSubscription(
  database: Kysely<Tables>,
  userId: UserId,
): Promise<Subscription | undefined> {
  const row = await database
    .selectFrom('subscriptions')
    .selectAll()
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return (
    row && {
      userId,
      plan: row.plan,
      interval: row.billing_interval,
      chosenAt: parseInstant(row.chosen_at),
      period:
        row.period_start && row.period_end
          ? {
              start: parseInstant(row.period_start),
              end: parseInstant(row.period_end),
              price: parseMicro(row.period_price_micro),
            }
          : null,
      credit: parseMicro(row.credit_micro),
      cancelledAt: (row.cancelled_at?.getTime() ?? null) as Instant | null,
      renewalFailure: row.renewal_failure,
    }
  );
}

export async function saveSubscription(trx: Transaction<Tables>, subscription: Subscription): Promise<void> {
  const { period, cancelledAt } = subscription;
  const columns = {
    plan: subscription.plan,
    billing_interval: subscription.interval,
    chosen_at: isoText(subscription.chosenAt),
    period_start: period && isoText(period.start),
    period_end: period && isoText(period.end),
    period_price_micro: period?.price ?? 0,
    credit_micro: subscription.credit,
    cancelled_at: cancelledAt === null ? null : isoText(cancelledAt),
    renewal_failure: subscription.renewalFailure,
  };
  await trx
    .insertInto('subscriptions')
    .values({ user_id: subscription.userId, ...columns })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(columns))
    .execute();
}

/** Subscriptions whose period has ended, earliest end first. */
export async function listDuePersons(
  database: Kysely<Tables>,
  now: Instant,
  limit: number,
): Promise<readonly UserId[]> {
  const rows = await database
    .selectFrom('subscriptions')
    .select('user_id')
    .where('period_end', '<=', new Date(now))
    .orderBy('period_end')
    .limit(limit)
    .execute();
  return rows.map(({ user_id }) => user_id);
}

/** Usage that counts towards the caps of a plan, excluding the deployment `except`. */
export async function readPlanUse(
  database: Kysely<Tables>,
  userId: UserId,
  except: string | null = null,
): Promise<PlanUse> {
  const { rows } = await sql<{ active: number; invested: string }>`
    select count(*) filter (where status in ('pending', 'active') or requested_status = 'active')::int as active,
      coalesce(sum(greatest(0, investment_micro) + coalesce((
        select sum(f.requested_micro) from deployment_flows f
        where f.deployment_id = d.id and f.status = 'pending' and f.kind = 'deposit'), 0)), 0)::text as invested
    from live_deployments d
    where user_id = ${userId} and mode = 'real'
      and id is distinct from ${except}::uuid`.execute(database);
  const { active, invested } = rows[0]!;
  return { activeDeployments: active, totalInvestment: parseMicro(invested) };
}
