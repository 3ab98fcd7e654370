import { useId, type ReactNode } from 'react';

type Wiring = {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
};

/** A label above, a control, a hint, and an error message; all linked for screen readers. */
export function Field({
  label,
  hint,
  error,
  aside,
  children,
}: {
  label: ReactNode;
  hint?: ReactNode;
  error?: string | null;
  /** At the end of the label's line, such as a link. */
  aside?: ReactNode;
  children: (wiring: Wiring) => ReactNode;
}) {
  const id = useId();
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div className="grid gap-1.5">
      <div className="flex items-baseline justify-between gap-4">
        <label htmlFor={id} className="text-sm font-medium text-ink">
          {label}
        </label>
        {aside}
      </div>
      {children({ id, 'aria-describedby': described || undefined, 'aria-invalid': error ? true : undefined })}
      {hint && (
        <p id={`${id}-hint`} className="text-sm text-ink-faint">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} role="alert" className="text-sm text-loss">
          {error}
        </p>
      )}
    </div>
  );
}
