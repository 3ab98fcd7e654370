// The broker's contract ids, found once for all processes and kept over a restart. An id is proven again after a day: a
// symbol may pass to another company overnight.
import { sql } from 'kysely';
import type { Symbol } from '#units/identifiers.ts';
import type { Database } from '../postgres/database.ts';

type BrokerContracts = {
  /** As it was kept; null when there is none, or none proven lately. */
  find(symbol: Symbol): Promise<unknown>;
  keep(symbol: Symbol, contract: object): Promise<void>;
  /** The broker no longer accepts it. */
  drop(symbol: Symbol): Promise<void>;
};

/** `server`: where the broker is reached; another server has other ids. */
export function brokerContracts(database: Database, server: string): BrokerContracts {
  return {
    async find(symbol) {
      const row = await database
        .selectFrom('broker_contracts')
        .select('contract')
        .where('server', '=', server)
        .where('symbol', '=', symbol)
        .where(sql<boolean>`proven_at > clock_timestamp() - interval '1 day'`)
        .executeTakeFirst();
      return row?.contract ?? null;
    },
    async keep(symbol, contract) {
      await sql`
        insert into broker_contracts (server, symbol, contract)
        values (${server}, ${symbol}, ${JSON.stringify(contract)}::jsonb)
        on conflict (server, symbol) do update set contract = excluded.contract, proven_at = clock_timestamp()`.execute(
        database,
      );
    },
    async drop(symbol) {
      await database
        .deleteFrom('broker_contracts')
        .where('server', '=', server)
        .where('symbol', '=', symbol)
        .execute();
    },
  };
}
