// Dividends of an account's owner, as they are estimated and booked as movements of the account.
import { type Kysely, sql } from 'kysely';
import type { OwnerDividend, OwnerHolding } from '#engine/cash/owner-dividends.ts';
import type { BrokerAccountId, Symbol } from '#units/identifiers.ts';
import { type Instant, type IsoDate, isoText, parseInstant } from '#units/instant.ts';
import { parseMicro } from '#units/money.ts';
import { parseQuantity } from '#units/quantity.ts';
import type { Tables } from '../tables.ts';

/** What counts next to the deployments, in instruments of the catalogue. */
export async function listOwnerHoldings(
  database: Kysely<Tables>,
  account: BrokerAccountId,
): Promise<readonly (OwnerHolding & { readonly paysDividends: boolean })[]> {
  const { rows } = await sql<HoldingRow>`
    select i.symbol, i.calendar,
      json_agg(json_build_object('at', x.executed_at,
        'traded', (case x.side when 'buy' then x.quantity else -x.quantity end)::text)) as external,
      (select min(n.date)::text from processed_sessions n where n.calendar = i.calendar and n.shard in
        (select shard_of(c.id) from broker_connections c where c.account_id = ${account})) as passed,
      exists (select from corporate_actions a where a.symbol = i.symbol and a.kind = 'dividend') as "paysDividends"
    from suspense_entries x join instruments i on i.symbol = x.symbol
    where x.account_id = ${account}
    group by i.symbol, i.calendar order by i.symbol`.execute(database);
  return rows.map(({ external, ...row }) => ({
    ...row,
    external: external.map(({ at, traded }) => ({ at: parseInstant(at), traded: parseQuantity(traded) })),
  }));
}

export async function listBookedOwnerDividends(
  database: Kysely<Tables>,
  account: BrokerAccountId,
): Promise<readonly Omit<OwnerDividend, 'units'>[]> {
  const { rows } = await sql<{ symbol: Symbol; date: IsoDate; amount: string }>`
    select split_part(reference, ':', 3) as symbol, split_part(reference, ':', 4) as date, amount_micro::text as amount
    from cash_movements where account_id = ${account} and reference like 'estimate:dividend:%'`.execute(
    database,
  );
  return rows.map(({ symbol, date, amount }) => ({ symbol, sessionDate: date, amount: parseMicro(amount) }));
}

/** The caller holds the lock of the account's cash: two looks would count the same. */
export async function insertOwnerDividend(
  trx: Kysely<Tables>,
  account: BrokerAccountId,
  { symbol, sessionDate, amount, at }: Omit<OwnerDividend, 'units'> & { readonly at: Instant },
): Promise<void> {
  const prefix = `estimate:dividend:${symbol}:${sessionDate}:`;
  await sql`
    insert into cash_movements (account_id, reference, line, amount_micro, at)
    select ${account}, ${prefix}::text || (count(*) + 1), 'dividends', ${String(amount)}::bigint, ${isoText(at)}
    from cash_movements where account_id = ${account} and starts_with(reference, ${prefix})`.execute(trx);
}

type HoldingRow = Pick<OwnerHolding, 'symbol' | 'calendar' | 'passed'> & {
  readonly paysDividends: boolean;
  readonly external: readonly { readonly at: string; readonly traded: string }[];
};
