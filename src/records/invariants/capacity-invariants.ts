// Room in a strategy and the queue for it: nobody is overtaken, nobody is both waiting and in, and each place is for what was asked.
import type { Invariant } from './invariant.ts';
import { sqlInvariant } from './sql-invariant.ts';

export const CAPACITY_INVARIANTS: readonly Invariant[] = [
  sqlInvariant(
    'I23',
    'Nobody in the queue of a strategy was overtaken: who is let in finds nobody with an earlier place who waits and would ever fit',
    // Who left, left for good, and is in neither list.
    `select late.strategy_id, late.place as let_in, late.admitted_at, early.place as overtaken, early.admitted_at as of_overtaken
     from capacity_places late
     join capacity_places early on early.strategy_id = late.strategy_id and early.place < late.place
     where late.admitted_at is not null and early.amount_micro <= coalesce(late.capacity_micro, early.amount_micro)
       and (early.admitted_at > late.admitted_at or (early.admitted_at is null
         and exists (select from capacity_waiting_in(early.strategy_id) w where w.place = early.place)))`,
  ),
  sqlInvariant(
    'I23',
    'Whoever is let in has room: what was in the strategy and what came in are together within its capacity',
    `select strategy_id, place, in_use_micro, amount_micro, capacity_micro from capacity_places
     where in_use_micro < 0 or in_use_micro + amount_micro > capacity_micro`,
  ),
  sqlInvariant(
    'I23',
    'Nobody is both waiting and in: money that waits has no order, no position and is not added',
    `select p.strategy_id, p.place, d.id as deployment_id, d.status, f.status as of_flow from capacity_places p
     join deployments d on d.id = p.deployment_id left join deployment_flows f on f.id = p.flow_id
     where p.admitted_at is null and case when p.flow_id is not null then f.status = 'done'
       else d.status not in ('pending', 'failed', 'stopping', 'stopped', 'liquidating', 'liquidated')
         or exists (select from orders o where o.deployment_id = d.id)
         or exists (select from positions h where h.deployment_id = d.id) end`,
  ),
  sqlInvariant(
    'I23',
    'Each place is for the strategy and the amount that its owner asked for, with real money',
    `with first as (
       select d.id, d.investment_micro - coalesce(sum(case f.kind when 'deposit' then f.moved_micro else -f.moved_micro end), 0)
         as amount from deployments d
       left join deployment_flows f on f.deployment_id = d.id and f.status = 'done' group by d.id)
     select p.strategy_id, p.place, p.amount_micro, o.amount, f.requested_micro from capacity_places p
     join deployments d on d.id = p.deployment_id join first o on o.id = d.id
     left join deployment_flows f on f.id = p.flow_id
     where d.mode <> 'real' or d.strategy_id <> p.strategy_id or p.amount_micro <> coalesce(f.requested_micro, o.amount)
       or (p.flow_id is not null and (f.deployment_id <> d.id or f.kind <> 'deposit'))`,
  ),
  sqlInvariant(
    'I23',
    'Since a strategy counts its places, every real deployment of it has one',
    `select d.id as deployment_id, d.strategy_id from deployments d join strategies s on s.id = d.strategy_id
     where d.mode = 'real' and s.owner_id is null
       and d.created_at > (select max(p.signed_at) from capacity_places p where p.strategy_id = d.strategy_id and p.place = 1)
       and not exists (select from capacity_places p where p.deployment_id = d.id and p.flow_id is null)`,
  ),
];
