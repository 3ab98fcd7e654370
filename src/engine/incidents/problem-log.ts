// The problems that a trader meets while it works, counted by what they are about, and which of them are incidents by now.
import { SECOND_MS } from '#units/instant.ts';
import { msBetween, type WallInstant } from '#units/wall-instant.ts';
import { type IncidentKey, incidentSlot, type NewIncident } from './incident-changes.ts';
import { incidentRule, type RepeatedKind } from './incident-kind.ts';
import { afterProblem, isIncident, type ProblemSeries } from './repeated-problem.ts';

/** What a problem is about; `task` says what failed. */
export type Problem = IncidentKey<RepeatedKind> &
  Pick<NewIncident, 'connectionId' | 'accountId' | 'deploymentId'> & { readonly task: string };

export type ProblemLog = {
  /** `said` quotes what the failing part reported. */
  note(problem: Problem, said: string, at: WallInstant): void;
  /** The incidents among the problems noted since the last call; of a lasting one only now and then. */
  takeIncidents(): NewIncident[];
};

type Entry = {
  readonly incident: NewIncident<RepeatedKind>;
  readonly series: ProblemSeries;
  /** When it was last taken as an incident. */
  takenAt: WallInstant | null;
  isNew: boolean;
};

export function createProblemLog(): ProblemLog {
  const entries = new Map<string, Entry>();
  return {
    note({ task, ...problem }, said, at) {
      const slot = incidentSlot(problem);
      const { repeats } = incidentRule(problem.kind);
      if (repeats === undefined) return;
      const before = entries.get(slot);
      const series = afterProblem(before?.series, at, repeats);
      const takenAt = series.times === 1 ? null : (before?.takenAt ?? null);
      const facts = { task, said: said.slice(0, QUOTE_MAX) };
      entries.delete(slot);
      entries.set(slot, {
        incident: { ...problem, facts, since: series.firstAt },
        series,
        takenAt,
        isNew: true,
      });
      for (const [oldest] of entries) {
        if (entries.size <= ENTRIES_MAX) break;
        entries.delete(oldest);
      }
    },
    takeIncidents() {
      const taken: NewIncident[] = [];
      for (const entry of entries.values()) {
        const { incident, series, takenAt } = entry;
        const { repeats } = incidentRule(incident.kind);
        if (!entry.isNew || repeats === undefined || !isIncident(series, repeats)) continue;
        entry.isNew = false;
        if (takenAt !== null && msBetween(takenAt, series.lastAt) < TAKEN_EVERY_MS) continue;
        entry.takenAt = series.lastAt;
        taken.push(incident);
      }
      return taken;
    },
  };
}

const QUOTE_MAX = 300;
const TAKEN_EVERY_MS = 10 * SECOND_MS;
/** Beyond it those that have not happened for longest are forgotten. */
const ENTRIES_MAX = 5_000;
