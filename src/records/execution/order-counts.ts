// How many orders are on their way, for everybody together.
import { type Kysely, sql } from 'kysely';
import { OPEN } from '#engine/order/order-status.ts';
import type { Tables } from '../tables.ts';

export type OpenStatus = (typeof OPEN)[number];

/** By status, those without an order too. */
export async function countOpenOrders(database: Kysely<Tables>): Promise<ReadonlyMap<OpenStatus, number>> {
  const { rows } = await sql<{ status: OpenStatus; count: number }>`
    select status, count(*)::int from orders where status = any(${[...OPEN]}::text[]) group by status`.execute(
    database,
  );
  return new Map([
    ...OPEN.map((status) => [status, 0] as const),
    ...rows.map(({ status, count }) => [status, count] as const),
  ]);
}
