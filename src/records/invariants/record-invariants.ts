// Invariants that the records alone can answer. Each query returns the violating rows.
import { hasEnded } from '#engine/lifecycle/status.ts';
import { statusList } from '../schema/views.ts';
import type { Invariant } from './invariant.ts';
import { sqlInvariant as invariant } from './sql-invariant.ts';

export const RECORD_INVARIANTS: readonly Invariant[] = [
  invariant(
    'I1',
    'No two orders share a broker order',
    `select broker_connection_id, broker_order_id, array_agg(client_order_id) as client_order_ids from orders
     where broker_order_id is not null group by broker_connection_id, broker_order_id having count(*) > 1`,
  ),
  invariant(
    'I1',
    'An order that is or was at the broker was marked as sent first',
    `select client_order_id, status from orders
     where sent_at is null and (broker_order_id is not null or status in ('sending', 'working', 'filled', 'unknown'))`,
  ),
  invariant(
    'I2',
    'What an order has filled is the sum of its executions as they were corrected, and no more than was ordered',
    `select o.client_order_id, o.quantity, o.filled_quantity, coalesce(f.executed, 0) as executed, k.corrected
     from orders o
     left join (select order_id, sum(quantity) as executed from fills group by order_id) f on f.order_id = o.id
     left join (select order_id, sum(filled_change) as corrected from adjustments where status = 'applied'
       group by order_id) k on k.order_id = o.id
     where o.filled_quantity <> coalesce(f.executed, 0) + coalesce(k.corrected, 0) or o.filled_quantity > o.quantity`,
  ),
  invariant(
    'I2',
    'An order is filled when, and only when, all of it has executed',
    `select client_order_id, status, quantity, filled_quantity from orders
     where (status = 'filled') <> (filled_quantity = quantity)`,
  ),
  invariant(
    'I2',
    'An execution is of its order: same deployment, instrument, side and account',
    `select f.account_id, f.execution_id, o.client_order_id from fills f
     join orders o on o.id = f.order_id join broker_connections c on c.id = o.broker_connection_id
     where f.deployment_id <> o.deployment_id or f.symbol <> o.symbol or f.side <> o.side or f.account_id <> c.account_id`,
  ),
  invariant(
    'I2',
    'No execution is both booked and external',
    `select account_id, execution_id from fills join suspense_entries using (account_id, execution_id)`,
  ),
  invariant(
    'I2',
    'Each booked execution has its ledger transaction, and each such transaction its execution',
    `select f.account_id, f.execution_id, t.cause from fills f
     full join (select * from ledger_transactions where kind = 'fill') t
       on t.cause = 'fill:' || f.account_id || ':' || f.execution_id and t.deployment_id = f.deployment_id
     where t.id is null or f.execution_id is null`,
  ),
  invariant(
    'I3',
    'The commission of each execution is what the ledger has for it, and each change of it is posted once',
    `with posted as (
       select case t.kind when 'fill' then substr(t.cause, 6)
           else regexp_replace(substr(t.cause, 12), ':[0-9]+$', '') end as execution,
         coalesce(sum(e.amount_micro), 0) as commission,
         count(distinct t.id) filter (where t.kind = 'commission') as changes
       from ledger_transactions t
       left join ledger_entries e on e.transaction_id = t.id and e.ledger_account = 'commission'
       where t.kind in ('fill', 'commission') group by 1)
     select f.account_id, f.execution_id, f.commission_micro, f.commission_revision, p.commission, p.changes
     from fills f full join posted p on p.execution = f.account_id || ':' || f.execution_id
     where f.execution_id is null or coalesce(p.commission, 0) <> f.commission_micro
       or coalesce(p.changes, 0) <> f.commission_revision`,
  ),
  invariant(
    'I21',
    'Each cash statement opens with what the one before closed with, and the first with the opening of its account',
    `select account_id, date, opening_micro, before from (
       select s.account_id, s.date, s.opening_micro,
         coalesce(lag(s.closing_micro) over (partition by s.account_id order by s.date), o.cash_micro) as before
       from cash_statements s join account_openings o on o.account_id = s.account_id) chain
     where opening_micro <> before`,
  ),
  invariant(
    'I21',
    'Cash that the newest final statements do not explain to the cent is one open difference',
    `select s.account_id, s.unexplained, k.unexplained_micro from (
       select account_id, sum(unexplained_micro) as unexplained, (array_agg(is_final order by date desc))[1] as is_final
       from cash_statements group by account_id) s
     left join cash_breaks k on k.account_id = s.account_id and k.ended_at is null
     where s.is_final and (abs(s.unexplained) > 10000 or k.id is not null)
       and s.unexplained is distinct from k.unexplained_micro`,
  ),
  invariant(
    'I21',
    'Each approved explanation of cash is booked as one movement of its amount',
    `select p.id, p.amount_micro, m.reference, m.amount_micro as booked
     from (select * from proposals where action = 'explain_cash' and status in ('approved', 'over')) p
     full join (select * from cash_movements where reference like 'decision:%') m
       on m.reference = 'decision:' || p.id and m.account_id = p.account_id
     where p.id is null or m.reference is null or m.amount_micro <> p.amount_micro`,
  ),
  invariant(
    'I3',
    'Every ledger transaction has entries and sums to zero per currency',
    `select t.id, t.cause, e.currency, sum(e.amount_micro) as sum from ledger_transactions t
     left join ledger_entries e on e.transaction_id = t.id group by t.id, e.currency
     having count(e.id) = 0 or sum(e.amount_micro) <> 0`,
  ),
  invariant(
    'I3',
    'An entry belongs to the deployment of its transaction',
    `select e.id, e.deployment_id, t.deployment_id as of_transaction from ledger_entries e
     join ledger_transactions t on t.id = e.transaction_id where t.deployment_id <> e.deployment_id`,
  ),
  invariant(
    'I3',
    'The ledger of a deployment sums to what is stored: capital, cash, holdings, realised result',
    `with ledger as (
       select deployment_id,
         coalesce(sum(amount_micro) filter (where ledger_account = 'cash'), 0) as cash,
         coalesce(sum(amount_micro) filter (where ledger_account = 'capital'), 0) as capital,
         coalesce(sum(amount_micro) filter (where ledger_account = 'holdings'), 0) as holdings,
         coalesce(sum(amount_micro) filter (where ledger_account in ('realized', 'commission')), 0) as spent
       from ledger_entries group by deployment_id),
     held as (select deployment_id, sum(total_cost_micro) as cost from positions group by deployment_id)
     select d.id as deployment_id, d.cash_micro, l.cash as ledger_cash, d.investment_micro, l.capital as ledger_capital,
       coalesce(h.cost, 0) as total_cost, l.holdings as ledger_holdings, d.realized_micro, -l.spent as ledger_realized
     from deployments d left join ledger l on l.deployment_id = d.id left join held h on h.deployment_id = d.id
     where l.deployment_id is null or l.cash <> d.cash_micro or l.capital <> -d.investment_micro
       or l.holdings <> coalesce(h.cost, 0) or -l.spent <> d.realized_micro`,
  ),
  invariant(
    'I4',
    'Equity is cash plus every current value, and investment plus realised plus unrealised',
    `select d.id as deployment_id, d.equity_micro, d.cash_micro + coalesce(p.value, 0) as cash_and_positions,
       d.investment_micro + d.realized_micro + coalesce(p.unrealized, 0) as investment_and_result
     from deployments d left join (
       select deployment_id, sum(current_value_micro) as value, sum(unrealized_micro) as unrealized
       from positions group by deployment_id) p on p.deployment_id = d.id
     where d.equity_micro <> d.cash_micro + coalesce(p.value, 0)
       or d.equity_micro <> d.investment_micro + d.realized_micro + coalesce(p.unrealized, 0)`,
  ),
  invariant(
    'I4',
    'The ledger at the marks is the equity: what was paid in, less what was spent, plus what is not realised',
    `select d.id as deployment_id, d.equity_micro, l.owned + coalesce(p.unrealized, 0) as ledger_at_marks
     from deployments d
     join (select deployment_id, sum(amount_micro) as owned from ledger_entries
       where ledger_account in ('cash', 'holdings') group by deployment_id) l on l.deployment_id = d.id
     left join (select deployment_id, sum(unrealized_micro) as unrealized from positions group by deployment_id) p
       on p.deployment_id = d.id
     where d.equity_micro <> l.owned + coalesce(p.unrealized, 0)`,
  ),
  invariant(
    'I4',
    'Rounding residues stay below one cent per transaction',
    `select transaction_id, amount_micro from ledger_entries
     where ledger_account = 'rounding' and abs(amount_micro) >= 10000`,
  ),
  invariant(
    'I4',
    'Each equity mark is its cash plus its positions',
    `select deployment_id, date, cash_micro, positions_micro, equity_micro from equity_marks
     where equity_micro <> cash_micro + positions_micro`,
  ),
  invariant(
    'I4',
    'The highest equity is at least the investment until a freeze is lifted or money is withdrawn, and a freeze stays until then',
    `select id as deployment_id, investment_micro, peak_equity_micro, frozen_at, status from deployments d
     where (peak_equity_micro < investment_micro and freeze_lifted_at is null and not exists (
         select from deployment_flows f where f.deployment_id = d.id and f.kind = 'withdrawal' and f.status = 'done')) or (frozen_at is not null and status in ('active', 'pending', 'paused'))`,
  ),
  invariant(
    'I5',
    'A deployment that has ended holds nothing and has nothing under way',
    `select d.id as deployment_id, d.status, p.symbol, o.client_order_id from deployments d
     left join positions p on p.deployment_id = d.id
     left join orders o on o.deployment_id = d.id and o.status in ('intended', 'sending', 'working')
     where d.status in ${statusList(hasEnded)} and (p.symbol is not null or o.id is not null)`,
  ),
];
