// Invariants of a simulated world: the product's own checkInvariants, and that no order is at the broker twice.
import type { BrokerCredentials } from '#ports/broker.ts';
import { checkInvariants } from '#trader/invariants/check-invariants.ts';
import type { AtBroker, OrderAtBroker } from './at-the-broker.ts';
import { passMinutes, tick } from './steps/step.ts';
import type { World } from './world.ts';

export async function broken(world: World, depth: 'records' | 'everything'): Promise<string[]> {
  const { brokers, credentialsOf } = world.auditor;
  const side =
    depth === 'records'
      ? 'asked once the faults are over'
      : {
          brokers,
          openCredentials: ({ id }: { readonly id: string }) => credentialsOf(id) as BrokerCredentials<never>,
          pause: () => lookAgain(world),
        };
  const verdicts = await checkInvariants(world.records.database, side);
  return verdicts.flatMap(({ invariant, says, violations, notChecked }) => [
    ...violations.map((violation) => `${invariant} ${says}: ${JSON.stringify(violation)}`),
    ...(depth === 'everything' && notChecked !== null
      ? [`${invariant} ${says}: not checked: ${notChecked}`]
      : []),
  ]);
}

/** A connection without open orders is looked at again only after a while. */
async function lookAgain(world: World): Promise<void> {
  passMinutes(world, 1);
  await tick(world);
}

/** The broker takes an id twice in these worlds: so an order that was sent again would be there twice. */
export async function doubled(world: World, atBroker: readonly AtBroker[]): Promise<string[]> {
  const found: string[] = [];
  for (const { account, orders } of atBroker) {
    const ids = orders.flatMap(({ clientOrderId }) => clientOrderId ?? []);
    for (const id of new Set(ids))
      if (ids.filter((one) => one === id).length > 1) found.push(`I1 order ${id} is twice at the broker`);
    found.push(...(await wronglyProtected(world, account, orders)));
  }
  return found;
}

/**
 * For each position at most one stop works at the broker, and it closes no more than the position, long or short. One that
 * the brokerage session no longer shows cannot be cancelled: when the broker takes back what it would sell, staff must.
 */
async function wronglyProtected(
  { records }: World,
  account: string,
  listed: readonly OrderAtBroker[],
): Promise<string[]> {
  const found: string[] = [];
  const working = listed.filter(({ isWorking, stopPrice }) => isWorking && stopPrice !== null);
  const { rows } = await records.pool.query<{
    client_order_id: string;
    position: string;
    held: number;
    isForStaff: boolean | null;
  }>(
    `select o.client_order_id, o.deployment_id || ' ' || o.symbol as position, coalesce(p.quantity, 0)::float as held,
       o.visibility <> 'shown' and o.reason_code in ('cancel_requested', 'cancel_not_confirmed') as "isForStaff"
     from orders o left join positions p on p.deployment_id = o.deployment_id and p.symbol = o.symbol
     where o.client_order_id = any($1)`,
    [working.map(({ clientOrderId }) => clientOrderId)],
  );
  const positions = rows.map(({ position }) => position);
  for (const position of new Set(positions))
    if (positions.filter((one) => one === position).length > 1)
      found.push(`I7 more than one stop works at the broker for ${position} in ${account}`);
  for (const { clientOrderId, side, quantity, filled } of working) {
    const row = rows.find(({ client_order_id: id }) => id === clientOrderId);
    const rests = (quantity - filled) / 1e8;
    const there = side === 'sell' ? (row?.held ?? 0) : -(row?.held ?? 0);
    if (rests > there + ROUNDING && row?.isForStaff !== true)
      found.push(`I7 stop ${clientOrderId} would ${side} ${rests} of the ${there} that ${row?.position} has`);
  }
  return found;
}

const ROUNDING = 1e-6;
