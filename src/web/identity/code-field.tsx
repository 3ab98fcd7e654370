import { Field } from '../kit/control/field.tsx';
import { TextInput } from '../kit/control/text-input.tsx';

/** For the six digits of an authenticator app, or a backup code. */
export function CodeField({
  label = 'Code',
  hint = 'The six digits in your authenticator app, or one of your backup codes.',
  error,
  autoFocus,
}: {
  label?: string;
  hint?: string;
  error?: string | null | undefined;
  autoFocus?: boolean;
}) {
  return (
    <Field label={label} hint={hint} error={error ?? null}>
      {(wiring) => (
        <TextInput
          {...wiring}
          name="code"
          autoComplete="one-time-code"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={32}
          className="max-w-48 font-mono"
          ref={autoFocus ? focus : undefined}
        />
      )}
    </Field>
  );
}

/** The page has just asked for it. */
function focus(input: HTMLInputElement | null): void {
  input?.focus();
}
