// Money added to deployments and withdrawn from them: each request moves once what it says, and changes no return.
import type { Invariant } from './invariant.ts';
import { sqlInvariant } from './sql-invariant.ts';

/** Of a done flow, as it changes the value. */
const SIGNED = `case f.kind when 'deposit' then f.moved_micro else -f.moved_micro end`;

export const FLOW_INVARIANTS: readonly Invariant[] = [
  sqlInvariant(
    'I22',
    'Each flow that is done is one ledger transaction of its amount, and each such transaction a flow',
    `select f.id, f.kind, f.moved_micro, t.cause, t.cash, t.capital from (select * from deployment_flows where status = 'done') f
     full join (
       select t.cause, t.deployment_id, t.at,
         sum(e.amount_micro) filter (where e.ledger_account = 'cash') as cash,
         sum(e.amount_micro) filter (where e.ledger_account = 'capital') as capital
       from ledger_transactions t join ledger_entries e on e.transaction_id = t.id where t.kind = 'flow' group by t.id) t
       on t.cause = f.kind || ':' || f.id and t.deployment_id = f.deployment_id
     where f.id is null or t.cause is null or t.at <> f.ended_at or t.cash is distinct from ${SIGNED}
       or t.capital is distinct from -(${SIGNED})`,
  ),
  sqlInvariant(
    'I22',
    'A deployment keeps from investing what its pending withdrawals ask for, and nothing else',
    `select d.id as deployment_id, d.withdrawing_micro, coalesce(f.asked, 0) as asked from deployments d
     left join (select deployment_id, sum(requested_micro) as asked from deployment_flows
       where status = 'pending' and kind = 'withdrawal' group by deployment_id) f on f.deployment_id = d.id
     where d.withdrawing_micro <> coalesce(f.asked, 0)`,
  ),
  sqlInvariant(
    'I22',
    'A flow changes no return: the base of the return is the first amount, moved in proportion by each flow',
    // Each flow rounds the base to a millionth of a dollar, which weighs more the less is left.
    `with first as (
       select d.id, d.investment_micro - coalesce(sum(${SIGNED}), 0) as amount from deployments d
       left join deployment_flows f on f.deployment_id = d.id and f.status = 'done' and f.value_before_micro > 0 group by d.id),
     flows as (
       select f.id, f.deployment_id, f.ended_at, f.requested_at, f.created_at,
         sum(ln(greatest(1, f.value_before_micro + ${SIGNED})::numeric / f.value_before_micro)) over
           (partition by f.deployment_id order by f.ended_at, f.requested_at, f.created_at, f.id) as grown
       from deployment_flows f where f.status = 'done' and f.value_before_micro > 0),
     moved as (
       select f.deployment_id, (array_agg(f.grown order by f.ended_at desc, f.requested_at desc, f.created_at desc, f.id desc))[1] as grown,
         sum(1 / greatest(1, o.amount * exp(f.grown))) as rounded
       from flows f join first o on o.id = f.deployment_id group by f.deployment_id)
     select d.id as deployment_id, d.investment_micro, d.return_base_micro, o.amount, exp(m.grown) as grown from deployments d
     join first o on o.id = d.id left join moved m on m.deployment_id = d.id
     where abs(d.return_base_micro - o.amount * exp(coalesce(m.grown, 0)))
       > 1 + d.return_base_micro * (0.000000001 + coalesce(m.rounded, 0))`,
  ),
  sqlInvariant(
    'I22',
    'Money moves only while a deployment runs: not before its start, not after its end, and only out of a value above zero',
    `select f.id, f.kind, f.ended_at, f.value_before_micro, f.moved_micro, d.deployed_at, d.ended_at as of_deployment
     from deployment_flows f join deployments d on d.id = f.deployment_id
     where f.status = 'done' and (f.ended_at < d.deployed_at or f.ended_at > d.ended_at or f.value_before_micro <= 0
       or (f.kind = 'withdrawal' and f.moved_micro >= f.value_before_micro))`,
  ),
  sqlInvariant(
    'I22',
    'A shadow gets and gives once what the deployment beside it did, and nothing of its own',
    `select r.id, r.repeats, r.kind, r.requested_micro, f.kind as of_real, f.moved_micro, d.shadow_of, f.deployment_id
     from deployment_flows r join deployments d on d.id = r.deployment_id left join deployment_flows f on f.id = r.repeats
     where r.repeats is not null and (f.status <> 'done' or f.kind <> r.kind or f.moved_micro <> r.requested_micro
       or f.deployment_id is distinct from d.shadow_of)`,
  ),
];
