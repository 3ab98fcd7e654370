// Every exit leaves, or is a task for people, within two looks of an open market and a broker that answers. Counted by
// position, not by order: an exit that is withdrawn and decided again has waited all the same.
import { sessionAt } from '#engine/market/calendar.ts';
import { AGREEMENT_VERSION } from '#rules/provider.ts';
import type { Symbol } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';
import type { World } from './world.ts';

export type WaitingExits = {
  /**
   * By position, the looks that its exit has waited through, when the last of them was, and whether it was a task then.
   * With the end of a task another wait begins.
   */
  readonly now: Map<string, { readonly looks: number; readonly at: Instant; readonly isTask: boolean }>;
  /** How many exits have waited through a look so far, and how many of them through two. */
  once: number;
  twice: number;
};

export function newWaitingExits(): WaitingExits {
  return { now: new Map(), once: 0, twice: 0 };
}

/** After a look. What several looks at one instant see is one look. */
export async function noteWaitingExits(world: World): Promise<void> {
  const { waitingExits, prices, now, violations } = world;
  const waiting = new Map<string, Waiting>();
  for (const exit of await listWaiting(world)) {
    const instrument = prices.instruments.find(({ symbol }) => symbol === exit.symbol);
    if (instrument !== undefined && sessionAt(instrument.calendar, now()) !== null)
      waiting.set(`${exit.symbol} of ${exit.deployment}`, exit);
  }
  for (const position of waitingExits.now.keys())
    if (!waiting.has(position)) waitingExits.now.delete(position);
  for (const [position, { clientOrderId, reason, isTask }] of waiting) {
    const before = waitingExits.now.get(position);
    if (before?.at === now()) continue;
    const looks = before === undefined || (before.isTask && !isTask) ? 0 : before.looks + 1;
    waitingExits.now.set(position, { looks, at: now(), isTask });
    if (looks === 1) waitingExits.once += 1;
    if (looks === LOOKS) waitingExits.twice += 1;
    if (looks >= LOOKS && !isTask)
      violations.push(
        `I22 exit ${clientOrderId} of ${position} has waited for ${looks} looks (${reason}), and nobody is asked`,
      );
  }
}

type Waiting = {
  readonly deployment: string;
  readonly symbol: Symbol;
  readonly clientOrderId: string;
  readonly reason: string | null;
  readonly isTask: boolean;
};

/** Unsent exits that may leave: nothing that their owner or staff decided holds them, and the broker answers. */
async function listWaiting({ records }: World): Promise<Waiting[]> {
  const { rows } = await records.pool.query<Waiting>(
    `select o.deployment_id as deployment, o.symbol, o.client_order_id as "clientOrderId", o.reason_code as reason,
       exists (select from incidents i where i.ended_at is null and (i.subject = o.id::text
           or (i.symbol is not distinct from o.symbol or i.symbol is null) and (i.deployment_id = o.deployment_id
             or i.deployment_id is null and (i.account_id = c.account_id or i.connection_id = c.id))
           or i.kind = 'exit_waits_for_order' and i.symbol = o.symbol and i.account_id = c.account_id
           or i.symbol = o.symbol and i.account_id is null and i.connection_id is null and i.deployment_id is null))
         or exists (select from reconciliation_breaks f where f.ended_at is null and f.account_id = c.account_id
           and f.symbol = o.symbol) as "isTask"
     from orders o join deployments d on d.id = o.deployment_id
       join broker_connections c on c.id = o.broker_connection_id join broker_sessions s on s.connection_id = c.id
     where o.status = 'intended' and o.purpose in ('stop_loss', 'liquidation', 'margin_call')
       and c.status = 'active' and s.state = 'connected'
       and d.status in ('active', 'frozen', 'stopping', 'liquidating')
       and coalesce(d.requested_status, 'active') <> 'paused'
       and exists (select from agreements a where a.user_id = d.user_id and a.version = $1 and a.status = 'signed')
       and not exists (select from kill_switches k where k.lifted_at is null)
     order by o.decided_at, o.client_order_id`,
    [AGREEMENT_VERSION],
  );
  return rows;
}

/** After the one that decided it. */
const LOOKS = 2;
