// What brokers list about cash besides executions, and which event of holdings each is the figure for.
import { type Kysely, sql } from 'kysely';
import {
  type ActivityVerdict,
  type CashActivity,
  type CashActivityKind,
  type EstimatedEvent,
  eventKindsOf,
} from '#engine/cash/cash-activity.ts';
import { billionthsText } from '#units/billionths.ts';
import type { BrokerAccountId, Symbol } from '#units/identifiers.ts';
import { type Instant, type IsoDate, isoText } from '#units/instant.ts';
import { parseMicro } from '#units/money.ts';
import { parseQuantity, quantityText } from '#units/quantity.ts';
import type { Tables } from '../tables.ts';
import { coinsOf } from './coin-fees.ts';

/** The day from which the broker is asked again: lists are late. Null before the first activity. */
export async function lastActivityDate(
  database: Kysely<Tables>,
  account: BrokerAccountId,
): Promise<IsoDate | null> {
  const { rows } = await sql<{ date: IsoDate | null }>`
    select max(date)::text as date from cash_activities where account_id = ${account}`.execute(database);
  return rows[0]?.date ?? null;
}

/** Those that are new. 'opening': part of the cash with which the account was opened. */
export async function receiveActivities(
  trx: Kysely<Tables>,
  account: BrokerAccountId,
  activities: readonly CashActivity[],
  { as, at }: { readonly as: 'open' | 'opening'; readonly at: Instant },
): Promise<void> {
  if (activities.length === 0) return;
  await trx
    .insertInto('cash_activities')
    .values(
      activities.map(({ activityId, kind, symbol, amount, units, coins, date, chargedBy }) => ({
        account_id: account,
        activity_id: activityId,
        kind,
        symbol,
        amount_micro: amount,
        units: coins === undefined ? units && quantityText(units) : billionthsText(coins),
        date,
        charged_by: chargedBy ?? null,
        seen_at: isoText(at),
        verdict: as,
      })),
    )
    .onConflict((conflict) => conflict.columns(['account_id', 'activity_id']).doNothing())
    .execute();
}

/** Not yet attributed, oldest first. What people had days to explain stays with them. */
export async function listOpenActivities(
  trx: Kysely<Tables>,
  account: BrokerAccountId,
  seenSince: Instant,
): Promise<readonly CashActivity[]> {
  const { rows } = await sql<ActivityRow>`
    select activity_id as "activityId", kind, symbol, amount_micro::text as amount, units::text as units, date::text,
      charged_by as "chargedBy"
    from cash_activities where account_id = ${account} and verdict = 'open' and seen_at >= ${isoText(seenSince)}
    order by date, activity_id`.execute(trx);
  return rows.map(activityOf);
}

/** The events that our rules booked for holdings of an account, and whether the broker has stated its figure. */
export async function listEstimatedEvents(
  trx: Kysely<Tables>,
  account: BrokerAccountId,
  { kind, symbol }: { readonly kind: CashActivityKind; readonly symbol: Symbol },
): Promise<{ readonly events: readonly EstimatedEvent[]; readonly isTraded: boolean }> {
  const { rows } = await sql<EstimatedEvent>`
    with dates as (
      select h.date from position_events h join deployments d on d.id = h.deployment_id
        join broker_connections c on c.id = d.broker_connection_id
      where c.account_id = ${account} and h.symbol = ${symbol} and h.kind = any(${eventKindsOf(kind)})
      union
      select split_part(m.reference, ':', 4)::date from cash_movements m
      where m.account_id = ${account} and 'dividend' = any(${eventKindsOf(kind)})
        and starts_with(m.reference, ${`estimate:dividend:${symbol}:`}))
    select t.date::text as "sessionDate", exists (select from cash_activities a
      where a.account_id = ${account} and a.symbol = ${symbol} and a.session_date = t.date
        and a.kind <> 'withholding_tax') as "isStated"
    from dates t order by t.date`.execute(trx);
  const { rows: traded } = await sql`
    select from orders o join broker_connections c on c.id = o.broker_connection_id
    where c.account_id = ${account} and o.symbol = ${symbol} limit 1`.execute(trx);
  return { events: rows, isTraded: traded.length > 0 };
}

export async function saveActivityVerdict(
  trx: Kysely<Tables>,
  account: BrokerAccountId,
  { activityId }: Pick<CashActivity, 'activityId'>,
  verdict: Exclude<ActivityVerdict, { type: 'open' }>,
): Promise<void> {
  await sql`
    update cash_activities set verdict = ${verdict.type},
      session_date = ${verdict.type === 'event' ? verdict.sessionDate : null}::date
    where account_id = ${account} and activity_id = ${activityId}`.execute(trx);
}

/** One event of holdings, or a day's trades, for which a broker has stated figures. */
export type StatedEvent = {
  /** Empty for fees of all instruments. */
  readonly symbol: Symbol;
  readonly sessionDate: IsoDate;
  readonly kind: 'dividend' | 'swap' | 'delivery' | 'trading_fee' | 'coin_fee';
};

export async function listStatedEvents(
  trx: Kysely<Tables>,
  account: BrokerAccountId,
  since: IsoDate,
): Promise<readonly (StatedEvent & { readonly activities: readonly CashActivity[] })[]> {
  const { rows } = await sql<ActivityRow & { sessionDate: IsoDate }>`
    select activity_id as "activityId", kind, symbol, amount_micro::text as amount, units::text as units, date::text,
      charged_by as "chargedBy", session_date::text as "sessionDate"
    from cash_activities where account_id = ${account} and verdict = 'event' and session_date >= ${since}
    order by date, activity_id`.execute(trx);
  const groups = Map.groupBy(rows, ({ symbol, sessionDate, kind }) =>
    [symbol, sessionDate, kind === 'withholding_tax' ? 'dividend' : kind].join(':'),
  );
  return [...groups.values()].map((group) => {
    const [{ symbol, sessionDate, kind }] = group as [(typeof group)[number]];
    return {
      symbol: symbol ?? ('' as Symbol),
      sessionDate,
      kind: STATED_AS[kind] ?? 'dividend',
      activities: group.map(activityOf),
    };
  });
}

const STATED_AS: { readonly [Kind in CashActivityKind]?: StatedEvent['kind'] } = {
  swap: 'swap',
  delivery: 'delivery',
  trading_fee: 'trading_fee',
  coin_fee: 'coin_fee',
};

function activityOf({ amount, units, ...row }: ActivityRow): CashActivity {
  const { activityId, kind, symbol, date, chargedBy } = row;
  const coins = coinsOf(row, units);
  return {
    activityId,
    kind,
    symbol,
    date,
    ...(chargedBy ? { chargedBy } : {}),
    ...(coins === null ? {} : { coins }),
    amount: parseMicro(amount),
    units: units === null || coins !== null ? null : parseQuantity(units),
  };
}

type ActivityRow = Omit<CashActivity, 'amount' | 'units' | 'coins'> & {
  readonly amount: string;
  readonly units: string | null;
};
