import { Skeleton } from '../../kit/state/skeleton.tsx';

/** Holds the place of a card while the marketplace loads. */
export function StrategyCardSkeleton() {
  return (
    <div aria-hidden="true" className="rounded-surface border bg-surface">
      <Skeleton className="h-28 rounded-b-none rounded-t-surface" />
      <div className="grid gap-3 p-5">
        <Skeleton className="h-7 w-3/5" />
        <Skeleton className="h-10" />
        <Skeleton className="h-4 w-2/5" />
        <Skeleton className="mt-4 h-36" />
        <Skeleton className="h-4 w-1/2" />
      </div>
    </div>
  );
}
