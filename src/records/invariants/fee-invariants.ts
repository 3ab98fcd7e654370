// The performance fee: each period of a deployment is billed once, from figures that the ledger still shows, and never
// twice on the same profit.
import type { Invariant } from './invariant.ts';
import { sqlInvariant } from './sql-invariant.ts';

export const FEE_INVARIANTS: readonly Invariant[] = [
  sqlInvariant(
    'I11',
    'The bills of a deployment follow each other without gap or overlap, and the closing one is the last',
    `select * from (
       select b.deployment_id, b.number, b.period_start, b.is_closing,
         lag(b.number, 1, 0) over bills as number_before,
         coalesce(lag(b.period_end) over bills, d.deployed_at) as end_before,
         coalesce(lag(b.is_closing) over bills, false) as after_closing,
         d.ended_at, b.period_end
       from fee_bills b join deployments d on d.id = b.deployment_id
       window bills as (partition by b.deployment_id order by b.number)) chain
     where number <> number_before + 1 or period_start <> end_before or after_closing
       or (is_closing and period_end is distinct from ended_at)`,
  ),
  sqlInvariant(
    'I11',
    'Each bill continues from the high-water mark and the capital of the one before, and the last mark is the stored one',
    `select * from (
       select b.deployment_id, b.number, b.high_water_before_micro, b.capital_micro, b.net_flow_micro,
         lag(b.high_water_after_micro) over bills as mark_before, lag(b.capital_micro) over bills as capital_before,
         lead(b.number) over bills as next, b.high_water_after_micro, d.high_water_mark_micro, b.period_end, d.billed_through
       from fee_bills b join deployments d on d.id = b.deployment_id
       window bills as (partition by b.deployment_id order by b.number)) chain
     where high_water_before_micro <> coalesce(mark_before, capital_micro - net_flow_micro)
       or capital_micro - net_flow_micro <> coalesce(capital_before, high_water_before_micro)
       or (next is null and (high_water_after_micro <> high_water_mark_micro or period_end is distinct from billed_through))`,
  ),
  sqlInvariant(
    'I11',
    'A deposit is never billed, and a withdrawal is no profit: each moves the mark by its amount',
    `select deployment_id, number, high_water_before_micro, net_flow_micro, adjusted_mark_micro from fee_bills
     where adjusted_mark_micro <> high_water_before_micro + net_flow_micro`,
  ),
  sqlInvariant(
    'I11',
    'The value that is billed is settled in the ledger as of the cut-off, and was there',
    `select b.deployment_id, b.number, b.capital_micro, books.capital, b.settled_result_micro, books.result,
       b.worth_micro, b.closing_value_micro
     from fee_bills b cross join lateral (
       select coalesce(-sum(e.amount_micro) filter (where e.ledger_account = 'capital'), 0) as capital,
         coalesce(-sum(e.amount_micro) filter (where e.ledger_account in ('realized', 'commission')), 0) as result
       from ledger_entries e join ledger_transactions t on t.id = e.transaction_id
       where e.deployment_id = b.deployment_id and e.id <= b.ledger_through and (b.is_closing or t.at < b.period_end)) books
     where b.capital_micro <> books.capital or b.settled_result_micro <> books.result
       or b.closing_value_micro <> least(books.capital + books.result, b.worth_micro)`,
  ),
  sqlInvariant(
    'I11',
    'Each fee is its part of the profit above the mark in whole cents, and the mark rises to what was billed',
    `select deployment_id, number, closing_value_micro, adjusted_mark_micro, profit_micro, fee_micro, high_water_after_micro
     from fee_bills
     where profit_micro <> greatest(0, closing_value_micro - adjusted_mark_micro)
       or fee_micro <> floor(profit_micro * fee_percent / 1000000) * 10000
       or high_water_after_micro <> greatest(closing_value_micro, adjusted_mark_micro)`,
  ),
  sqlInvariant(
    'I11',
    'All fees of a deployment are at most 30% of the most that it ever earned, whatever was added and withdrawn',
    `select deployment_id, sum(fee_micro) as fees, max(closing_value_micro - capital_micro) as best_result from fee_bills
     group by deployment_id having sum(fee_micro) > 0.3 * greatest(0, max(closing_value_micro - capital_micro))`,
  ),
  sqlInvariant(
    'I11',
    'What the ledger says is owed is what was billed',
    `select coalesce(b.deployment_id, l.deployment_id) as deployment_id, b.cause, b.amount, l.fees, l.payable
     from (
       select deployment_id, 'fee:' || deployment_id || ':' || number as cause, fee_micro as amount from fee_bills
       where fee_micro > 0
       union all
       select deployment_id, 'fee_credit:' || deployment_id || ':' || number, -credit_micro from fee_corrections
       where credit_micro > 0) b
     full join (
       select t.deployment_id, t.cause, sum(e.amount_micro) filter (where e.ledger_account = 'fees') as fees,
         sum(e.amount_micro) filter (where e.ledger_account = 'payable') as payable
       from ledger_transactions t join ledger_entries e on e.transaction_id = t.id where t.kind = 'fee'
       group by t.id) l on l.cause = b.cause
     where b.cause is null or l.cause is null or l.deployment_id <> b.deployment_id or l.fees <> b.amount
       or l.payable <> -b.amount`,
  ),
  sqlInvariant(
    'I11',
    'What was paid of a bill is what was owed of it, and nothing is paid twice',
    `select * from (
       select b.deployment_id, b.number, b.fee_micro, count(*) as payments, max(p.amount_micro) as largest,
         sum(p.amount_micro) as paid, (select coalesce(sum(o.credit_micro), 0) from fee_corrections o where o.bill_id = b.id) as credited,
         (select coalesce(sum(x.amount_micro), 0) from chargebacks x join charges c on c.id = x.charge_id where c.bill_id = b.id) as taken_back,
         (select coalesce(sum(x.amount_micro) filter (where x.amount_micro > 0), 0) from chargebacks x
           join charges c on c.id = x.charge_id where c.bill_id = b.id) as ever_taken_back,
         (select coalesce(sum(r.amount_micro), 0) from refunds r join charges c on c.id = r.charge_id
           where c.bill_id = b.id and r.status <> 'refused') as refunded
       from fee_payments p join fee_bills b on b.id = p.bill_id group by b.id) of_bill
     where largest > fee_micro or paid - taken_back - refunded > fee_micro or paid < fee_micro - credited
       or (payments > 1 and ever_taken_back = 0)`,
  ),
  sqlInvariant(
    'I11',
    'What a lost dispute took back is booked, and nothing else is',
    `select d.id, d.status, d.amount_micro, c.paid_micro, x.booked from disputes d join charges c on c.id = d.charge_id and c.status = 'paid'
     cross join lateral (select coalesce(sum(k.amount_micro), 0) as booked from chargebacks k where k.dispute_id = d.id) x
     where case d.status when 'lost' then x.booked not between 1 and d.amount_micro else x.booked <> 0 end
     union all
     select c.id::text, 'charge', null, c.paid_micro, sum(k.amount_micro) from chargebacks k join charges c on c.id = k.charge_id
     group by c.id having sum(k.amount_micro) > coalesce(c.paid_micro, 0)`,
  ),
  sqlInvariant(
    'I11',
    'A fee payment is a paid charge of its bill',
    `select p.id, p.bill_id, p.amount_micro, c.status, c.paid_micro from fee_payments p left join charges c on c.id = p.id
     where c.id is null or c.bill_id <> p.bill_id or c.status <> 'paid' or c.paid_micro <> p.amount_micro
     union all
     select c.id, c.bill_id, null, c.status, c.paid_micro from charges c
     where c.purpose = 'fee' and c.status = 'paid' and not exists (select from fee_payments p where p.id = c.id)`,
  ),
  sqlInvariant(
    'I11',
    'A closing bill counts no estimated commission of an execution without saying so',
    `select b.deployment_id, b.number from fee_bills b
     where b.is_closing and not b.has_estimates and exists (
       select from fills f join ledger_transactions t on t.cause = 'fill:' || f.account_id || ':' || f.execution_id
       join ledger_entries e on e.transaction_id = t.id
       where f.deployment_id = b.deployment_id and f.is_provisional and e.id <= b.ledger_through)`,
  ),
  sqlInvariant(
    'I11',
    'What was booked after a closing bill lowers its fee, and never raises it',
    `select c.deployment_id, c.number, c.fee_micro, c.credit_micro, b.fee_micro as billed, c.settled_result_micro, books.result
     from fee_corrections c join fee_bills b on b.id = c.bill_id
     cross join lateral (select coalesce(-sum(e.amount_micro), 0) as result from ledger_entries e
       where e.deployment_id = c.deployment_id and e.ledger_account in ('realized', 'commission')
         and e.id <= c.ledger_through) books
     cross join lateral (select coalesce(sum(o.credit_micro), 0) as credited from fee_corrections o
       where o.bill_id = c.bill_id and o.number < c.number) earlier
     where not b.is_closing or c.ledger_through <= b.ledger_through or c.settled_result_micro <> books.result
       or c.closing_value_micro <> greatest(0, b.capital_micro + books.result)
       or c.profit_micro <> greatest(0, c.closing_value_micro - b.adjusted_mark_micro)
       or c.fee_micro <> floor(c.profit_micro * b.fee_percent / 1000000) * 10000
       or c.credit_micro <> greatest(0, b.fee_micro - earlier.credited - c.fee_micro)`,
  ),
  sqlInvariant(
    'I11',
    'What was booked after a closing bill counts within a week',
    `select b.deployment_id, b.number, min(t.at) as since from fee_bills b
     join heartbeats h on h.process = 'trader'
     join ledger_entries e on e.deployment_id = b.deployment_id and e.ledger_account in ('realized', 'commission')
       and e.id > greatest(b.ledger_through, (select max(c.ledger_through) from fee_corrections c where c.bill_id = b.id))
     join ledger_transactions t on t.id = e.transaction_id
     where b.is_closing group by b.deployment_id, b.number, h.market_at having min(t.at) < h.market_at - interval '7 days'`,
  ),
  sqlInvariant(
    'I11',
    'No period of real trading waits for its bill for longer than a week after its end, and no end of a deployment either',
    `select d.id as deployment_id, u.fee_period, d.billed_through, d.ended_at, h.market_at from deployments d
     join users u on u.id = d.user_id
     cross join (select market_at - interval '7 days' as since, market_at from heartbeats where process = 'trader') h
     where d.mode = 'real' and case when d.ended_at is not null then d.ended_at < h.since and d.billed_through is distinct from d.ended_at
       else coalesce(d.billed_through, d.deployed_at) < date_trunc(
         case u.fee_period when 'weekly' then 'week' else 'month' end, h.since at time zone 'UTC') at time zone 'UTC' end`,
  ),
  sqlInvariant(
    'I13',
    'The owner of a deployment gets one notice of each fee',
    `select b.deployment_id, b.number, count(n.id) as notices from fee_bills b join deployments d on d.id = b.deployment_id
     left join notifications n on n.cause = 'fee_billed:' || b.deployment_id || ':' || b.number and n.user_id = d.user_id
     where b.fee_micro > 0 group by b.deployment_id, b.number having count(n.id) <> 1`,
  ),
];
