import type { DeploymentId } from '#units/identifiers.ts';

/** Counts consecutive failures of single deployments, so that one that always fails is set aside. */
export type Failures = {
  count(id: DeploymentId, where: string): void;
  forgive(id: DeploymentId, where: string): void;
  /** Those that have failed too often since they last worked, with where; each is told once. */
  takeParked(): { readonly id: DeploymentId; readonly where: string }[];
};

export function countFailures(): Failures {
  const counts = new Map<string, number>();
  const parked: { id: DeploymentId; where: string }[] = [];
  return {
    count(id, where) {
      const key = `${id} ${where}`;
      const times = (counts.get(key) ?? 0) + 1;
      counts.set(key, times);
      if (times === FAILURES_MAX) parked.push({ id, where });
    },
    forgive(id, where) {
      if (counts.size > 0) counts.delete(`${id} ${where}`);
    },
    takeParked: () => parked.splice(0),
  };
}

/** After so many failures in a row a deployment waits for a person. */
const FAILURES_MAX = 5;
