// Several deployments of one account that want the opposite of one instrument.
import { listAtBroker } from '../at-the-broker.ts';
import { crossed } from '../crossed.ts';
import type { World } from '../world.ts';
import { writeCommand } from './ordinary.ts';
import { planted, type Step, tick, toClose, toOpening } from './step.ts';

export const SHARED_ACCOUNT_STEPS: readonly Step[] = [
  planted('F26', 'two deployments of one account follow opposite signals', 4, async (world) => {
    await deployBoth(world);
    for (let day = 0; day < 3; day++) {
      toClose(world);
      await tickWatched(world);
      await tickWatched(world);
      toOpening(world);
      await tickWatched(world);
    }
  }),
  planted('F26', 'an exit of one meets the purchase of another', 3, async (world) => {
    await deployBoth(world);
    toClose(world);
    world.life.interruptAt(1 + world.chance.below(120), () => writeCommand(world, 'stopped'));
    await tickWatched(world);
    await tickWatched(world);
    toOpening(world);
    await tickWatched(world);
  }),
];

/** The first two strategies of the world hold the same shares at opposite times. */
async function deployBoth(world: World): Promise<void> {
  if (world.deployments.length >= 8) return;
  const person = world.chance.pick(world.people);
  for (const strategy of [0, 1]) await world.deploy(person, strategy);
}

async function tickWatched(world: World): Promise<void> {
  await tick(world);
  world.violations.push(...crossed(await listAtBroker(world)));
}
