// What a step of a simulated world is, and the moves that steps are made of.
import { nextSession, sessionAt } from '#engine/market/calendar.ts';
import { type Instant, MINUTE_MS } from '#units/instant.ts';
import { noteWaitingExits } from '../waiting-exits.ts';
import type { SimulatedPerson, World } from '../world.ts';

export type Step = {
  /** The fault of the catalogue that it plants; null for what happens on any day. */
  readonly fault: string | null;
  readonly name: string;
  /** How often it is drawn, against the others. */
  readonly weight: number;
  /** If it returns false the step is not drawn; without it the step is always possible. */
  readonly when?: (world: World) => boolean;
  run(world: World): Promise<void>;
};

export function step(name: string, weight: number, run: Step['run']): Step {
  return { fault: null, name, weight, run };
}

export function planted(fault: string, name: string, weight: number, run: Step['run']): Step {
  return { fault, name, weight, run };
}

/** The faults and moves that only the first vendor's stand-in has happen to its clients. */
export function clientsOfFirst({ people }: World): readonly SimulatedPerson[] {
  return people.filter(({ vendor }) => vendor === 'scripted');
}

/** One look of the trader. A failed look does not end it, as in its own loop; work it leaves undone shows at the end. */
export async function tick(world: World): Promise<void> {
  try {
    await world.trader.tick();
    if (!world.life.isDead) await noteWaitingExits(world);
  } catch (error) {
    world.problems.push(error instanceof Error ? error.message : String(error));
  }
}

export function passMinutes(world: World, minutes: number): void {
  world.moveTo((world.now() + minutes * MINUTE_MS) as Instant);
}

export function toOpening(world: World): void {
  world.moveTo((nextSession('us-equity', world.now()).opensAt + MINUTE_MS) as Instant);
}

export function toClose(world: World): void {
  const session = sessionAt('us-equity', world.now()) ?? nextSession('us-equity', world.now());
  world.moveTo((session.closesAt + MINUTE_MS) as Instant);
}

/** Past the close that makes targets, then past the opening at which their orders fill; looked at after each. */
export async function tradeThrough(world: World): Promise<void> {
  toClose(world);
  await tick(world);
  await tick(world);
  toOpening(world);
  await tick(world);
}
