import type { ReactNode } from 'react';
import { Field } from './field.tsx';
import { TextInput } from './text-input.tsx';

/** An amount of dollars as typed. */
export function AmountField({
  label,
  hint,
  error,
  aside,
  min = 0,
  value,
  onChange,
  className,
}: {
  label: ReactNode;
  hint?: ReactNode;
  error: string | null;
  aside?: ReactNode;
  min?: number;
  value: string;
  onChange: (text: string) => void;
  className?: string;
}) {
  return (
    <Field label={label} hint={hint} error={error} aside={aside}>
      {(wiring) => (
        <TextInput
          {...wiring}
          type="number"
          inputMode="decimal"
          lead="$"
          min={min}
          step="0.01"
          value={value}
          onChange={(event) => onChange(event.target.value)}
          {...(className !== undefined && { className })}
        />
      )}
    </Field>
  );
}
