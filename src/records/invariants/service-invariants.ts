// What users are notified of and shown, what may be decided on, and that no work is left unattended.
import { tradingPermission } from '#engine/lifecycle/status.ts';
import { statusList } from '../schema/views.ts';
import { checkAuditChain } from '../operations/audit-log.ts';
import type { Invariant } from './invariant.ts';
import { sqlInvariant } from './sql-invariant.ts';

export const SERVICE_INVARIANTS: readonly Invariant[] = [
  sqlInvariant(
    'I13',
    'Every booked execution has exactly one notice, to the owner of its deployment',
    `select f.account_id, f.execution_id, count(n.id) as notices from fills f
     join deployments d on d.id = f.deployment_id
     left join notifications n on n.cause = 'fill:' || f.account_id || ':' || f.execution_id and n.user_id = d.user_id
     group by f.account_id, f.execution_id having count(n.id) <> 1`,
  ),
  sqlInvariant(
    'I14',
    'No bar that is decided on is impossible',
    `select symbol, date, open, high, low, close from bars
     where low <= 0 or high < greatest(open, close, low) or low > least(open, close) or opened_at >= closed_at
       or volume < 0 or high = 'infinity' or high = 'nan'`,
  ),
  sqlInvariant(
    'I16',
    'No order is on its way for longer than a day, and none waits to be sent for longer than five with its broker in sight',
    `select o.client_order_id, o.symbol, o.purpose, o.status, o.reason_code, o.reason_params, o.sent_at, o.decided_at from orders o
     cross join (select market_at from heartbeats where process = 'trader') h
     left join broker_sessions b on b.connection_id = o.broker_connection_id
     where (o.status = 'sending' and o.sent_at < h.market_at - interval '1 day')
       or (o.status = 'intended' and o.decided_at < coalesce(b.unresponsive_since, h.market_at) - interval '5 days'
         and exists (select from broker_connections c where c.id = o.broker_connection_id and c.status = 'active'))`,
  ),
  {
    id: 'I17',
    says: 'The audit log is one unbroken chain',
    async find(database) {
      const { broken } = await checkAuditChain(database, []);
      return broken === null ? [] : [{ broken }];
    },
  },
  sqlInvariant(
    'I18',
    'Nothing happens before its cause: deployed, decided, sent, ended; deployed, marked',
    `select o.client_order_id as subject, d.deployed_at as first, o.decided_at as then from orders o
     join deployments d on d.id = o.deployment_id where o.decided_at < d.deployed_at
     union all
     select client_order_id, decided_at, sent_at from orders where sent_at < decided_at
     union all
     select client_order_id, sent_at, ended_at from orders where ended_at < coalesce(sent_at, decided_at)
     union all
     select id::text, deployed_at, marked_at from deployments where marked_at < deployed_at`,
  ),
  sqlInvariant(
    'I19',
    'A notice about a deployment goes to its owner',
    `select n.id as notification_id, n.user_id, d.user_id as owner from notifications n
     join deployments d on d.id = n.deployment_id where n.user_id <> d.user_id`,
  ),
  sqlInvariant(
    'I20',
    'No value that is shown is older than a day of the market, and none is of the future',
    `select d.id as deployment_id, d.status, d.marked_at, h.market_at from deployments d
     cross join (select market_at, greatest(market_at, (details ->> 'market_seen_at')::timestamptz) as seen_at
       from heartbeats where process = 'trader') h
     where d.status in ${statusList((status) => tradingPermission(status) !== 'none')}
       and (coalesce(d.marked_at, d.deployed_at) < h.market_at - interval '1 day'
         or (d.marked_at > h.seen_at + interval '1 day'
           -- Another trader may be ahead of the one that ingests the bars; the bars show that the market was open.
           and not exists (select from bars b where b.closed_at > d.marked_at - interval '5 days')))`,
  ),
];
