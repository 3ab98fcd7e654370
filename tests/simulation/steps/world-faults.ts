// What goes wrong around trader and broker: clocks, trading venues, companies, the broker's books, the mail.
import { nextSession } from '#engine/market/calendar.ts';
import type { Rule } from '#sandbox/interactive-brokers/faults/fault-script.ts';
import type { BrokerAccountId, Symbol } from '#units/identifiers.ts';
import { DAY_MS, type Instant, MINUTE_MS, utcDate } from '#units/instant.ts';
import { splitSince } from '../decided-positions.ts';
import type { World } from '../world.ts';
import { calm, under } from './broker-faults.ts';
import {
  clientsOfFirst,
  passMinutes,
  planted,
  type Step,
  tick,
  toClose,
  toOpening,
  tradeThrough,
} from './step.ts';

export const WORLD_FAULTS: readonly Step[] = [
  planted('F06', 'fills are told, and their orders never acknowledged', 3, async (world) => {
    const silence: readonly Rule[] = [
      { on: 'submit', fault: { kind: 'lost', when: 'after', how: 'close' } },
      { on: 'orders', fault: { kind: 'list', how: 'empty', keep: 0 } },
    ];
    await under(world, silence, async () => {
      await tradeThrough(world);
      passMinutes(world, 2);
      await tick(world);
    });
  }),
  planted('F15', 'the clock of the trader is wrong, and is put right', 3, async (world) => {
    world.skewClock(world.chance.pick([-5, -2, 2, 5]) * MINUTE_MS);
    await tick(world);
    await tradeThrough(world);
    world.skewClock(0);
    await tick(world);
  }),
  {
    ...planted('F17', 'a share is halted for days', 4, haltedForDays),
    // A split would show in the price of a halted share.
    when: (world) => actionsWithin(world, 8).length === 0,
  },
  {
    ...planted(
      'F18',
      'the trader dies during the end-of-day processing of a split or dividend',
      8,
      dieInEndOfDay,
    ),
    when: (world) => actionsWithin(world, 6).length > 0,
  },
  planted('F25', 'the broker moves shares without an execution, and back', 3, async (world) => {
    const { chance } = world;
    const account = chance.pick(clientsOfFirst(world)).account as BrokerAccountId;
    const symbol = chance.pick(['AAA', 'BBB']) as Symbol;
    const units = chance.pick([-4, 3]);
    const began = world.now();
    for (const way of ['there', 'back']) {
      const moved = way === 'there' ? units : -units * splitSince(world, symbol, began);
      world.brokerage.faults.set(
        {
          seed: world.seed,
          resets: false,
          limits: false,
          rules: [
            { on: 'submit', fault: { kind: 'takes_repeats' } },
            { on: 'clock', at: world.now(), account, fault: { kind: 'drift', symbol, units: moved } },
          ],
        },
        world.now(),
      );
      world.moved.push({ account, symbol, units: moved, at: world.now() });
      passMinutes(world, 1);
      await tick(world);
      if (way === 'there') await tradeThrough(world);
    }
    calm(world);
  }),
  planted('F30', 'mails are sent while the provider is down and the sender dies', 3, async (world) => {
    await tradeThrough(world);
    await world.mailroom.deliver('down');
    await tradeThrough(world);
    await world.mailroom.deliver('deadly');
    await world.mailroom.deliver('down');
  }),
];

async function haltedForDays(world: World): Promise<void> {
  const { chance, prices } = world;
  prices.halt(chance.pick(['AAA', 'BBB']) as Symbol, world.now());
  const days = 1 + chance.below(3);
  for (let day = 0; day < days; day++) await tradeThrough(world);
  prices.lift(world.now());
  await tick(world);
}

async function dieInEndOfDay(world: World): Promise<void> {
  const [action] = actionsWithin(world, 6);
  while (utcDate(nextSession('us-equity', world.now()).opensAt) < action!.exDate) {
    toOpening(world);
    await tick(world);
    toClose(world);
    await tick(world);
  }
  world.life.dieAt(1 + world.chance.below(90), world.chance.pick(['before', 'after']));
  toOpening(world);
  await tick(world);
  await world.restart();
  await tick(world);
}

/** Those that take effect from tomorrow on, within this many days. */
export function actionsWithin({ prices, now }: World, days: number) {
  const today = utcDate(nextSession('us-equity', now()).opensAt);
  const known = prices.actions?.((now() + days * DAY_MS) as Instant) ?? [];
  return known.filter(({ exDate }) => exDate >= today);
}
