// What is known to have happened to the margin instruments of an account, over all its deployments and its owner's own trades.
import { type Kysely, sql } from 'kysely';
import type { NetHistory, NetTrade } from '#engine/cash/net-position.ts';
import type { BrokerAccountId, Symbol } from '#units/identifiers.ts';
import { parseInstant } from '#units/instant.ts';
import { parseMicro } from '#units/money.ts';
import { parseQuantity } from '#units/quantity.ts';
import { listInstruments } from '../market/instruments.ts';
import type { Tables } from '../tables.ts';

type TradeRow = { readonly traded: string; readonly price: number; readonly at: Date };
type HistoryRow = {
  readonly symbol: Symbol;
  readonly booked: string;
  readonly isOpen: boolean;
  readonly unsureSince: Date | null;
};

/** Since the opening. Trades of one moment are in the order in which they were booked: one of them made the next possible. */
export async function listNetHistories(
  database: Kysely<Tables>,
  account: BrokerAccountId,
): Promise<readonly NetHistory[]> {
  const { rows } = await sql<HistoryRow>`
    with own as (
      select d.id from deployments d join broker_connections c on c.id = d.broker_connection_id
      where c.account_id = ${account}),
    booked as (
      select symbol, realized_micro from fills where deployment_id in (select id from own)
      union all
      select symbol, realized_micro from position_events
      where kind = 'expiry' and deployment_id in (select id from own)),
    unsure as (
      select symbol, executed_at as at from suspense_entries
      where account_id = ${account} and kind <> 'external_trade'
      union all
      select symbol, at from position_events where kind = 'adjustment' and deployment_id in (select id from own)),
    traded as (
      select symbol from booked union select symbol from unsure
      union select symbol from suspense_entries where account_id = ${account})
    select t.symbol, (select coalesce(sum(b.realized_micro), 0)::text from booked b where b.symbol = t.symbol) as booked,
      exists (select from positions p where p.symbol = t.symbol and p.deployment_id in (select id from own)) as "isOpen",
      (select max(u.at) from unsure u where u.symbol = t.symbol) as "unsureSince"
    from traded t join instruments i on i.symbol = t.symbol and i.settlement = 'margin'
    order by t.symbol`.execute(database);
  if (rows.length === 0) return [];
  const instruments = new Map((await listInstruments(database)).map((one) => [one.symbol, one]));
  return Promise.all(
    rows.map(async ({ symbol, booked, isOpen, unsureSince }) => ({
      instrument: instruments.get(symbol)!,
      trades: await listNetTrades(database, account, symbol),
      booked: parseMicro(booked),
      isOpen,
      unsureSince: unsureSince && parseInstant(unsureSince),
    })),
  );
}

async function listNetTrades(
  database: Kysely<Tables>,
  account: BrokerAccountId,
  symbol: Symbol,
): Promise<readonly NetTrade[]> {
  const { rows } = await sql<TradeRow>`
    with own as (
      select d.id from deployments d join broker_connections c on c.id = d.broker_connection_id
      where c.account_id = ${account}),
    trades as (
      select case side when 'buy' then quantity else -quantity end as traded, price, executed_at as at, booked_at,
        execution_id as id
      from fills where symbol = ${symbol} and deployment_id in (select id from own)
      union all
      select case side when 'buy' then quantity else -quantity end, price, executed_at, null, execution_id
      from suspense_entries where account_id = ${account} and symbol = ${symbol}
      union all
      select -entitled, (event ->> 'price')::numeric, at, null, deployment_id::text from position_events
      where kind = 'expiry' and symbol = ${symbol} and deployment_id in (select id from own) and entitled <> 0)
    select traded::text, price::float8 as price, at from trades order by at, booked_at nulls last, id`.execute(
    database,
  );
  return rows.map(({ traded, price, at }) => ({
    traded: parseQuantity(traded),
    price,
    at: parseInstant(at),
  }));
}
