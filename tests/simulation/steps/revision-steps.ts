// The broker revises an execution: another price, another quantity, or a bust. Staff make the books follow.
import { adjustBooks, watchRevisions } from '../adjustments.ts';
import { calm, scriptFor } from './broker-faults.ts';
import { clientsOfFirst, passMinutes, planted, type Step, tick, toOpening, tradeThrough } from './step.ts';

export const REVISION_STEPS: readonly Step[] = [
  planted('F18', 'the broker corrects an execution, or takes it back', 4, async (world) => {
    const { chance } = world;
    await tradeThrough(world);
    const person = chance.pick(clientsOfFirst(world));
    const how = chance.pick(['price', 'quantity', 'bust', 'vanished'] as const);
    const fault = {
      kind: 'revised',
      how,
      factor: how === 'price' ? 0.98 : 0.5,
      beside: chance.happens(0.5),
    } as const;
    await watchRevisions(world, person, () => {
      scriptFor(world, [{ on: 'clock', at: world.now(), account: person.account, fault }]);
      world.brokerage.bringUpToDate();
      calm(world);
    });
    // A sale at the same moment cannot know of it; the trader looks twice a minute.
    passMinutes(world, 1);
    if (chance.happens(0.3)) await world.restart();
    // At once, on the next day, or not before the faults are over.
    const rounds = chance.below(4);
    for (let round = 0; round < rounds; round++) {
      passMinutes(world, 20);
      await tick(world);
      if (!(await adjustBooks(world))) break;
      await tick(world);
      if (round === 1) toOpening(world);
    }
  }),
];
