// A figure that is converted from another currency, when the rate that it is converted at is missing.
import type { World } from '../world.ts';
import { passMinutes, planted, type Step, tick, tradeThrough } from './step.ts';

export const CURRENCY_STEPS: readonly Step[] = [
  planted('F39', 'the rate of a foreign currency is missing', 4, async (world) => {
    if (world.deployments.length < 8) await world.deploy(world.chance.pick(world.people), FRANCS);
    for (let day = 0; day < 2; day++) await tradeThrough(world);
    world.feedFaults.missing = 'USDCHF';
    const since = world.now();
    for (let look = 0; look < 3; look++) {
      passMinutes(world, 20 + world.chance.below(60));
      await tick(world);
      await saysOldPrices(world, since);
    }
    await tradeThrough(world);
    world.feedFaults.missing = null;
    await tick(world);
  }),
];

/** Its place among the strategies of the world. */
const FRANCS = 3;

/** A position valued at an older rate must not show as current. */
async function saysOldPrices(world: World, since: number): Promise<void> {
  const { rows } = await world.records.pool.query<{ id: string }>(
    `select d.id from deployments d join positions p on p.deployment_id = d.id
     where p.symbol = 'USDCHF' and d.marked_at > $1`,
    [new Date(since)],
  );
  for (const { id } of rows)
    world.violations.push(`F39 deployment ${id} says that it is priced now, and a rate is missing`);
}
