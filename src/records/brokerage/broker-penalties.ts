import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';

type BrokerPenalty = {
  /** Where the broker is reached. */
  readonly server: string;
  readonly until: Date;
};

/** The blocks that brokers have imposed on our address and that have not ended. */
export async function listPenalties(database: Kysely<Tables>): Promise<readonly BrokerPenalty[]> {
  const { rows } = await sql<BrokerPenalty>`
    select server, until from broker_penalties where until > clock_timestamp() order by server`.execute(
    database,
  );
  return rows;
}
