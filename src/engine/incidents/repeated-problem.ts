// When a problem that is noted each time it happens becomes an incident, and when that is over. One stumble is no incident.
import type { Instant } from '#units/instant.ts';
import type { RepeatRule } from './incident-kind.ts';

/** Real clock. */
export type ProblemSeries = {
  readonly firstAt: Instant;
  readonly lastAt: Instant;
  readonly times: number;
};

/** A problem after a quiet while begins a series of its own. */
export function afterProblem(
  before: ProblemSeries | undefined,
  at: Instant,
  { quietMs }: RepeatRule,
): ProblemSeries {
  if (before === undefined || at - before.lastAt >= quietMs) return { firstAt: at, lastAt: at, times: 1 };
  return { firstAt: before.firstAt, lastAt: at, times: before.times + 1 };
}

export function isIncident(
  { firstAt, lastAt, times }: ProblemSeries,
  { timesMin, lastsMs }: RepeatRule,
): boolean {
  return times >= timesMin && lastAt - firstAt >= lastsMs;
}

/** Whether its silence counts as its end: only of a problem that somebody would have seen, since `watchedSince`. */
export function isOver(
  { lastSeenAt, watchedSince }: { readonly lastSeenAt: Instant; readonly watchedSince: Instant },
  now: Instant,
  { quietMs }: RepeatRule,
): boolean {
  return now - Math.max(lastSeenAt, watchedSince) >= quietMs;
}
