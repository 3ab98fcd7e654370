// Clients with overdue fee bills that they must pay themselves, as support looks at them.
import { type Kysely, sql } from 'kysely';
import type { UserId } from '#units/identifiers.ts';
import { type Instant, parseInstant } from '#units/instant.ts';
import { type Micro, parseMicro } from '#units/money.ts';
import { isUuid } from '../postgres/is-uuid.ts';
import type { Tables } from '../tables.ts';
import { listUnpaidFees, type UnpaidFee } from './unpaid-fees.ts';

export type UnpaidClient = {
  readonly userId: UserId;
  readonly email: string;
  readonly bills: number;
  readonly owed: Micro;
  /** Null where nothing is overdue. */
  readonly oldest: Pick<UnpaidFee, 'billId' | 'dueAt'> | null;
  /** Deployments of real money that trade, or are about to. */
  readonly running: number;
  /** Trading clock; null where no trader has run. */
  readonly marketAt: Instant | null;
};

/** Undefined where there is no such client. */
export async function findUnpaidClient(
  database: Kysely<Tables>,
  userId: string,
): Promise<UnpaidClient | undefined> {
  if (!isUuid<UserId>(userId)) return undefined;
  const known = await database
    .selectFrom('users')
    .select('email')
    .where('id', '=', userId)
    .executeTakeFirst();
  if (known === undefined) return undefined;
  const found = (await listUnpaidClients(database)).find((client) => client.userId === userId);
  return (
    found ?? {
      userId,
      email: known.email,
      bills: 0,
      owed: 0 as Micro,
      oldest: null,
      running: 0,
      marketAt: await readMarketAt(database),
    }
  );
}

/** The longest overdue first. */
export async function listUnpaidClients(database: Kysely<Tables>): Promise<readonly UnpaidClient[]> {
  const marketAt = await readMarketAt(database);
  if (marketAt === null) return [];
  const fees = await listUnpaidFees(database, { now: marketAt, paysAutomatically: false, limit: LISTED_MAX });
  const byClient = Map.groupBy(fees, ({ userId }) => userId);
  const { rows } = await sql<{ id: UserId; running: number }>`
    select user_id as id, count(*)::int as running from live_deployments
    where mode = 'real' and user_id = any(${[...byClient.keys()]}::uuid[])
      and (status in ('pending', 'active') or requested_status = 'active') and requested_status is distinct from 'paused'
    group by user_id`.execute(database);
  const running = new Map(rows.map((row) => [row.id, row.running]));
  return [...byClient].map(([userId, bills]) => ({
    userId,
    email: bills[0]!.email,
    bills: bills.length,
    owed: parseMicro(String(bills.reduce((sum, { owed }) => sum + owed, 0))),
    oldest: bills[0]!,
    running: running.get(userId) ?? 0,
    marketAt,
  }));
}

async function readMarketAt(database: Kysely<Tables>): Promise<Instant | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select market_at as at from heartbeats where process = 'trader'`.execute(database);
  const at = rows[0]?.at ?? null;
  return at && parseInstant(at);
}

const LISTED_MAX = 10_000;
