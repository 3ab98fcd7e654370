// Problems that last become incidents, and those that have not happened for a while end.
import { type ProblemLog } from '#engine/incidents/problem-log.ts';
import { REPEATED_KINDS, incidentRule } from '#engine/incidents/incident-kind.ts';
import { isOver } from '#engine/incidents/repeated-problem.ts';
import { endIncident, listOpenOfKinds, openIncident } from '#records/incidents/incidents.ts';
import { SECOND_MS } from '#units/instant.ts';
import { msBetween, parseWallInstant, type WallInstant } from '#units/wall-instant.ts';
import type { TraderDependencies } from '../dependencies.ts';

export type ProblemMemory = {
  readonly log: ProblemLog;
  /** Since when this trader would have seen a problem again. */
  watchedSince: WallInstant | null;
  sweptAt: WallInstant | null;
};

/** Throws when the database is away: what was taken by then happens again, or is over. */
export async function saveProblems(
  { handle: { database }, realNow }: Pick<TraderDependencies, 'handle' | 'realNow'>,
  memory: ProblemMemory,
  /** One trader ends them for all. */
  sweeps: 'sweeps' | 'leaves ends',
): Promise<void> {
  const now = realNow();
  for (const incident of memory.log.takeIncidents()) await openIncident(database, incident, now);
  const watchedSince = (memory.watchedSince ??= now);
  if (sweeps !== 'sweeps' || (memory.sweptAt !== null && msBetween(memory.sweptAt, now) < SWEEP_EVERY_MS))
    return;
  memory.sweptAt = now;
  for (const { lastSeenAt, lookedAgainAt, ...key } of await listOpenOfKinds(database, REPEATED_KINDS)) {
    const { repeats } = incidentRule(key.kind);
    const silence = {
      lastSeenAt: parseWallInstant(lastSeenAt),
      watchedSince,
      lookedAgainAt: lookedAgainAt && parseWallInstant(lookedAgainAt),
    };
    if (repeats === undefined || !isOver(silence, now, repeats)) continue;
    await endIncident(database, key, { how: 'unseen', at: now });
  }
}

const SWEEP_EVERY_MS = 10 * SECOND_MS;
