// When a problem that is noted each time it happens becomes an incident, and when that is over. One stumble is no incident.
import { SECOND_MS } from '#units/instant.ts';
import { msBetween, type WallInstant } from '#units/wall-instant.ts';
import type { RepeatRule } from './incident-kind.ts';

export type ProblemSeries = {
  readonly firstAt: WallInstant;
  readonly lastAt: WallInstant;
  readonly times: number;
};

/** A problem after a quiet while begins a series of its own. */
export function afterProblem(
  before: ProblemSeries | undefined,
  at: WallInstant,
  { quietMs }: RepeatRule,
): ProblemSeries {
  if (before === undefined || msBetween(before.lastAt, at) >= quietMs)
    return { firstAt: at, lastAt: at, times: 1 };
  return { firstAt: before.firstAt, lastAt: at, times: before.times + 1 };
}

export function isIncident(
  { firstAt, lastAt, times }: ProblemSeries,
  { timesMin, lastsMs }: RepeatRule,
): boolean {
  return times >= timesMin && msBetween(firstAt, lastAt) >= lastsMs;
}

export type Silence = {
  readonly lastSeenAt: WallInstant;
  /** Since when a trader would have seen it again. */
  readonly watchedSince: WallInstant;
  /** When a person last said that its cause is over; null when nobody has. */
  readonly lookedAgainAt: WallInstant | null;
};

/**
 * Whether its silence counts as its end: only of a problem that somebody would have seen. Who says that its cause is over waits
 * for less of it, from then on.
 */
export function isOver(
  { lastSeenAt, watchedSince, lookedAgainAt }: Silence,
  now: WallInstant,
  { quietMs }: RepeatRule,
): boolean {
  const quiet = Math.min(msBetween(lastSeenAt, now), msBetween(watchedSince, now));
  if (quiet >= quietMs) return true;
  return lookedAgainAt !== null && Math.min(quiet, msBetween(lookedAgainAt, now)) >= LOOKED_AGAIN_MS;
}

/** A trader that fails pauses for up to ten seconds between its ticks. */
const LOOKED_AGAIN_MS = 30 * SECOND_MS;
