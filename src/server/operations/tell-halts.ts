import { setTimeout as sleep } from 'node:timers/promises';
import { actAs } from '#records/audit-log.ts';
import type { Database } from '#records/database.ts';
import { haltsMayBeUntold, showHalts } from '#records/kill-switches.ts';
import type { Dependencies } from '../dependencies.ts';
import { type Repeating, repeatUntilStopped } from '../repeat-until-stopped.ts';

const LOOK_EVERY_MS = 5_000;
const TOLD_WITHIN_MS = 1_000;

/** Lets the deployments say whether they are halted. Answers how many say something else now. */
export async function tellHalts(database: Database, actor: string): Promise<number> {
  return database.transaction().execute(async (trx) => {
    await actAs(trx, actor);
    return showHalts(trx);
  });
}

/**
 * A switch is on from the commit that wrote it, and its answer waits no longer than this for the owners to be told: what
 * takes longer goes on beside it, and what fails the next look makes up for.
 */
export async function tellHaltsSoon(
  { records, logger }: Pick<Dependencies, 'records' | 'logger'>,
  actor: string,
): Promise<void> {
  const told = tellHalts(records.database, actor).catch((error: unknown) => {
    if (logger) logger.error({ err: error }, 'owners could not be told of a halt');
  });
  const patience = new AbortController();
  await Promise.race([told, sleep(TOLD_WITHIN_MS, undefined, { signal: patience.signal }).catch(() => null)]);
  patience.abort();
}

/** Tells what a process that died left untold, and halts to deployments that came after them. */
export function startTellingHalts(dependencies: Dependencies): Repeating {
  const { database } = dependencies.records;
  const work = async () => {
    if (await haltsMayBeUntold(database)) await tellHalts(database, 'system');
  };
  return repeatUntilStopped(
    { everyMs: LOOK_EVERY_MS, failure: 'owners could not be told of a halt', work },
    dependencies,
  );
}
