import type { ComponentProps, ReactNode } from 'react';
import { classNames } from '../class-names.ts';

export const CONTROL_CLASSES =
  'w-full rounded-control border border-control-line/70 bg-ground px-3 text-base text-ink placeholder:text-ink-faint transition-colors hover:border-control-line focus-visible:border-accent focus-visible:outline-1 focus-visible:outline-offset-0 aria-invalid:border-loss disabled:opacity-60 disabled:cursor-not-allowed';

/** A one-line input. `lead` and `trail` are inside it: a currency sign, a unit, an icon. */
export function TextInput({
  lead,
  trail,
  className,
  ...rest
}: ComponentProps<'input'> & { lead?: ReactNode; trail?: ReactNode }) {
  return (
    <div className={classNames('relative', className)}>
      {lead && (
        <span
          className="pointer-events-none absolute inset-y-0 left-3 flex items-center text-ink-faint"
          aria-hidden="true"
        >
          {lead}
        </span>
      )}
      <input
        {...rest}
        className={classNames(
          CONTROL_CLASSES,
          'h-11',
          lead !== undefined && 'pl-9',
          trail !== undefined && 'pr-9',
        )}
      />
      {trail && <span className="absolute inset-y-0 right-3 flex items-center text-ink-faint">{trail}</span>}
    </div>
  );
}
