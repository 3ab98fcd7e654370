// Breaks: a brokerage account holds something else than our books say. No order is ever sent to close one; a person decides.
import { type Kysely, sql } from 'kysely';
import { breakKey } from '#engine/execution/reconciliation/break-updates.ts';
import {
  type BreakKind,
  breakSlot,
  type PositionBreak,
} from '#engine/execution/reconciliation/reconcile-positions.ts';
import type { BrokerAccountId } from '#units/identifiers.ts';
import { isoText, parseInstant } from '#units/instant.ts';
import { parseQuantity, quantityText } from '#units/quantity.ts';
import type { Tables } from '../tables.ts';

/** The keys of the open breaks of an account, by slot. */
export async function readBreaks(
  database: Kysely<Tables>,
  account: BrokerAccountId,
): Promise<Map<string, string>> {
  const { rows } = await sql<BreakRow>`
    select ${BREAK} from reconciliation_breaks f where account_id = ${account} and ended_at is null`.execute(
    database,
  );
  return new Map(rows.map(breakOf).map((one) => [breakSlot(one), breakKey(one)]));
}

/** The stored break; null when it has ended. */
export async function findOpenBreak(database: Kysely<Tables>, id: string): Promise<PositionBreak | null> {
  const { rows } = await sql<BreakRow>`
    select ${BREAK} from reconciliation_breaks f where id = ${id} and ended_at is null`.execute(database);
  return rows[0] === undefined ? null : breakOf(rows[0]);
}

/** Opens the `lasting` breaks and ends the `cleared` ones. All others stay unchanged. */
export async function saveBreaks(
  trx: Kysely<Tables>,
  account: BrokerAccountId,
  { lasting, cleared }: { readonly lasting: readonly PositionBreak[]; readonly cleared: readonly string[] },
): Promise<void> {
  if (cleared.length > 0) {
    await sql`
      update reconciliation_breaks set ended_at = clock_timestamp()
      where account_id = ${account} and ended_at is null
        and kind || ' ' || symbol = any(${[...cleared]}::text[])`.execute(trx);
  }
  for (const { kind, symbol, ours, external, theirs, units, price, tradedAt } of lasting) {
    await sql`
      insert into reconciliation_breaks as d (account_id, kind, symbol, ours, external, theirs, units, price, traded_at)
      values (${account}, ${kind}, ${symbol}, ${quantityText(ours)}, ${quantityText(external)}, ${quantityText(theirs)},
        ${kind === 'unexplained' ? null : quantityText(units)}, ${price}, ${tradedAt === null ? null : isoText(tradedAt)})
      on conflict (account_id, symbol, kind) where ended_at is null do update
        set ours = excluded.ours, external = excluded.external, theirs = excluded.theirs, units = excluded.units,
          price = excluded.price, traded_at = excluded.traded_at
        where (d.ours, d.external, d.theirs, d.units, d.price, d.traded_at) is distinct from
          (excluded.ours, excluded.external, excluded.theirs, excluded.units, excluded.price, excluded.traded_at)`.execute(
      trx,
    );
  }
}

export type OpenBreak = PositionBreak & {
  readonly id: string;
  readonly accountId: BrokerAccountId;
  readonly brokerName: string;
  readonly clients: readonly string[];
  readonly since: Date;
  /** Unsent exits of this instrument. */
  readonly exitsWaiting: number;
  /** Whether a deployment still trades the account: the trader reads no other account. */
  readonly isWatched: boolean;
};

/**
 * Breaks of these kinds; those that block exits first, then the longest open. An account that no deployment trades any
 * more has no externally traded units. Of one client, where an e-mail is named.
 */
export async function listOpenBreaks(
  database: Kysely<Tables>,
  kinds: readonly BreakKind[],
  max: number,
  client: string | null = null,
): Promise<readonly OpenBreak[]> {
  const { rows } = await sql<BreakRow & OpenRow>`
    select ${BREAK}, f.id, f.account_id as "accountId", f.since,
      (select min(b.name) from broker_connections c join brokers b on b.id = c.broker_id
        where c.account_id = f.account_id) as "brokerName",
      array(select distinct u.email from broker_connections c join users u on u.id = c.user_id
        where c.account_id = f.account_id and exists (select from deployments d
          where d.broker_connection_id = c.id) order by u.email) as clients,
      (select count(*)::int from broker_connections c join orders o on o.broker_connection_id = c.id
        where c.account_id = f.account_id and o.symbol = f.symbol and o.status = 'intended'
          and o.purpose not in ('rebalance', 'protective')) as "exitsWaiting", w.is_watched as "isWatched"
    from reconciliation_breaks f cross join lateral (
      select exists (select from broker_connections c join live_deployments d on d.broker_connection_id = c.id
        where c.account_id = f.account_id and c.status = 'active') as is_watched) w
    where f.ended_at is null and f.kind = any(${[...kinds]}::text[]) and (w.is_watched or f.kind <> 'external_trade')
      and (${client}::text is null or exists (select from broker_connections c join users u on u.id = c.user_id
        where c.account_id = f.account_id and u.email = ${client}))
    order by f.kind = 'external_trade' desc,
      f.kind = 'unexplained' and ((f.ours > 0 and f.theirs < f.ours) or (f.ours < 0 and f.theirs > f.ours)) desc,
      f.since, f.id limit ${max}`.execute(database);
  return rows.map((row) => ({
    ...breakOf(row),
    id: row.id,
    accountId: row.accountId,
    brokerName: row.brokerName ?? '',
    clients: row.clients,
    since: row.since,
    exitsWaiting: row.exitsWaiting,
    isWatched: row.isWatched,
  }));
}

type OpenRow = Omit<OpenBreak, keyof PositionBreak | 'brokerName'> & { brokerName: string | null };

/** Columns of a row `f`. */
export const BREAK = sql`f.kind, f.symbol, f.ours::text, f.external::text, f.theirs::text,
  coalesce(f.units, f.theirs - f.ours - f.external)::text as units, f.price::float8, f.traded_at`;

export type BreakRow = Pick<PositionBreak, 'kind' | 'symbol' | 'price'> & {
  readonly traded_at: Date | null;
  readonly ours: string;
  readonly external: string;
  readonly theirs: string;
  readonly units: string;
};

export function breakOf(row: BreakRow): PositionBreak {
  const { kind, symbol, price, traded_at: tradedAt } = row;
  return {
    kind,
    symbol,
    ours: parseQuantity(row.ours),
    external: parseQuantity(row.external),
    theirs: parseQuantity(row.theirs),
    units: parseQuantity(row.units),
    price,
    tradedAt: tradedAt && parseInstant(tradedAt),
  };
}
