// The protective stops at the broker: they work until the close before a split, and give way only to an order of their
// position that is about to leave.
import { SHORT_SELLERS } from '../strategies.ts';
import { listAtBroker } from '../at-the-broker.ts';
import { crossed } from '../crossed.ts';
import { doubled } from '../holds.ts';
import { unprotected } from '../unprotected.ts';
import type { World } from '../world.ts';
import { announceTomorrow, SHARES } from './corporate-steps.ts';
import { passMinutes, planted, type Step, tick, toClose, toOpening } from './step.ts';
import { actionsWithin } from './world-faults.ts';

export const STOP_STEPS: readonly Step[] = [
  {
    ...planted('F18', 'stops rest until the close before a split', 4, async (world) => {
      toOpening(world);
      await looks(world, 3);
      const symbol = world.chance.pick(SHARES);
      announceTomorrow(world, symbol, 'split');
      passMinutes(world, 20);
      await looks(world, 2);
      world.violations.push(...(await unprotected(world)));
      toClose(world);
      await looks(world, 2);
      for (const { account, orders } of listAtBroker(world))
        for (const { clientOrderId, isWorking, stopPrice, symbol: of } of orders)
          if (of === symbol && isWorking && stopPrice !== null)
            world.violations.push(`F18 stop ${clientOrderId} works over the night of a split in ${account}`);
      world.violations.push(...(await unprotected(world)));
      toOpening(world);
      await looks(world, 3);
      world.violations.push(...(await unprotected(world)));
    }),
    when: (world) => actionsWithin(world, 6).length === 0,
  },
  planted('F26', 'an order is held up by another deployment, and its stop rests', 4, async (world) => {
    const person = world.chance.pick(world.people);
    if (world.deployments.length < 8)
      for (const strategy of [world.chance.below(2), world.chance.pick(SHORT_SELLERS)])
        await world.deploy(person, strategy);
    for (let day = 0; day < 2; day++) {
      toClose(world);
      await looks(world, 3);
      world.violations.push(...(await unprotected(world)));
      toOpening(world);
      await looks(world, 3);
      const atBroker = listAtBroker(world);
      world.violations.push(
        ...(await unprotected(world)),
        ...crossed(atBroker),
        ...(await doubled(world, atBroker)),
      );
    }
  }),
];

async function looks(world: World, count: number): Promise<void> {
  for (let look = 0; look < count; look++) {
    await tick(world);
    passMinutes(world, 1);
  }
}
