// One seed: a world, its steps, and after every step everything that must hold.
import { createHash } from 'node:crypto';
import { type Instant, MINUTE_MS } from '#units/instant.ts';
import type { TestDatabase } from '../support/test-database.ts';
import { listAtBroker } from './at-the-broker.ts';
import { bridged } from './bridged.ts';
import { calmDown } from './calm-down.ts';
import { type Chance, chanceOf } from './chance.ts';
import { closesTooMuch } from './closes-too-much.ts';
import { countDecided } from './deciding.ts';
import { crossed } from './crossed.ts';
import { DECIDED } from './strategies.ts';
import { beyondDecided, countShorts } from './decided-positions.ts';
import { broken, doubled } from './holds.ts';
import { countMixed, practiceMeetsReal } from './practice-apart.ts';
import { calm } from './steps/broker-faults.ts';
import { EVERY_STEP } from './steps/every-step.ts';
import { type Step, tick } from './steps/step.ts';
import { createWorld, type World } from './world.ts';

export type Simulated = {
  readonly seed: number;
  /** What happened, in order. */
  readonly trace: readonly string[];
  readonly violations: readonly string[];
  /** Of the whole trace and everything that was booked: equal for equal seeds. */
  readonly fingerprint: string;
  readonly faults: ReadonlyMap<string, number>;
  readonly counts: {
    readonly orders: number;
    readonly fills: number;
    readonly fees: number;
    /** Deposits and withdrawals that were carried out. */
    readonly flows: number;
    /** Orders that rested to protect a position, and those of them that filled. */
    readonly stops: number;
    readonly stopsFilled: number;
    /** Exits that waited through a look at the broker, and those of them that waited through two and were a task then. */
    readonly exitsWaited: number;
    readonly exitsAsked: number;
    /** Fills that left a position short, and orders that rested to protect one that was. */
    readonly shorts: number;
    readonly stopsOfShorts: number;
    /** Dividends on short positions, and on executions that were reported after their night. */
    readonly shortDividends: number;
    readonly lateDividends: number;
    /** What two people did about executions that the broker revised. */
    readonly adjustments: number;
    /** Days with a statement of an account's cash, and those of them with something beyond a cent that nothing explains. */
    readonly statements: number;
    readonly unexplained: number;
    /** Days of deployments whose return bridge was summed. */
    readonly bridgedDays: number;
    /** Fills on practice and at the second vendor. */
    readonly practiced: number;
    readonly atSecondVendor: number;
    /** Questions to a model that decides, those that it answered, and fills of what it decided. */
    readonly asked: number;
    readonly answered: number;
    readonly decided: number;
  };
};

/** Stops at the first step after which something does not hold. */
export async function simulate(
  seed: number,
  records: TestDatabase,
  { steps, keys }: { readonly steps: number; readonly keys: string },
): Promise<Simulated> {
  const world = await createWorld(seed, records, keys);
  const passing = chanceOf(seed, 5);
  const trace: string[] = [];
  const faults = new Map<string, number>();
  let violations: readonly string[] = [];
  let hasMovedOn = false;
  try {
    calm(world);
    for (const person of world.people) for (let i = 0; i < 2; i++) await world.deploy(person);
    if (world.isMixed) await beginPractice(world);
    if (world.model) for (const place of DECIDED) await world.deploy(world.chance.pick(world.people), place);
    for (let i = 0; i < steps && violations.length === 0; i++) {
      const next = draw(world);
      trace.push(`${i} ${new Date(world.now()).toISOString()} ${next.name}`);
      if (next.fault !== null) faults.set(next.fault, (faults.get(next.fault) ?? 0) + 1);
      if (seed >= RESTLESS_FROM && passing.next() < MOVES_ON)
        moveOnWithinLook(world, passing, () => {
          hasMovedOn = true;
        });
      await next.run(world);
      // What a look had valued before the time passed is valued again by the next one.
      while (hasMovedOn) {
        hasMovedOn = false;
        await tick(world);
      }
      const atBroker = await listAtBroker(world);
      violations = [
        ...world.violations,
        ...(await broken(world, 'records')),
        ...(await doubled(world, atBroker)),
        ...crossed(atBroker),
        ...(world.model?.repeated() ?? []).map((text) => `a model was asked twice: ${text}`),
        ...(await beyondDecided(world, atBroker)),
        ...(await closesTooMuch(world, atBroker)),
        ...(await practiceMeetsReal(world)),
      ];
    }
    if (violations.length === 0) {
      trace.push('faults are over');
      violations = [...(await calmDown(world)), ...(await beyondDecided(world, await listAtBroker(world)))];
    }
    const bridge = await bridged(world);
    violations = [...violations, ...bridge.violations];
    const booked = await bookedRows(world);
    const fingerprint = createHash('sha256')
      .update(JSON.stringify([trace, booked]))
      .digest('hex');
    const fees = booked.bills.filter(({ fee_micro: fee }) => fee !== '0').length;
    const flows = booked.flows.filter(({ status }) => status === 'done').length;
    const stops = booked.orders.filter(({ purpose }) => purpose === 'protective');
    const counts = {
      orders: booked.orders.length,
      fills: booked.fills.length,
      fees,
      flows,
      stops: stops.length,
      stopsFilled: stops.filter(({ status }) => status === 'filled').length,
      exitsWaited: world.waitingExits.once,
      exitsAsked: world.waitingExits.twice,
      shorts: await countShorts(world),
      stopsOfShorts: stops.filter(({ side }) => side === 'buy').length,
      bridgedDays: bridge.days,
      ...(await countOddities(world)),
      ...(await countMixed(world)),
      ...(await countDecided(world)),
    };
    return { seed, trace, violations, fingerprint, faults, counts };
  } finally {
    await world.close();
  }
}

/** One on its own, and one beside a real one from the first day. */
async function beginPractice(world: World): Promise<void> {
  for (const strategy of [undefined, 0]) await world.practise(world.chance.pick(world.people), strategy);
  await world.promote(world.practices.at(-1)!);
}

/** At a broker's published pacing a look takes seconds; on a slow machine a close can pass while it lasts. */
function moveOnWithinLook(world: World, passing: Chance, onMoved: () => void): void {
  const minutes = passing.pick([1, 5, 40, 240]);
  world.life.interruptAt(1 + passing.below(150), async () => {
    world.moveTo((world.now() + minutes * MINUTE_MS) as Instant);
    onMoved();
    return true;
  });
}

function draw(world: World): Step {
  const steps = EVERY_STEP.filter(({ when }) => when?.(world) ?? true);
  const total = steps.reduce((sum, { weight }) => sum + weight, 0);
  let at = world.chance.next() * total;
  for (const one of steps) {
    at -= one.weight;
    if (at < 0) return one;
  }
  return steps[0]!;
}

async function countOddities({ records }: World) {
  const { rows } = await records.pool.query<
    Record<'shortDividends' | 'lateDividends' | 'adjustments' | 'statements' | 'unexplained', number>
  >(
    `select count(*) filter (where kind = 'dividend' and entitled < 0 and execution = '')::int as "shortDividends",
       count(*) filter (where kind = 'dividend' and execution <> '')::int as "lateDividends",
       (select count(*)::int from adjustments where status = 'applied') as adjustments,
       (select count(*)::int from cash_statements) as statements,
       (select count(*)::int from cash_statements where abs(unexplained_micro) > 10000) as unexplained
     from position_events`,
  );
  return rows[0]!;
}

async function bookedRows(world: World) {
  const read = async (query: string) => (await world.records.pool.query<Record<string, unknown>>(query)).rows;
  return {
    orders: await read(
      `select client_order_id, purpose, symbol, side, quantity, status, filled_quantity from orders order by client_order_id`,
    ),
    fills: await read(
      `select symbol, side, quantity, price, executed_at from fills order by executed_at, symbol, side, quantity`,
    ),
    bills: await read(
      `select period_end, is_closing, closing_value_micro, profit_micro, fee_micro, high_water_after_micro
       from fee_bills order by deployment_id, number`,
    ),
    flows: await read(
      `select kind, status, requested_micro, moved_micro, reason_code from deployment_flows order by created_at, id`,
    ),
    deployments: await read(
      `select status, cash_micro, equity_micro, realized_micro from deployments order by id`,
    ),
  };
}

/** Worlds below it are kept as they were when they found something. */
const RESTLESS_FROM = 100_000;
/** How often time passes within a look of a step. */
const MOVES_ON = 0.5;
