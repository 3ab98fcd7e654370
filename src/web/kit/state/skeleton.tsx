import { classNames } from '../class-names.ts';

/** Holds the place of what is loading, at its size. The words that say so stand beside it. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <div aria-hidden="true" className={classNames('animate-breathe rounded-control bg-raised', className)} />
  );
}
