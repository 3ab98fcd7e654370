// I7: in a calm world and an open session every stop loss that can have a stop at the broker has one, unless another order
// of the position is at the broker or about to leave, or the broker resets or is about to. There is none for units that the
// owner may have closed externally, or while a person has to review the account. An order that waits for something else
// removes no protection, except in the look that decided it. A stop that this look decides leaves with the next.
import { resetAt } from '#adapters/broker/interactive-brokers/reset-windows.ts';
import { isStopTime, RESET_IS_NEAR_MS } from '#engine/execution/stops/protective-stops.ts';
import { AGREEMENT_VERSION } from '#rules/provider.ts';
import type { Symbol } from '#units/identifiers.ts';
import { HOUR_MS } from '#units/instant.ts';
import { wallAfter, wallInstantOf } from '#units/wall-instant.ts';
import type { World } from './world.ts';

export async function unprotected(world: World): Promise<string[]> {
  const { rows } = await world.records.pool.query<Bare>(
    `select p.deployment_id as deployment, p.symbol, p.quantity::float as quantity,
       p.cost_micro::float / 1e6 / p.quantity::float as "averageCost", d.stop_loss_percentage::float as percent
     from positions p join deployments d on d.id = p.deployment_id
     where p.symbol = any($1) and d.stop_loss_percentage > 0
       and d.status in ('active', 'frozen') and coalesce(d.requested_status, 'active') = 'active'
       and exists (select from broker_connections c where c.id = d.broker_connection_id and c.status = 'active')
       and exists (select from agreements a where a.user_id = d.user_id and a.version = $2 and a.status = 'signed')
       and not exists (select from suspense_entries x join broker_connections c on c.account_id = x.account_id
         where c.id = d.broker_connection_id and x.symbol = p.symbol and (x.side = 'sell') = (p.quantity > 0))
       and not exists (select from orders o where o.deployment_id = d.id and o.symbol = p.symbol
         and (o.status in ('sending', 'working', 'unknown') or (o.status = 'intended' and o.purpose <> 'protective'
           and (o.reason_code is null or o.decided_at = $4 or o.reason_code = 'stop_not_cancelled'))
           or (o.purpose = 'protective' and o.status = 'intended' and (o.decided_at = $4
             or o.reason_code = 'opposite_order' or exists (select from reconciliation_breaks f
               join broker_connections c on c.account_id = f.account_id
               where c.id = d.broker_connection_id and f.symbol = o.symbol and f.kind = 'unexplained'
                 and f.ended_at is null)))
           or (o.purpose = 'protective' and o.status = 'rejected' and o.ended_at > $3)))
     order by 1, 2`,
    [withStops(world), AGREEMENT_VERSION, new Date(world.now() - 4 * HOUR_MS), new Date(world.now())],
  );
  return rows
    .filter((bare) => isFarAway(bare, world))
    .map(({ deployment, symbol, quantity }) => `I7 nothing protects ${quantity} ${symbol} of ${deployment}`);
}

type Bare = {
  readonly deployment: string;
  readonly symbol: Symbol;
  readonly quantity: number;
  readonly averageCost: number;
  readonly percent: number;
};

/** Near its price a stop would go off at once, and the stop loss itself acts. */
function isFarAway({ symbol, quantity, averageCost, percent }: Bare, world: World): boolean {
  const { last } = world.prices.quote(symbol, world.now())!;
  const lost = quantity > 0 ? 1 - last / averageCost : last / averageCost - 1;
  return lost < percent / 100 - MARGIN;
}

/** The instruments for which the broker takes stops now: all but coins, in their sessions. */
function withStops({ prices, now }: World): readonly Symbol[] {
  const present = wallInstantOf(now());
  if (resetAt(present) !== null || resetAt(wallAfter(present, RESET_IS_NEAR_MS)) !== null) return [];
  return prices.instruments
    .filter(({ kind, calendar }) => kind !== 'crypto' && isStopTime(calendar, now()))
    .map(({ symbol }) => symbol);
}

const MARGIN = 0.01;
