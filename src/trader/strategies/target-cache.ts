// The targets read since the trader acquired its shards.
import type { LatestTargets, TargetRecord } from '#records/strategies/targets.ts';
import type { DeploymentId, StrategyVersionId, TargetId } from '#units/identifiers.ts';

export type TargetCache = {
  /** What each version wants to hold now; a version evaluated since is absent until it is read again. */
  readonly latest: ReadonlyMap<StrategyVersionId, LatestTargets>;
  /** Targets never change once written, so they are cached. */
  readonly seen: ReadonlyMap<TargetId, TargetRecord>;
  keepLatest(version: StrategyVersionId, latest: LatestTargets): void;
  keep(target: TargetRecord): void;
  /** The deployments that were told that this target, the newest of its version, came too late. */
  saidLate(target: TargetRecord): Set<DeploymentId>;
  /** Versions whose newest closes are still to be evaluated: nothing older is traded. */
  readonly catchingUp: Set<StrategyVersionId>;
  forgetLatest(version: StrategyVersionId): void;
  forgetAllLatest(): void;
};

export function createTargetCache(): TargetCache {
  const latest = new Map<StrategyVersionId, LatestTargets>();
  const seen = new Map<TargetId, TargetRecord>();
  const late = new Map<StrategyVersionId, { readonly target: TargetId; readonly told: Set<DeploymentId> }>();
  return {
    latest,
    seen,
    catchingUp: new Set(),
    saidLate({ id, versionId }) {
      const known = late.get(versionId);
      if (known?.target === id) return known.told;
      const told = new Set<DeploymentId>();
      late.set(versionId, { target: id, told });
      return told;
    },
    keepLatest: (version, targets) => void latest.set(version, targets),
    keep: (target) => void seen.set(target.id, target),
    forgetLatest: (version) => void latest.delete(version),
    forgetAllLatest: () => latest.clear(),
  };
}
