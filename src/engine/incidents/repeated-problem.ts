// When a problem that is noted each time it happens becomes an incident, and when that is over. One stumble is no incident.
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

/** Whether its silence counts as its end: only of a problem that somebody would have seen, since `watchedSince`. */
export function isOver(
  { lastSeenAt, watchedSince }: { readonly lastSeenAt: WallInstant; readonly watchedSince: WallInstant },
  now: WallInstant,
  { quietMs }: RepeatRule,
): boolean {
  return Math.min(msBetween(lastSeenAt, now), msBetween(watchedSince, now)) >= quietMs;
}
