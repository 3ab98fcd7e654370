import type { ReactNode } from 'react';
import { classNames } from '../class-names.ts';

/** A figure with its name above and its doubt, unit or moment beneath. Use inside a dl. */
export function Stat({
  label,
  children,
  note,
  size = 'medium',
}: {
  label: ReactNode;
  children: ReactNode;
  note?: ReactNode;
  size?: 'small' | 'medium' | 'large';
}) {
  return (
    <div className="min-w-0">
      <dt className="text-sm text-ink-faint">{label}</dt>
      <dd className={classNames('figures mt-1 text-ink', SIZES[size])}>{children}</dd>
      {note && <dd className="figures mt-1 text-sm text-ink-soft">{note}</dd>}
    </div>
  );
}

const SIZES = { small: 'text-base', medium: 'text-lg', large: 'text-2xl font-light tracking-tight' } as const;
