import { useId, type ComponentProps, type ReactNode } from 'react';

export function Checkbox({
  label,
  hint,
  ...rest
}: Omit<ComponentProps<'input'>, 'type' | 'id'> & { label: ReactNode; hint?: ReactNode }) {
  const id = useId();
  return (
    <div className="flex items-start gap-3">
      <input
        {...rest}
        id={id}
        type="checkbox"
        aria-describedby={hint ? `${id}-hint` : undefined}
        className="mt-0.5 size-5 shrink-0 rounded accent-accent-fill disabled:cursor-not-allowed disabled:opacity-60"
      />
      <div>
        <label htmlFor={id} className="text-sm text-ink">
          {label}
        </label>
        {hint && (
          <p id={`${id}-hint`} className="text-sm text-ink-faint">
            {hint}
          </p>
        )}
      </div>
    </div>
  );
}
