// After the faults: time passes, staff decide what the trader leaves to people, and then nothing may be open.
import { resolveOrder } from '#records/execution/order-resolutions.ts';
import type { OrderId } from '#units/identifiers.ts';
import { HOUR_MS, type Instant, MINUTE_MS } from '#units/instant.ts';
import { audited } from '../support/audited.ts';
import { adjustBooks } from './adjustments.ts';
import { unexplainedCash } from './cash-explained.ts';
import { listAtBroker } from './at-the-broker.ts';
import { broken } from './holds.ts';
import { declareMoved } from './moved-units.ts';
import { tick } from './steps/step.ts';
import { practiceCashDiffers, practiceMeetsReal, unexplainedShadows } from './practice-apart.ts';
import { unprotected } from './unprotected.ts';
import type { World } from './world.ts';

/** Every order has ended, both books agree, and nothing waits indefinitely. */
export async function calmDown(world: World): Promise<string[]> {
  await looks(world, LOOKS);
  if (await resolveByStaff(world)) await looks(world, LOOKS_AFTER_STAFF);
  await closeLooks(world);
  for (let round = 0; round < ROUNDS_OF_STAFF && (await correctByStaff(world)); round++) {
    await looks(world, LOOKS_AFTER_STAFF);
    await closeLooks(world);
  }
  const stuck = (await unconfirmed(world)).map(
    ({ clientOrderId, status, reason }) =>
      `I16 order ${clientOrderId} is still ${status} days after the last fault: ${reason}`,
  );
  // A second round finds what a dead sender left behind.
  for (let round = 0; round < 2; round++) await world.mailroom.deliver('fine');
  return [
    ...world.violations,
    ...stuck,
    ...(await world.mailroom.violations()),
    ...(await unprotected(world)),
    ...(await unexplainedCash(world)),
    ...(await practiceMeetsReal(world)),
    ...(await practiceCashDiffers(world)),
    ...(await unexplainedShadows(world)),
    ...(await broken(world, 'everything')),
    ...(await recomputed(world)),
  ];
}

/** From executions alone, by arithmetic that shares nothing with the product's. */
async function recomputed({ records }: World): Promise<string[]> {
  return (await audited(records.database)).map((finding) => `I2 recomputed: ${JSON.stringify(finding)}`);
}

async function looks(world: World, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    world.moveTo((world.now() + 13 * HOUR_MS) as Instant);
    await tick(world);
  }
}

/** A difference needs two looks in a row; and a statement waits until the end of the session is processed here. */
async function closeLooks(world: World): Promise<void> {
  for (let look = 0; look < CLOSE_LOOKS; look++) {
    world.moveTo((world.now() + MINUTE_MS) as Instant);
    await tick(world);
  }
}

/** Whether anything was asked of them. */
async function correctByStaff(world: World): Promise<boolean> {
  const isDeclared = await declareMoved(world);
  return (await adjustBooks(world)) || isDeclared;
}

/** Staff look at the broker's own screens, which show every order, and record what they found. */
async function resolveByStaff(world: World): Promise<boolean> {
  const unknown = (await unconfirmed(world)).filter(({ status }) => status === 'unknown');
  const atBroker = (await listAtBroker(world)).flatMap(({ orders }) => orders);
  for (const { id, clientOrderId } of unknown) {
    const found = atBroker.find((order) => order.clientOrderId === clientOrderId);
    await resolveOrder(world.records.database, {
      orderId: id as OrderId,
      brokerOrderId: found?.isWorking === true ? found.brokerOrderId : null,
      because: 'the desk looked',
      decidedBy: 'the desk',
    });
  }
  return unknown.length > 0;
}

type Unconfirmed = {
  readonly id: string;
  readonly clientOrderId: string;
  readonly status: string;
  readonly reason: string | null;
};

async function unconfirmed({ records }: World): Promise<Unconfirmed[]> {
  const { rows } = await records.pool.query<Unconfirmed>(
    `select o.id, o.client_order_id as "clientOrderId", o.status, o.reason_code as reason from orders o
     where o.status in ('sending', 'unknown') order by o.client_order_id`,
  );
  return rows;
}

const LOOKS = 8;
const LOOKS_AFTER_STAFF = 3;
const CLOSE_LOOKS = 3;
/** A proposal may be void when the trader reads it, or its difference may be reported days later. */
const ROUNDS_OF_STAFF = 8;
