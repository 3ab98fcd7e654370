// Who may trade, and what was sent without permission: answered by the audit log, whose order is the order of commits.
import { tradingPermission } from '#engine/lifecycle/status.ts';
import { statusList } from '../schema/views.ts';
import type { Invariant } from './invariant.ts';
import { sqlInvariant } from './sql-invariant.ts';

/** Each time an order was marked as sending. */
const SENDINGS = `sendings as (
  select l.seq, l.at, o.deployment_id, o.client_order_id from audit_log l
  cross join lateral jsonb_array_elements(l.details::jsonb -> 'moves') as m
  join orders o on o.client_order_id = m ->> 'id'
  where l.action = 'orders.moved' and m ->> 'to' = 'sending')`;

const lastAudited = (field: string) => `(select a.details::jsonb -> 'to' ->> '${field}' from audit_log a
  where a.subject = 'deployment:' || s.deployment_id and a.seq < s.seq and a.details::jsonb -> 'to' ? '${field}'
  order by a.seq desc limit 1)`;

/** A stop that works across a split keeps its old size until the broker, which removes it then, has been asked. */
const STILL_FITS = `(orders.purpose <> 'protective' or not exists (select from position_events h
  where h.deployment_id = orders.deployment_id and h.symbol = orders.symbol and h.at >= orders.decided_at))`;

/** Post-split units per unit of an order decided before a split, while its fate is unknown. */
const SPLIT_SINCE = `coalesce((select exp(sum(ln((h.event ->> 'ratio')::numeric))) from position_events h
  where h.deployment_id = orders.deployment_id and h.symbol = orders.symbol and h.kind = 'split'
    and h.at > orders.decided_at), 1)`;

export const PERMISSION_INVARIANTS: readonly Invariant[] = [
  sqlInvariant(
    'I6',
    'No order was sent while its deployment was pending, paused, failed or over, or a pause was requested',
    `with ${SENDINGS}, seen as (
       select s.*, ${lastAudited('status')} as status, ${lastAudited('requested_status')} as requested from sendings s)
     select client_order_id, deployment_id, at, status, requested from seen
     where status in ${statusList((status) => tradingPermission(status) === 'none')} or requested = 'paused'`,
  ),
  sqlInvariant(
    'I6',
    'No order was sent later than a second after a kill switch was on for it',
    `with ${SENDINGS}
     select s.client_order_id, s.at, k.id as kill_switch, k.scope from sendings s
     join deployments d on d.id = s.deployment_id join broker_connections c on c.id = d.broker_connection_id
     join kill_switches k on s.at > k.set_at + interval '1 second' and (k.lifted_at is null or s.at < k.lifted_at)
       and (k.scope = 'global' or k.target = case k.scope
         when 'broker' then c.broker_id when 'strategy' then d.strategy_id else d.user_id end)`,
  ),
  sqlInvariant(
    'I6',
    'A frozen deployment has no purchase under way that was decided after its freeze',
    `select o.client_order_id, d.id as deployment_id, d.frozen_at, o.decided_at from deployments d
     join orders o on o.deployment_id = d.id
     where d.frozen_at is not null and o.purpose = 'rebalance' and o.side = 'buy' and o.decided_at > d.frozen_at
       and o.status in ('sending', 'working')
       and not exists (select from positions p where p.deployment_id = d.id and p.symbol = o.symbol and p.quantity < 0)`,
  ),
  sqlInvariant(
    'I6',
    'A deployment below its record that opens nothing new has no purchase under way that was decided after that',
    `select o.client_order_id, d.id as deployment_id, d.tripwire_since, o.created_at from deployments d
     join orders o on o.deployment_id = d.id
     where d.tripwire_state = 'red' and d.tripwire_choice = 'exits_only' and o.purpose = 'rebalance' and o.side = 'buy'
       and o.status in ('sending', 'working')
       and o.created_at > (select max(a.at) from audit_log a where a.subject = 'deployment:' || d.id
         and a.details::jsonb -> 'to' ?| '{tripwire_state,tripwire_choice}'::text[])
       and not exists (select from positions p where p.deployment_id = d.id and p.symbol = o.symbol and p.quantity < 0)`,
  ),
  sqlInvariant(
    'I7',
    'A deployment whose strategy buys only holds nothing short and sells no more than it holds',
    `select d.id as deployment_id, coalesce(p.symbol, o.symbol) as symbol, p.quantity, o.selling from deployments d
     join strategy_versions v on v.id = d.strategy_version_id
     left join positions p on p.deployment_id = d.id
     left join (select deployment_id, symbol, sum(floor((quantity - filled_quantity) * ${SPLIT_SINCE} * 1e8) / 1e8) as selling
       from orders_at_broker orders where side = 'sell' and ${STILL_FITS}
       group by deployment_id, symbol) o
       on o.deployment_id = d.id and (p.symbol is null or o.symbol = p.symbol)
     where v.definition ->> 'direction' is distinct from 'long_short' and v.definition -> 'options' is null
       and coalesce(p.symbol, o.symbol) !~ '[0-9]{6}[CP][0-9]{8}$'
       and (p.quantity < 0 or o.selling > coalesce(p.quantity, 0))`,
  ),
  sqlInvariant(
    'I7',
    'At most one stop at the broker protects a position, it closes no more than that, and no other order of the position is there',
    `select orders.deployment_id, orders.symbol, orders.client_order_id, orders.quantity, p.quantity as held from orders_at_broker orders
     left join positions p on p.deployment_id = orders.deployment_id and p.symbol = orders.symbol
     where orders.purpose = 'protective' and (
       exists (select from orders_at_broker o where o.deployment_id = orders.deployment_id
         and o.symbol = orders.symbol and o.id <> orders.id)
       or ((p.symbol is null or (p.quantity > 0) <> (orders.side = 'sell')
         or orders.quantity - orders.filled_quantity > abs(p.quantity)) and ${STILL_FITS}))`,
  ),
  sqlInvariant(
    'I8',
    'No client trades a strategy that was riskier than their score when it was deployed',
    `select d.id as deployment_id, s.risk_score as strategy, p.risk_score as client from deployments d
     join strategies s on s.id = d.strategy_id left join risk_profiles p on p.user_id = d.user_id
     where d.status = 'active' and (p.id is null or (p.risk_score < s.risk_score and p.updated_at < d.created_at))`,
  ),
  sqlInvariant(
    'I9',
    'Every deployment trades over a connection of its own owner, and no order left without a signature',
    `select d.id as deployment_id, c.user_id as connection_of, d.user_id from deployments d
     join broker_connections c on c.id = d.broker_connection_id
     where c.user_id <> d.user_id or (d.mode = 'real'
       and exists (select from orders o where o.deployment_id = d.id and o.sent_at is not null)
       and not exists (select from agreements a where a.user_id = d.user_id and (a.status = 'signed' or a.signed_at is not null
         or exists (select from audit_log l where l.subject = 'agreement:' || a.id
           and l.details::jsonb -> 'to' ->> 'status' = 'signed'))))`,
  ),
  sqlInvariant(
    'I9',
    'No deployment trades for a minor',
    `select d.id as deployment_id, u.date_of_birth from deployments d join users u on u.id = d.user_id
     where d.mode = 'real' and d.status in ('active', 'paused', 'frozen') and u.date_of_birth > current_date - interval '18 years'`,
  ),
  sqlInvariant(
    'I12',
    'Every deployment is in the state that the audit log led it to',
    `select d.id as deployment_id, d.status, audited.status as audited from deployments d
     cross join lateral (select a.details::jsonb -> 'to' ->> 'status' as status from audit_log a
       where a.subject = 'deployment:' || d.id and a.details::jsonb -> 'to' ? 'status'
       order by a.seq desc limit 1) audited
     where audited.status <> d.status`,
  ),
];
