// Cash that brokers state: each activity counts once, and the books have exactly what its figure changed.
import type { Invariant } from './invariant.ts';
import { sqlInvariant } from './sql-invariant.ts';

export const CASH_INVARIANTS: readonly Invariant[] = [
  sqlInvariant(
    'I3',
    'What a broker’s figure changed of an estimate is what the ledger has',
    `select coalesce(s.cause, l.cause) as cause, s.change_micro, l.cash from (
       select kind || '_figure:' || deployment_id || ':' || symbol || ':' || date || ':' || number as cause, change_micro
       from stated_changes) s
     full join (
       select t.cause, sum(e.amount_micro) filter (where e.ledger_account = 'cash') as cash from ledger_transactions t
       join ledger_entries e on e.transaction_id = t.id
       where t.cause ~ '^(dividend|swap|delivery|trading_fee)_figure:' group by t.cause) l on l.cause = s.cause
     where s.cause is null or l.cause is null or s.change_micro <> l.cash`,
  ),
  sqlInvariant(
    'I3',
    'An activity that is the owner’s is one movement of its amount, and no other activity is',
    `select a.account_id, coalesce('activity:' || a.activity_id, m.reference) as reference, a.amount_micro, m.amount_micro as moved
     from (select * from cash_activities where verdict = 'owner') a
     full join (select * from cash_movements where starts_with(reference, 'activity:')) m
       on m.account_id = a.account_id and m.reference = 'activity:' || a.activity_id
     where a.activity_id is null or m.reference is null or a.amount_micro <> m.amount_micro`,
  ),
  sqlInvariant(
    'I3',
    'The coins that a purchase gave up as its fee are worth its commission, and the ledger has their cash',
    `select f.account_id, f.execution_id, f.commission_micro, h.worth, l.cash from fills f
     join (select event ->> 'fill' as fill,
         sum(round((event ->> 'units')::numeric * (event ->> 'price')::numeric / 100)) as worth
       from position_events where kind = 'coin_fee' group by 1) h on h.fill = f.account_id || ':' || f.execution_id
     left join (select k.event ->> 'fill' as fill, sum(e.amount_micro) as cash
       from position_events k
       join ledger_transactions t on t.cause = 'coin_fee:' || k.deployment_id || ':' || k.symbol || ':' || k.date || ':' || k.execution
       join ledger_entries e on e.transaction_id = t.id and e.ledger_account = 'cash'
       where k.kind = 'coin_fee' group by 1) l on l.fill = h.fill
     where abs(f.commission_micro - h.worth) > 1 or coalesce(l.cash, 0) <> f.commission_micro`,
  ),
  sqlInvariant(
    'I3',
    'The coins booked as fees of days that the broker has listed are what it took, rounded up once',
    `select s.account_id, s.symbol, s.taken, o.coins as of_deployments, x.coins as of_owner
     from (select account_id, symbol, sum(units) as taken, array_agg(distinct session_date) as days
       from cash_activities where kind = 'coin_fee' and verdict = 'event' and units is not null group by 1, 2) s
     cross join lateral (select coalesce(sum((h.event ->> 'units')::numeric), 0) / 100000000 as coins
       from position_events h where h.kind = 'coin_fee' and h.symbol = s.symbol and h.date = any(s.days)
         and starts_with(h.event ->> 'fill', s.account_id || ':')) o
     cross join lateral (select coalesce(sum(case y.side when 'sell' then y.quantity else -y.quantity end), 0) as coins
       from suspense_entries y where y.kind = 'coin_fee' and y.account_id = s.account_id and y.symbol = s.symbol) x
     where ceil(s.taken * 100000000) / 100000000 <> o.coins + x.coins`,
  ),
];
