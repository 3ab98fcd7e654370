import { useState, type SyntheticEvent } from 'react';
import { authenticationMessage } from './authentication-message.ts';

type FieldErrors = Readonly<Record<string, string | undefined>>;

/** Text of the fields that are required, in the words of the specification (section 5). */
const REQUIRED: Readonly<Record<string, string>> = {
  first_name: 'Name is required',
  email: 'Email is required',
  password: 'Password is required',
  new_password: 'Password is required',
  confirm_new_password: 'Password is required',
  code: 'Enter the code',
};

/** A small form: required fields, a busy flag, and what the service refused at the field that it names. */
export function useCredentialsForm(required: readonly string[], submit: (form: FormData) => Promise<void>) {
  const [errors, setErrors] = useState<FieldErrors>({});
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  const onSubmit = async (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    const element = event.currentTarget;
    const form = new FormData(element);
    const missing = required.filter((name) => textOf(form, name).trim() === '');
    setFailure(null);
    setErrors(Object.fromEntries(missing.map((name) => [name, REQUIRED[name]])));
    if (missing[0] !== undefined) return focusField(element, missing[0]);
    setBusy(true);
    try {
      await submit(form);
    } catch (error) {
      const { field, message } = authenticationMessage(error);
      setBusy(false);
      if (field !== null && element.elements.namedItem(field)) {
        setErrors({ [field]: message });
        return focusField(element, field);
      }
      return setFailure(message);
    }
    return setBusy(false);
  };

  return { errors, failure, busy, onSubmit };
}

export function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}

function focusField(form: HTMLFormElement, name: string): void {
  const field = form.elements.namedItem(name);
  if (field instanceof HTMLElement) field.focus();
}
