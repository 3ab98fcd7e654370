// What happens on any day: time passes, people deploy, pause, resume, stop and change their minds.
import type { World } from '../world.ts';
import { passMinutes, type Step, step, tick, toClose, toOpening } from './step.ts';

export const ORDINARY: readonly Step[] = [
  step('a few minutes pass', 8, async (world) => {
    passMinutes(world, 1 + world.chance.below(40));
    await tick(world);
  }),
  step('the market opens', 12, async (world) => {
    toOpening(world);
    await tick(world);
  }),
  step('the market closes', 14, async (world) => {
    toClose(world);
    await tick(world);
  }),
  step('a day passes unwatched', 3, async (world) => {
    passMinutes(world, 26 * 60);
    await tick(world);
  }),
  step('somebody deploys', 6, async (world) => {
    if (world.deployments.length < 6) await world.deploy(world.chance.pick(world.people));
    await tick(world);
  }),
  step('a client pauses', 3, (world) => command(world, 'paused')),
  step('a client resumes', 5, (world) => command(world, 'active')),
  step('a client stops', 2, (world) => command(world, 'stopped')),
  step('a liquidation is approved', 1, (world) => command(world, 'liquidated')),
  step('a client changes the limits', 3, async (world) => {
    await changeLimits(world);
    await tick(world);
  }),
];

type Command = 'paused' | 'active' | 'stopped' | 'liquidated';

/** Written as the server writes it, where the life cycle allows it; the trader may look at once or later. */
async function command(world: World, requested: Command): Promise<void> {
  await writeCommand(world, requested);
  if (world.chance.happens(0.7)) await tick(world);
}

/** False when the trader holds the row at this moment. */
export async function writeCommand(world: World, requested: Command): Promise<boolean> {
  const { chance, deployments } = world;
  return writeWithoutWaiting(
    world,
    `update deployments set requested_status = $2, revision = revision + 1
     where id = $1 and status = any($3) and requested_status is null`,
    [chance.pick(deployments), requested, FROM[requested]],
  );
}

/** False when the trader holds the row at this moment. */
export async function changeLimits(world: World): Promise<boolean> {
  const { chance, deployments } = world;
  return writeWithoutWaiting(
    world,
    `update deployments set stop_loss_percentage = $2, max_allocation_percent = $3, freeze_on_drawdown_percent = $4,
       revision = revision + 1 where id = $1`,
    [chance.pick(deployments), chance.pick([5, 10, 20]), chance.pick([5, 15, 25]), chance.pick([0, 10, 90])],
  );
}

async function writeWithoutWaiting({ records }: World, query: string, values: unknown[]): Promise<boolean> {
  const client = await records.pool.connect();
  try {
    await client.query('begin');
    await client.query(`set local lock_timeout = '5ms'`);
    await client.query(query, values);
    await client.query('commit');
    return true;
  } catch (error) {
    await client.query('rollback');
    if ((error as { code?: string }).code === LOCK_NOT_AVAILABLE) return false;
    throw error;
  } finally {
    client.release();
  }
}

const LOCK_NOT_AVAILABLE = '55P03';

const FROM: { readonly [requested in Command]: readonly string[] } = {
  paused: ['pending', 'active', 'frozen'],
  active: ['paused'],
  stopped: ['active', 'paused', 'frozen'],
  liquidated: ['active', 'paused', 'frozen'],
};
