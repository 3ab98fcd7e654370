import type { ReactNode } from 'react';
import type { Pointed } from './marked-parts.ts';

/** Words and rules that made each other: the pointer or the focus on one marks the other. */
export function PointingButton({
  part,
  isPointed,
  point,
  className,
  children,
}: Pick<Pointed, 'point'> & { part: string; isPointed: boolean; className: string; children: ReactNode }) {
  return (
    <button
      type="button"
      aria-pressed={isPointed}
      onMouseEnter={() => point(part)}
      onMouseLeave={() => point(null)}
      onFocus={() => point(part)}
      onBlur={() => point(null)}
      className={className}
    >
      {children}
    </button>
  );
}
