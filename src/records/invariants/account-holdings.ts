// What our books say of one brokerage account: only instruments that a deployment has traded there, or that were
// corrected for one.
import { sql } from 'kysely';
import type { CalendarId } from '#engine/market/instrument.ts';
import type { Symbol } from '#units/identifiers.ts';
import { type Instant, type IsoDate, parseInstant } from '#units/instant.ts';
import { parseQuantity, type Quantity } from '#units/quantity.ts';
import type { Database } from '../postgres/database.ts';

type ExternallyTraded = {
  readonly at: Instant;
  readonly traded: Quantity;
  /** In the quote currency, each; zero where nobody knows it. */
  readonly price: number;
  /** Sold by a deployment before its broker took the purchase back. */
  readonly isShortfall: boolean;
  /** The other side of what a deployment gave up because it was traded by hand. */
  readonly isReleased: boolean;
};

export type AccountHolding = {
  readonly symbol: Symbol;
  readonly calendar: CalendarId;
  /** Of all deployments together, signed. */
  readonly ours: Quantity;
  /** Of those that are long, and of those that are short; neither is negative. */
  readonly long: Quantity;
  readonly short: Quantity;
  /** Bought and sold there by others than us, signed, in units of then. */
  readonly external: readonly ExternallyTraded[];
  /** The last session whose end has been dealt with for all who trade the account. */
  readonly passed: IsoDate | null;
};

export async function listHoldingsOfAccount(database: Database, account: string): Promise<AccountHolding[]> {
  const { rows } = await sql<HoldingRow>`
    with traded as (
      select symbol from fills where account_id = ${account}
      union
      select symbol from adjustments where account_id = ${account} and status = 'applied' and deployment_id is not null)
    select t.symbol, i.calendar, h.ours::text, h.long::text, h.short::text,
      coalesce((select json_agg(json_build_object('at', x.executed_at,
          'traded', (case x.side when 'buy' then x.quantity else -x.quantity end)::text, 'price', x.price::float8,
          'isShortfall', x.kind = 'shortfall',
          'isReleased', x.kind = 'released')) from suspense_entries x
        where x.account_id = ${account} and x.symbol = t.symbol), '[]'::json) as external,
      (select min(n.date)::text from processed_sessions n where n.calendar = i.calendar and n.shard in
        (select shard_of(c.id) from broker_connections c where c.account_id = ${account})) as passed
    from traded t join instruments i on i.symbol = t.symbol
    cross join lateral (
      select coalesce(sum(p.quantity), 0) as ours, coalesce(sum(p.quantity) filter (where p.quantity > 0), 0) as long,
        coalesce(-sum(p.quantity) filter (where p.quantity < 0), 0) as short
      from positions p join deployments d on d.id = p.deployment_id
        join broker_connections c on c.id = d.broker_connection_id
      where c.account_id = ${account} and p.symbol = t.symbol) h
    order by t.symbol`.execute(database);
  return rows.map(({ ours, long, short, external, ...row }) => ({
    ...row,
    ours: parseQuantity(ours),
    long: parseQuantity(long),
    short: parseQuantity(short),
    external: external.map((one) => ({
      ...one,
      at: parseInstant(one.at),
      traded: parseQuantity(one.traded),
    })),
  }));
}

type HoldingRow = Pick<AccountHolding, 'symbol' | 'calendar' | 'passed'> & {
  ours: string;
  long: string;
  short: string;
  external: (Omit<ExternallyTraded, 'at' | 'traded'> & { at: string; traded: string })[];
};
