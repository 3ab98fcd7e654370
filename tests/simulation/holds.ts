// What must hold in a simulated world: the claims of the product's own verify, and that no order is at the broker twice.
import { verify } from '#trader/verify/verify.ts';
import type { BrokerOrder } from '#ports/broker.ts';
import { listAtBroker } from './at-the-broker.ts';
import { tick } from './steps/step.ts';
import type { World } from './world.ts';

export async function broken(world: World, depth: 'records' | 'everything'): Promise<string[]> {
  const { broker, credentialsOf } = world.auditor;
  const side =
    depth === 'records'
      ? 'asked once the faults are over'
      : { broker, openCredentials: credentialsOf, pause: () => tick(world) };
  const verdicts = await verify(world.records.database, side);
  return verdicts.flatMap(({ invariant, says, offences, notChecked }) => [
    ...offences.map((offence) => `${invariant} ${says}: ${JSON.stringify(offence)}`),
    ...(depth === 'everything' && notChecked !== null
      ? [`${invariant} ${says}: not checked: ${notChecked}`]
      : []),
  ]);
}

/** The broker takes an id twice in these worlds: so an order that was sent again would be there twice. */
export async function doubled(world: World): Promise<string[]> {
  const found: string[] = [];
  for (const { account, session, orders } of await listAtBroker(world)) {
    const ids = orders.flatMap(({ clientOrderId }) => clientOrderId ?? []);
    for (const id of new Set(ids))
      if (ids.filter((one) => one === id).length > 1) found.push(`I1 order ${id} is twice at the broker`);
    found.push(...(await doublyProtected(world, account, orders)));
    // Nobody here sells short, by hand or by strategy.
    const held = await session.positions(account);
    for (const { symbol, quantity } of held.outcome === 'ok' ? held.value : [])
      if (quantity < 0) found.push(`I7 ${symbol} was sold beyond what is held in ${account}`);
  }
  return found;
}

/** Of each position at most one order rests at the broker. */
async function doublyProtected(
  { records }: World,
  account: string,
  listed: readonly BrokerOrder[],
): Promise<string[]> {
  const found: string[] = [];
  const resting = listed.filter(({ status, stopPrice }) => status === 'working' && stopPrice != null);
  const { rows } = await records.pool.query<{ client_order_id: string; position: string }>(
    `select client_order_id, deployment_id || ' ' || symbol as position from orders where client_order_id = any($1)`,
    [resting.map(({ clientOrderId }) => clientOrderId)],
  );
  const positions = rows.map(({ position }) => position);
  for (const position of new Set(positions))
    if (positions.filter((one) => one === position).length > 1)
      found.push(`I7 more than one stop rests at the broker for ${position} in ${account}`);
  return found;
}
