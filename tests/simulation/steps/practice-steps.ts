// People practise, and promote what they practised: the real one begins with cash, and the practice one goes on beside it.
import { type Step, step, tick, tradeThrough } from './step.ts';

export const PRACTICE_STEPS: readonly Step[] = [
  {
    ...step('somebody practises', 5, async (world) => {
      if (world.deployments.length < 8) await world.practise(world.chance.pick(world.people));
      await tick(world);
    }),
    when: ({ isMixed }) => isMixed,
  },
  {
    ...step('a practice deployment is promoted, and goes on beside the real one', 5, async (world) => {
      const practice = world.practices.find(({ real }) => real === null);
      if (world.deployments.length < 9 && practice !== undefined) await world.promote(practice);
      await tradeThrough(world);
    }),
    when: ({ isMixed }) => isMixed,
  },
];
