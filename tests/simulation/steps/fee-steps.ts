// The performance fee among everything else: a period ends while the trader dies, while staff bill by hand, and while a
// client's deployment is liquidated.
import { sql } from 'kysely';
import { listDeploymentsToBill } from '#records/fees/fee-bills.ts';
import { nextFeePeriodEnd } from '#rules/fees/fee-period.ts';
import { billBatch, periodEnds } from '#trader/fees/bill-fees.ts';
import { MINUTE_MS, type Instant } from '#units/instant.ts';
import type { World } from '../world.ts';
import { writeCommand } from './ordinary.ts';
import { planted, type Step, tick, tradeThrough } from './step.ts';

export const FEE_STEPS: readonly Step[] = [
  planted('F23', 'the trader dies while it bills', 3, async (world) => {
    await tradeThrough(world);
    toPeriodEnd(world);
    world.life.dieAt(1 + world.chance.below(80), world.chance.pick(['before', 'after']));
    await tick(world);
    await world.restart();
    await tick(world);
    await tick(world);
  }),
  planted('F23', 'staff bill while the trader does', 3, async (world) => {
    await tradeThrough(world);
    toPeriodEnd(world);
    world.life.interruptAt(1 + world.chance.below(60), () => billNow(world));
    await tick(world);
    await billNow(world);
    await tick(world);
  }),
  planted('F23', 'a deployment is liquidated while its period is billed', 3, async (world) => {
    await writeCommand(world, 'liquidated');
    await tradeThrough(world);
    toPeriodEnd(world);
    world.life.interruptAt(1 + world.chance.below(60), async () => {
      const isWritten = await writeCommand(world, world.chance.pick(['liquidated', 'stopped']));
      return isWritten && billNow(world);
    });
    await tick(world);
    await tradeThrough(world);
  }),
];

/** Past the end of a week, with or without the trader having looked at the weekend. */
export function toPeriodEnd(world: World): void {
  const end = nextFeePeriodEnd('weekly', world.now());
  world.moveTo((end + world.chance.below(3) * MINUTE_MS) as Instant);
}

/** False when the trader holds a row at this moment; nothing is written then. */
async function billNow(world: World): Promise<boolean> {
  const now = world.now();
  try {
    await world.records.database.transaction().execute(async (trx) => {
      await sql`set local lock_timeout = '5ms'`.execute(trx);
      const ids = await listDeploymentsToBill(trx, periodEnds(now), { shards: null, limit: 100 });
      await billBatch(trx, ids, { now, newId: world.chance.uuid });
    });
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === LOCK_NOT_AVAILABLE) return false;
    throw error;
  }
}

const LOCK_NOT_AVAILABLE = '55P03';
