// The targets read since the trader acquired its shards.
import type { LatestTargets, TargetRecord } from '#records/strategies/targets.ts';
import type { StrategyVersionId, TargetId } from '#units/identifiers.ts';

export type TargetCache = {
  /** What each version wants to hold now; a version evaluated since is absent until it is read again. */
  readonly latest: ReadonlyMap<StrategyVersionId, LatestTargets>;
  /** Targets never change once written, so they are cached. */
  readonly seen: ReadonlyMap<TargetId, TargetRecord>;
  keepLatest(version: StrategyVersionId, latest: LatestTargets): void;
  keep(target: TargetRecord): void;
  forgetLatest(version: StrategyVersionId): void;
  forgetAllLatest(): void;
};

export function createTargetCache(): TargetCache {
  const latest = new Map<StrategyVersionId, LatestTargets>();
  const seen = new Map<TargetId, TargetRecord>();
  return {
    latest,
    seen,
    keepLatest: (version, targets) => void latest.set(version, targets),
    keep: (target) => void seen.set(target.id, target),
    forgetLatest: (version) => void latest.delete(version),
    forgetAllLatest: () => latest.clear(),
  };
}
