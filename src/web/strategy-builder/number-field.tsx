import { Field } from '../kit/control/field.tsx';
import { TextInput } from '../kit/control/text-input.tsx';

/** A number above zero as it is typed; empty is none. */
export function NumberField({
  label,
  hint,
  value,
  onChange,
}: {
  label: string;
  hint?: string;
  value: string;
  onChange: (value: string) => void;
}) {
  const isWrong = value !== '' && !(Number(value) > 0);
  return (
    <Field label={label} hint={hint} error={isWrong ? 'Enter a number above zero' : null}>
      {(wiring) => (
        <TextInput
          {...wiring}
          inputMode="decimal"
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}
