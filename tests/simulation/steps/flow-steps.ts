// People add money to what runs and withdraw some, while everything else goes on: at rest, while the trader dies, while a period is
// billed, and while the same deployment is stopped or liquidated.
import { sql } from 'kysely';
import { FLOW_KINDS, type FlowKind } from '#engine/execution/flows/flow.ts';
import { cancelFlow, requestFlow } from '#records/deployments/deployment-flows.ts';
import type { Transaction } from '#records/postgres/database.ts';
import type { DeploymentId } from '#units/identifiers.ts';
import { toMicro } from '#units/money.ts';
import type { World } from '../world.ts';
import { toPeriodEnd } from './fee-steps.ts';
import { writeCommand } from './ordinary.ts';
import { planted, type Step, step, tick, tradeThrough } from './step.ts';

export const FLOW_STEPS: readonly Step[] = [
  step('money is added to a deployment', 4, async (world) => {
    await ask(world, 'deposit');
    if (world.chance.happens(0.7)) await tick(world);
  }),
  step('money is withdrawn from a deployment', 5, async (world) => {
    await ask(world, 'withdrawal');
    await tick(world);
    if (world.chance.happens(0.5)) await tradeThrough(world);
  }),
  step('a request to move money is cancelled', 2, async (world) => {
    await cancel(world);
    await tick(world);
  }),
  planted('F19', 'the trader dies while money moves', 4, async (world) => {
    await ask(world, world.chance.pick(FLOW_KINDS));
    world.life.dieAt(1 + world.chance.below(90), world.chance.pick(['before', 'after']));
    await tick(world);
    await world.restart();
    await tick(world);
    await tick(world);
  }),
  planted('F23', 'money moves while a period is billed', 3, async (world) => {
    await tradeThrough(world);
    await ask(world, world.chance.pick(FLOW_KINDS));
    toPeriodEnd(world);
    world.life.interruptAt(1 + world.chance.below(60), () => ask(world, world.chance.pick(FLOW_KINDS)));
    await tick(world);
    await tick(world);
  }),
  planted('F22', 'a deployment is stopped while money leaves it', 2, async (world) => {
    await ask(world, 'withdrawal');
    world.life.interruptAt(1 + world.chance.below(60), () =>
      writeCommand(world, world.chance.pick(['stopped', 'liquidated', 'paused'])),
    );
    await tick(world);
    await tick(world);
  }),
];

/** Of any deployment, practised ones too. False when the trader holds its row at this moment. */
function ask(world: World, kind: FlowKind): Promise<boolean> {
  const { chance } = world;
  const deploymentId = chance.pick([...world.deployments, ...world.practices.map(({ id }) => id)]);
  const requested = toMicro(10 + chance.below(600_000) / 100);
  return unlessHeld(world, deploymentId, async (trx) => {
    await requestFlow(trx, { id: chance.uuid(), deploymentId, kind, requested, at: world.now() });
  });
}

function cancel(world: World): Promise<boolean> {
  const deploymentId = world.chance.pick(world.deployments);
  return unlessHeld(world, deploymentId, async (trx) => {
    const { rows } = await sql<{ id: string }>`
      select id from deployment_flows where deployment_id = ${deploymentId} and status = 'pending'`.execute(
      trx,
    );
    for (const { id } of rows) await cancelFlow(trx, { id, deploymentId, at: world.now() });
  });
}

async function unlessHeld(
  { records }: World,
  id: DeploymentId,
  work: (trx: Transaction) => Promise<void>,
): Promise<boolean> {
  try {
    await records.database.transaction().execute(async (trx) => {
      await sql`set local lock_timeout = '5ms'`.execute(trx);
      const { rows } = await sql<{ shadow: boolean }>`
        select shadow_of is not null as shadow from deployments where id = ${id} for update`.execute(trx);
      if (rows[0]?.shadow === false) await work(trx);
    });
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === LOCK_NOT_AVAILABLE) return false;
    throw error;
  }
}

const LOCK_NOT_AVAILABLE = '55P03';
