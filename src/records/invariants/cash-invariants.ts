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
];
