import { opensBreaker } from './quarantine.ts';
import type { FailingTask } from './status-reason.ts';
import type { DeploymentId } from '#units/identifiers.ts';

/** Counts consecutive failures of one task for one deployment, so that one that keeps failing is quarantined. */
export type CircuitBreaker = {
  failed(id: DeploymentId, failing: FailingTask): void;
  succeeded(id: DeploymentId, failing: FailingTask): void;
  /** A person has looked: its next failures are a series of their own. */
  forget(id: DeploymentId): void;
  /** Those that have failed too often since their last success; each is returned once. */
  takeOpened(): { readonly id: DeploymentId; readonly failing: FailingTask }[];
};

export function createCircuitBreaker(): CircuitBreaker {
  const counts = new Map<string, number>();
  const opened: { id: DeploymentId; failing: FailingTask }[] = [];
  const keyOf = (id: DeploymentId, { task, symbol }: FailingTask) => `${id} ${task} ${symbol ?? ''}`;
  return {
    failed(id, failing) {
      const key = keyOf(id, failing);
      const inARow = (counts.get(key) ?? 0) + 1;
      counts.set(key, inARow);
      if (opensBreaker(inARow)) opened.push({ id, failing });
    },
    succeeded(id, failing) {
      if (counts.size > 0) counts.delete(keyOf(id, failing));
    },
    forget(id) {
      for (const key of counts.keys()) if (key.startsWith(`${id} `)) counts.delete(key);
    },
    takeOpened: () => opened.splice(0),
  };
}
