// Deployments whose stored figures are not what their executions make of them: for the desk's list, and for a decision.
import { createHash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { BookDifference } from '#engine/portfolio/book-differences.ts';
import type { Portfolio } from '#engine/portfolio/portfolio.ts';
import type { DeploymentId } from '#units/identifiers.ts';
import { loadTradingDeployments } from '../deployments/trading-deployments.ts';
import { listInstruments } from '../market/instruments.ts';
import { replayBooks } from './replay-books.ts';
import type { Tables } from '../tables.ts';

export type DifferingBooks = {
  readonly accountId: string;
  readonly subject: DeploymentId;
  /** Of the differences, each with both figures. */
  readonly seen: string;
  readonly brokerName: string;
  readonly client: string;
  readonly strategyName: string;
  readonly differences: readonly BookDifference[];
  /** What everything that was booked makes of the investment. */
  readonly replayed: Portfolio;
};

/** Those that the last check found, as they are now; the longest ones first. */
export async function listDifferingBooks(
  database: Kysely<Tables>,
  max: number,
): Promise<readonly DifferingBooks[]> {
  return readDiffering(database, sql`true`, max);
}

/** Undefined once they agree, or while a booking itself is wrong. */
export async function findDifferingBooks(
  trx: Kysely<Tables>,
  id: string,
): Promise<DifferingBooks | undefined> {
  return (await readDiffering(trx, sql`d.id::text = ${id}`, 1))[0];
}

async function readDiffering(
  database: Kysely<Tables>,
  which: ReturnType<typeof sql>,
  max: number,
): Promise<DifferingBooks[]> {
  const { rows } = await sql<Omit<DifferingBooks, 'seen' | 'differences' | 'replayed'>>`
    select coalesce(c.account_id, c.id::text) as "accountId", d.id as subject, b.name as "brokerName",
      u.email as client, s.name as "strategyName"
    from incidents i join deployments d on d.id = i.deployment_id
    join broker_connections c on c.id = d.broker_connection_id join brokers b on b.id = c.broker_id
    join users u on u.id = d.user_id join strategies s on s.id = d.strategy_id
    where i.kind = 'books_differ' and i.ended_at is null and ${which}
    order by i.since, d.id limit ${max}`.execute(database);
  if (rows.length === 0) return [];
  const instruments = new Map((await listInstruments(database)).map((one) => [one.symbol, one]));
  const records = await loadTradingDeployments(
    database,
    rows.map(({ subject }) => subject),
    'unlocked',
  );
  const differing: DifferingBooks[] = [];
  for (const row of rows) {
    const record = records.find(({ id }) => id === row.subject)!;
    const { portfolio: replayed, differences, misbooked } = await replayBooks(database, record, instruments);
    if (differences.length > 0 && misbooked.length === 0)
      differing.push({ ...row, differences, replayed, seen: hashOf(differences) });
  }
  return differing;
}

const hashOf = (differences: readonly BookDifference[]) =>
  createHash('sha256').update(JSON.stringify(differences)).digest('hex').slice(0, 32);
