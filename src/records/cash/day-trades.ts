// What deployments and the owner of an account traded on a day of the American exchanges: they bear the fees of its trades.
import { type Kysely, sql } from 'kysely';
import type { DayTrades } from '#engine/cash/fee-shares.ts';
import type { BrokerAccountId, DeploymentId, Symbol } from '#units/identifiers.ts';
import type { IsoDate } from '#units/instant.ts';
import { parseMicro } from '#units/money.ts';
import { parseQuantity } from '#units/quantity.ts';
import type { Tables } from '../tables.ts';

type Day = {
  /** Empty: of all shares and options. A coin has fees of its own. */
  readonly symbol: Symbol;
  readonly date: IsoDate;
};

const TRADES = (account: BrokerAccountId, { symbol, date }: Day) => sql`
  select f.deployment_id as holder, f.symbol, f.side, f.quantity as units, f.quantity * f.price * i.multiplier as worth
  from fills f join instruments i on i.symbol = f.symbol
  where f.account_id = ${account} and (f.executed_at at time zone 'America/New_York')::date = ${date}::date
    and case ${symbol}::text when '' then i.kind in ('equity', 'options') else f.symbol = ${symbol} end
  union all
  select null, x.symbol, x.side, x.quantity, x.quantity * x.price * i.multiplier
  from suspense_entries x join instruments i on i.symbol = x.symbol
  where x.account_id = ${account} and x.kind = 'external_trade'
    and (x.executed_at at time zone 'America/New_York')::date = ${date}::date
    and case ${symbol}::text when '' then i.kind in ('equity', 'options') else x.symbol = ${symbol} end`;

/** Whether a deployment traded that day. */
export async function hasTraded(trx: Kysely<Tables>, account: BrokerAccountId, day: Day): Promise<boolean> {
  const { rows } = await sql`
    select from (${TRADES(account, day)}) t where t.holder is not null limit 1`.execute(trx);
  return rows.length > 0;
}

/** The owner last. Sellers, or whoever traded where nobody sold. */
export async function listDayTrades(
  trx: Kysely<Tables>,
  account: BrokerAccountId,
  day: Day,
): Promise<readonly DayTrades<DeploymentId | null>[]> {
  const { symbol, date } = day;
  const { rows } = await sql<{
    holder: DeploymentId | null;
    worth: string;
    units: string;
    changed: string;
  }>`
    with trades as (${TRADES(account, day)}),
    bearing as (select * from trades where side = 'sell' or not exists (select from trades where side = 'sell')),
    booked as (
      select s.deployment_id as holder, sum(s.change_micro) as changed from stated_changes s
        join deployments d on d.id = s.deployment_id join broker_connections c on c.id = d.broker_connection_id
      where c.account_id = ${account} and s.kind = 'trading_fee' and s.symbol = ${symbol} and s.date = ${date}::date
      group by s.deployment_id
      union all
      select null, sum(m.amount_micro) from cash_movements m where m.account_id = ${account}
        and starts_with(m.reference, ${`stated:trading_fee:${symbol}:${date}:`}) having count(*) > 0),
    holders as (select holder from bearing union select holder from booked)
    select h.holder,
      coalesce((select round(sum(b.worth) * 1000000) from bearing b where b.holder is not distinct from h.holder), 0)::bigint::text as worth,
      coalesce((select sum(b.units) from bearing b where b.holder is not distinct from h.holder), 0)::text as units,
      coalesce((select sum(k.changed) from booked k where k.holder is not distinct from h.holder), 0)::bigint::text as changed
    from holders h order by h.holder nulls last`.execute(trx);
  return rows.map(({ holder, worth, units, changed }) => ({
    holder,
    worth: parseMicro(worth),
    units: parseQuantity(units),
    changed: parseMicro(changed),
  }));
}
