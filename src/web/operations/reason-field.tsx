import { Field } from '../kit/control/field.tsx';
import { TextInput } from '../kit/control/text-input.tsx';

/** The end of a sentence that others read. */
export function ReasonField({
  label,
  hint,
  value,
  onChange,
  placeholder,
}: {
  label: string;
  hint: string;
  value: string;
  onChange: (reason: string) => void;
  placeholder: string;
}) {
  return (
    <Field label={label} hint={hint}>
      {(wiring) => (
        <TextInput
          {...wiring}
          value={value}
          maxLength={300}
          autoComplete="off"
          placeholder={placeholder}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

export const hasReason = (reason: string) => reason.trim().replace(/\.+$/, '').trim().length >= 3;
