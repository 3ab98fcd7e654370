// The protective stops at the broker: they work until the close before a split, and give way only to an order of their
// position that is about to leave.
import type { Rule } from '#sandbox/interactive-brokers/faults/fault-script.ts';
import { SHORT_SELLERS } from '../strategies.ts';
import { listAtBroker } from '../at-the-broker.ts';
import { crossed } from '../crossed.ts';
import { doubled } from '../holds.ts';
import { unprotected } from '../unprotected.ts';
import type { World } from '../world.ts';
import { announceTomorrow, SHARES } from './corporate-steps.ts';
import { rule, under } from './broker-faults.ts';
import { passMinutes, planted, type Step, tick, toClose, toOpening } from './step.ts';
import { actionsWithin } from './world-faults.ts';

export const STOP_STEPS: readonly Step[] = [
  planted('F41', 'prices pass a stop within a session', 16, pricesPassStops),
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
      for (const { account, orders } of await listAtBroker(world))
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
      const atBroker = await listAtBroker(world);
      world.violations.push(
        ...(await unprotected(world)),
        ...crossed(atBroker),
        ...(await doubled(world, atBroker)),
      );
    }
  }),
];

/**
 * Prices pass a stop at the broker while its session is open, between two looks: by a little, so that the trader's own
 * stop loss acts first, or by so much that the stop has filled when the trader looks.
 */
async function pricesPassStops(world: World): Promise<void> {
  const { chance, prices } = world;
  toOpening(world);
  await looks(world, 3);
  for (let round = 0; round < 2; round++) {
    const stops = (await listAtBroker(world)).flatMap(({ orders }) =>
      orders.filter(({ isWorking, stopPrice }) => isWorking && stopPrice !== null),
    );
    if (stops.length === 0) return;
    const { symbol, side, stopPrice } = chance.pick(stops);
    const beyond = chance.pick([-0.005, 0.01, 0.04, 0.15]);
    const wanted = stopPrice! * (side === 'sell' ? 1 - beyond : 1 + beyond);
    prices.move(symbol, world.now(), wanted / prices.quote(symbol, world.now())!.last);
    await under(world, chance.pick(WHILE_PRICES_MOVE), async () => {
      if (chance.happens(0.3)) world.life.dieAt(1 + chance.below(80), chance.pick(['before', 'after']));
      passMinutes(world, HALF_A_POINT_LATER + chance.below(POINT_LASTS));
      await tick(world);
      if (world.life.isDead) await world.restart();
      await looks(world, 2);
    });
    await looks(world, 2);
    world.violations.push(...(await doubled(world, await listAtBroker(world))));
  }
}

const WHILE_PRICES_MOVE: readonly (readonly Rule[])[] = [
  [],
  [],
  [rule('fill', { kind: 'partial_fill', share: 0.4 }, 0.8)],
  [rule('trades', { kind: 'list', how: 'partial', keep: 0.3 }, 1)],
  [rule('cancel', { kind: 'fill_wins' }, 1)],
  [rule('cancel', { kind: 'slow_cancel', minutes: 20 }, 1)],
  [rule('any', { kind: 'session_lost' }, 0.1)],
  [rule('submit', { kind: 'lost', when: 'after', how: 'close' }, 0.6)],
];
/** Minutes: a session of shares has eight prices. */
const POINT_LASTS = 49;
const HALF_A_POINT_LATER = 25;

async function looks(world: World, count: number): Promise<void> {
  for (let look = 0; look < count; look++) {
    await tick(world);
    passMinutes(world, 1);
  }
}
