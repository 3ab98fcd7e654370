// What has moved the cash of a brokerage account, as our records have it.
import { type Kysely, sql } from 'kysely';
import type { ForeignResult } from '#engine/cash/conversion.ts';
import { type CashItem, type CashLine, type CashLines, sumLines } from '#engine/cash/cash-statement.ts';
import { type NetHistory, netPosition, nettingOf } from '#engine/cash/net-position.ts';
import type { BrokerAccountId } from '#units/identifiers.ts';
import { type Instant, isoText, parseInstant } from '#units/instant.ts';
import { parseMicro } from '#units/money.ts';
import type { Tables } from '../tables.ts';

/** Since the opening. A trade of the owner in an instrument that the catalogue does not have is not among them. */
export async function sumMovedCash(
  database: Kysely<Tables>,
  account: BrokerAccountId,
  netted: readonly NetHistory[],
): Promise<CashLines> {
  const { rows } = await sql<{ line: CashLine; amount: string }>`
    with ours as (
      select t.kind, split_part(t.cause, ':', 1) as cause, e.ledger_account, e.amount_micro
      from broker_connections c join deployments d on d.broker_connection_id = c.id
      join ledger_transactions t on t.deployment_id = d.id and t.kind not in ('opening', 'closing', 'fee', 'flow')
      join ledger_entries e on e.transaction_id = t.id and e.ledger_account in ('cash', 'commission')
      where c.account_id = ${account})
    select 'trades' as line, coalesce(sum(amount_micro), 0)::text as amount from ours where kind = 'fill'
    union all
    select 'commissions', coalesce(-sum(amount_micro), 0)::text from ours
      where kind in ('fill', 'commission') and ledger_account = 'commission'
    union all
    select case when cause in ('dividend', 'dividend_figure') then 'dividends'
        when cause in ('swap', 'swap_figure') then 'swaps' when cause = 'trading_fee_figure' then 'fees' when cause = 'coin_fee' then 'commissions' when cause = 'adjustment' then 'adjustments' else 'deliveries' end, sum(amount_micro)::text
      from ours where kind in ('position_event', 'adjustment') and ledger_account = 'cash' group by 1
    union all
    select 'external_trades', coalesce(sum(
        case when i.settlement = 'cash' and i.currency = 'USD' and x.kind in ('external_trade', 'released', 'reversed', 'shortfall')
          then round(x.quantity * x.price * i.multiplier * 1000000) * case x.side when 'buy' then -1 else 1 end
          else 0 end - coalesce(x.commission_micro, 0)), 0)::bigint::text
      from suspense_entries x left join instruments i on i.symbol = x.symbol where x.account_id = ${account}
    union all
    -- At a broker a deposit or withdrawal of a deployment moves nothing; a practice account has the money of its deployment.
    select 'transfers', coalesce(sum(e.amount_micro), 0)::text from broker_connections c
      join deployments d on d.broker_connection_id = c.id join account_openings o on o.account_id = c.account_id
      join ledger_transactions t on t.deployment_id = d.id and t.kind = 'flow' and t.booked_at > o.recorded_at
      join ledger_entries e on e.transaction_id = t.id and e.ledger_account = 'cash'
      where c.account_id = ${account} and c.mode = 'practice'
    union all
    select line, sum(amount_micro)::text from cash_movements where account_id = ${account} group by line`.execute(
    database,
  );
  const items = rows.map(({ line, amount }): CashItem => ({ line, amount: parseMicro(amount) }));
  return sumLines([...items, { line: 'netting', amount: nettingOf(netted) }]);
}

/** When the latest of the things that may still move or explain cash began; null without any. Trading clock. */
export async function findPendingSince(
  database: Kysely<Tables>,
  account: BrokerAccountId,
): Promise<Instant | null> {
  const { rows } = await sql<{ pending: Date | null }>`
    with connections as (select id from broker_connections where account_id = ${account}),
    own as (select d.id from deployments d join connections c on c.id = d.broker_connection_id)
    select greatest(
        (select max(coalesce(o.sent_at, o.decided_at)) from orders_at_broker o
          join connections c on c.id = o.broker_connection_id
          where not (o.purpose = 'protective' and o.status = 'working' and o.filled_quantity = 0)),
        (select max(f.executed_at) from fills f where f.is_provisional and f.deployment_id in (select id from own)),
        (select max(to_timestamp((x.report ->> 'at')::float8 / 1000)) from broker_inbox x
          where x.account_id = ${account} and x.closed_at is null),
        (select max(x.executed_at) from suspense_entries x
          where x.account_id = ${account} and x.kind = 'external_trade' and x.commission_micro is null)) as pending`.execute(
    database,
  );
  const [found] = rows;
  return found?.pending ? parseInstant(found.pending) : null;
}

/**
 * Results in pairs that give the rate themselves, and what the pair has traded at since: of trades as the broker nets them,
 * where that is certain.
 */
export async function listForeignResults(
  database: Kysely<Tables>,
  account: BrokerAccountId,
  netted: readonly NetHistory[],
): Promise<readonly ForeignResult[]> {
  const sure = netted.filter(({ unsureSince }) => unsureSince === null);
  const results = sure.flatMap((history) =>
    netPosition(history).results.map(({ amount, rate, at }) => ({
      symbol: history.instrument.symbol,
      amount: String(amount),
      rate,
      at: isoText(at),
    })),
  );
  const { rows } = await sql<Omit<ForeignResult, 'amount' | 'at'> & { amount: string; at: Date }>`
    with own as (
      select d.id from deployments d join broker_connections c on c.id = d.broker_connection_id
      where c.account_id = ${account}),
    pairs as (select symbol, source from instruments where currency <> 'USD' and unit_currency = 'USD'),
    results as (
      select symbol, amount, rate, at
      from jsonb_to_recordset(${JSON.stringify(results)}::jsonb) as n (symbol text, amount bigint, rate float8, at timestamptz)
      union all
      select symbol, realized_micro, price::float8, executed_at from fills
      where deployment_id in (select id from own)
        and symbol <> all(${sure.map(({ instrument }) => instrument.symbol)}::text[])
      union all
      -- A swap is worked out from the close of its session, and an adjustment from its own price.
      select e.symbol, e.realized_micro, coalesce(closed.price, nullif((e.event ->> 'markAfter')::float8, 0),
          (e.event -> 'books' ->> 'price')::float8, (e.event -> 'undoes' ->> 'price')::float8),
        coalesce(closed.at, e.at)
      from position_events e left join lateral (
        select b.close::float8 as price, b.closed_at as at from bars b
        join pairs p on p.symbol = b.symbol and p.source = b.source
        where b.symbol = e.symbol and b.interval = '1d' and b.date = e.date and e.kind = 'swap') closed on true
      where e.kind in ('swap', 'adjustment') and e.deployment_id in (select id from own))
    select r.amount::text, r.rate, r.at, coalesce(b.last > r.at, false) as "isCovered",
      case when b.last is not null then json_build_object('low', b.low, 'high', b.high) end as traded
    from results r join pairs p on p.symbol = r.symbol cross join lateral (
      select min(low) as low, max(high) as high, max(closed_at) as last from bars b
      where b.symbol = r.symbol and b.source = p.source and b.interval = '1d' and b.closed_at >= r.at) b
    where r.amount <> 0`.execute(database);
  return rows.map(({ amount, at, ...row }) => ({ ...row, amount: parseMicro(amount), at: parseInstant(at) }));
}
