// What a broker has charged for trades in coins, the trades that bear it, and what of it is booked.
import { type Kysely, sql } from 'kysely';
import type { CashActivity } from '#engine/cash/cash-activity.ts';
import type { CoinTrade } from '#engine/cash/coin-fees.ts';
import { type Billionths, parseBillionths } from '#units/billionths.ts';
import type { BrokerAccountId, DeploymentId, ExecutionId, Symbol } from '#units/identifiers.ts';
import type { IsoDate } from '#units/instant.ts';
import { type Micro, parseMicro } from '#units/money.ts';
import { parseQuantity, type Quantity } from '#units/quantity.ts';
import type { Tables } from '../tables.ts';

/** Of one coin, on one day in New York. */
type Day = { readonly symbol: Symbol; readonly date: IsoDate };

export type BookedCoinTrade = CoinTrade & {
  readonly executionId: ExecutionId;
  readonly accountId: BrokerAccountId;
  /** Null is the owner. */
  readonly deploymentId: DeploymentId | null;
  /** Null for a trade of the owner of which no figure is known. */
  readonly commission: Micro | null;
  readonly isProvisional: boolean;
  readonly revision: number;
  /** The coins that its books have given up for the fee, and in how many parts. */
  readonly coins: Quantity;
  readonly parts: number;
};

/** The days on which anybody traded the coin in the account, oldest first. */
export async function listCoinTradeDays(
  trx: Kysely<Tables>,
  account: BrokerAccountId,
  symbol: Symbol,
): Promise<readonly IsoDate[]> {
  const { rows } = await sql<{ date: IsoDate }>`
    select (t.at at time zone 'America/New_York')::date::text as date from (
      select executed_at as at from fills where account_id = ${account} and symbol = ${symbol}
      union all
      select executed_at from suspense_entries
      where account_id = ${account} and symbol = ${symbol} and kind = 'external_trade') t
    group by 1 order by 1`.execute(trx);
  return rows.map(({ date }) => date);
}

/** What an adjustment has undone bears nothing any more. In the order of the trades. */
export async function listCoinTrades(
  trx: Kysely<Tables>,
  account: BrokerAccountId,
  { symbol, date }: Day,
): Promise<readonly BookedCoinTrade[]> {
  const { rows } = await sql<TradeRow>`
    select * from (
      select f.execution_id as "executionId", f.account_id as "accountId", f.deployment_id as "deploymentId", f.side,
        f.quantity::text, f.price::float8 as price, f.commission_micro::text as commission,
        f.is_provisional as "isProvisional", f.commission_revision as revision,
        (coalesce(sum((h.event ->> 'units')::numeric), 0) / 100000000)::text as coins, count(h.id)::int as parts,
        f.executed_at as at
      from fills f left join position_events h
        on h.kind = 'coin_fee' and h.event ->> 'fill' = f.account_id || ':' || f.execution_id
      where f.account_id = ${account} and f.symbol = ${symbol}
        and (f.executed_at at time zone 'America/New_York')::date = ${date}::date
        and not exists (select from adjustments k where k.account_id = f.account_id
          and k.undoes_execution = f.execution_id and k.status in ('open', 'approved', 'applied'))
      group by f.account_id, f.execution_id
      union all
      select x.execution_id, x.account_id, null, x.side, x.quantity::text, x.price::float8, x.commission_micro::text,
        false, 0, '0', 0, x.executed_at
      from suspense_entries x where x.account_id = ${account} and x.symbol = ${symbol} and x.kind = 'external_trade'
        and (x.executed_at at time zone 'America/New_York')::date = ${date}::date) t
    order by at, "executionId"`.execute(trx);
  return rows.map(({ at: _at, ...row }) => ({
    ...row,
    quantity: parseQuantity(row.quantity),
    coins: parseQuantity(row.coins),
    commission: row.commission === null ? null : parseMicro(row.commission),
  }));
}

/** What the broker took of the coin for the days before. */
export async function sumCoinFeesBefore(
  trx: Kysely<Tables>,
  account: BrokerAccountId,
  { symbol, date }: Day,
): Promise<Billionths> {
  const { rows } = await sql<{ coins: string }>`
    select coalesce(sum(units), 0)::text as coins from cash_activities
    where account_id = ${account} and symbol = ${symbol} and kind = 'coin_fee' and verdict = 'event'
      and session_date < ${date}::date`.execute(trx);
  return parseBillionths(rows[0]?.coins ?? '0');
}

/** The owner's coins that are booked as fees of that day, and in how many parts. */
export async function ownerCoinFees(
  trx: Kysely<Tables>,
  account: BrokerAccountId,
  { symbol, date }: Day,
): Promise<{ readonly coins: Quantity; readonly parts: number }> {
  const { rows } = await sql<{ coins: string; parts: number }>`
    select coalesce(sum(case side when 'sell' then quantity else -quantity end), 0)::text as coins,
      count(*)::int as parts
    from suspense_entries where account_id = ${account} and kind = 'coin_fee'
      and starts_with(execution_id, ${coinFeeId({ symbol, date })})`.execute(trx);
  const [{ coins, parts }] = rows as [(typeof rows)[number]];
  return { coins: parseQuantity(coins), parts };
}

/** The common prefix of the owner's entries of a day. */
export function coinFeeId({ symbol, date }: Day): string {
  return `coin_fee:${symbol}:${date}:`;
}

/** Since when coins of an account are expected to be taken as fees that its broker has not listed. */
export async function coinFeesDueSince(
  database: Kysely<Tables>,
  account: BrokerAccountId,
): Promise<Date | null> {
  const { rows } = await sql<{ since: Date | null }>`
    select min(f.executed_at) as since from fills f
    where f.account_id = ${account} and f.is_provisional and exists (select from position_events h
      where h.kind = 'coin_fee' and h.event ->> 'fill' = f.account_id || ':' || f.execution_id)`.execute(
    database,
  );
  return rows[0]?.since ?? null;
}

type TradeRow = Omit<BookedCoinTrade, 'quantity' | 'commission' | 'coins'> & {
  readonly quantity: string;
  readonly commission: string | null;
  readonly coins: string;
  readonly at: Date;
};

/** In the table of activities, coins are in the column of units. */
export function coinsOf({ kind }: Pick<CashActivity, 'kind'>, units: string | null): Billionths | null {
  return kind === 'coin_fee' && units !== null ? parseBillionths(units) : null;
}
