import { classNames } from '../class-names.ts';

/** A placeholder for loading content, at its size. The text that says so is next to it. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <div aria-hidden="true" className={classNames('animate-breathe rounded-control bg-raised', className)} />
  );
}
