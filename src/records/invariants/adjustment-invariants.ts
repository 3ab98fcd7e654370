// Manual adjustments of the books: agreed on by two people, booked once each, and nothing booked without them.
import type { Invariant } from './invariant.ts';
import { sqlInvariant } from './sql-invariant.ts';

const UNITS = `coalesce((h.event #>> '{books,units}')::numeric / 100000000, 0)`;
const PRICE = `(h.event #>> '{books,price}')::numeric`;
/** An execution is agreed on in the units in which it was reported: after a split only the amount paid is the same. */
const SPLIT_SINCE = `exists (
  select from broker_inbox x join corporate_actions a on a.symbol = k.symbol and a.kind = 'split'
    and a.ex_date > to_timestamp((x.report ->> 'at')::float8 / 1000)::date and a.ex_date <= k.applied_at::date + 7
  where x.account_id = k.account_id and x.execution_id = k.execution_id)`;

export const ADJUSTMENT_INVARIANTS: readonly Invariant[] = [
  sqlInvariant(
    'I2',
    'Each adjustment of a deployment was agreed on by two people and is booked once, as it was agreed on',
    `select k.id as adjustment_id, h.id as event_id, k.status, k.proposed_by, k.decided_by
     from (select * from adjustments where status = 'applied' and closes_as = 'adjustment') k
     full join (select * from position_events where kind = 'adjustment') h on h.execution = k.id::text
     where k.id is null or h.id is null or k.decided_by is null or k.decided_by = k.proposed_by
       or h.deployment_id <> k.deployment_id or h.symbol <> k.symbol or h.entitled <> k.net_units
       or h.realized_micro <> k.realized_micro
       or case when k.units <> 0 and ${SPLIT_SINCE}
         then abs(${UNITS} * ${PRICE} / (k.units * k.price) - 1) > 0.000001 is not false
         else ${UNITS} <> k.units or (k.units <> 0 and ${PRICE} <> k.price) end
       or (k.units <> 0 and (h.event #>> '{books,commission}')::bigint <> k.commission_micro)
       or (h.event ->> 'undoes' is null) <> (k.undoes_execution is null)`,
  ),
  sqlInvariant(
    'I2',
    'What an adjustment moved is in the ledger once, under its own cause, and nothing else is',
    `select k.id as adjustment_id, l.cause, k.cash_micro, l.cash, k.realized_micro, l.realized
     from (select * from adjustments where status = 'applied' and closes_as = 'adjustment') k
     full join (
       select t.id, t.cause, t.deployment_id, split_part(t.cause, ':', 5) as adjustment,
         coalesce(sum(e.amount_micro) filter (where e.ledger_account = 'cash'), 0) as cash,
         coalesce(-sum(e.amount_micro) filter (where e.ledger_account = 'realized'), 0) as realized,
         coalesce(sum(e.amount_micro) filter (where e.ledger_account = 'commission'), 0) as commission
       from ledger_transactions t join ledger_entries e on e.transaction_id = t.id
       where t.kind = 'adjustment' and t.cause like 'adjustment:%' group by t.id) l on l.adjustment = k.id::text
     where k.id is null or coalesce(l.cash, 0) <> k.cash_micro or coalesce(l.realized, 0) <> k.realized_micro
       or coalesce(l.commission, 0) <> k.net_commission_micro or l.deployment_id <> k.deployment_id`,
  ),
  sqlInvariant(
    'I2',
    'An execution that people closed counts once: as an adjustment or as external',
    `select k.id as adjustment_id, k.closes_as, x.execution_id as external, f.execution_id as fill
     from adjustments k
     left join suspense_entries x on x.account_id = k.account_id
       and x.execution_id = coalesce(k.execution_id, k.id::text) and x.kind in ('external_trade', 'difference')
     left join fills f on f.account_id = k.account_id and f.execution_id = k.execution_id
     where k.status = 'applied' and (f.execution_id is not null or (x.execution_id is null) = (k.closes_as = 'external'))`,
  ),
  sqlInvariant(
    'I2',
    'An adjustment makes of a position what it undoes, books and leaves as it was',
    `select h.execution as adjustment_id, h.entitled, h.event from position_events h
     where h.kind = 'adjustment' and h.entitled * 100000000 <> coalesce((h.event #>> '{books,units}')::numeric, 0)
       - coalesce((h.event #>> '{undoes,units}')::numeric, 0) + coalesce((h.event ->> 'shortfall')::numeric, 0)`,
  ),
  sqlInvariant(
    'I2',
    'Each shortfall of an adjustment is in the suspense account once, and nothing else is under its name',
    `select s.adjustment_id, s.shortfall, x.execution_id, x.symbol, x.side, x.quantity
     from (
       select k.id as adjustment_id, k.account_id, k.symbol, (h.event ->> 'shortfall')::numeric / 100000000 as shortfall
       from adjustments k join position_events h on h.kind = 'adjustment' and h.execution = k.id::text
       where k.status = 'applied' and h.event ->> 'shortfall' is not null) s
     full join (select * from suspense_entries where kind = 'shortfall') x
       on x.account_id = s.account_id and x.execution_id = s.adjustment_id::text
     where s.adjustment_id is null or x.execution_id is null or x.symbol <> s.symbol or x.side <> 'sell'
       or x.quantity <> s.shortfall`,
  ),
  sqlInvariant(
    'I2',
    'What a deployment gave up for an external trade left the suspense account, once for each such adjustment, and nothing else is under its name',
    `select g.id as adjustment_id, g.units, x.execution_id, x.symbol, x.side, x.quantity
     from (
       select k.* from adjustments k join reconciliation_breaks f on f.id = k.break_id
       where k.status = 'applied' and f.kind <> 'unexplained') g
     full join (select * from suspense_entries where kind = 'released') x
       on x.account_id = g.account_id and x.execution_id = g.id::text
     where g.id is null or x.execution_id is null or x.symbol <> g.symbol or g.closes_as <> 'adjustment'
       or (case x.side when 'buy' then x.quantity else -x.quantity end) <> -g.net_units
       or x.price <> g.price or x.executed_at <> g.applied_at`,
  ),
  sqlInvariant(
    'I2',
    'An execution that an adjustment undid is one of its deployment, and was undone once',
    `select k.id as adjustment_id, k.undoes_execution from adjustments k
     where k.status = 'applied' and k.undoes_execution is not null and (
       not exists (select from fills f where f.account_id = k.account_id and f.execution_id = k.undoes_execution
         and f.deployment_id = k.deployment_id and f.symbol = k.symbol)
       and not exists (select from adjustments b where b.account_id = k.account_id
         and b.execution_id = k.undoes_execution and b.status = 'applied' and b.deployment_id = k.deployment_id)
       or exists (select from adjustments o where o.account_id = k.account_id and o.id <> k.id
         and o.undoes_execution = k.undoes_execution and o.status = 'applied'))`,
  ),
  sqlInvariant(
    'I13',
    'Every adjustment of a deployment has exactly one notice, to its owner',
    `select k.id as adjustment_id, count(n.id) as notices from adjustments k
     join deployments d on d.id = k.deployment_id
     left join notifications n on n.user_id = d.user_id and n.deployment_id = d.id
       and n.cause like 'adjustment:' || k.deployment_id || ':%:' || k.id
     where k.status = 'applied' group by k.id having count(n.id) <> 1`,
  ),
];
