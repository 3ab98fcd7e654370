import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { checkCountry, checkDateOfBirth } from '#rules/eligibility/check-eligibility.ts';
import { COUNTRY_NAMES, ELIGIBLE_COUNTRIES } from '#rules/eligibility/countries.ts';
import { instant, utcDate } from '#units/instant.ts';
import { call } from '../call/call.ts';
import { CallError, sentenceOf } from '../call/call-error.ts';
import { useSession, useUser } from '../call/session.tsx';
import { Button } from '../kit/control/button.tsx';
import { Field } from '../kit/control/field.tsx';
import { Notice } from '../kit/state/notice.tsx';
import { Select } from '../kit/control/select.tsx';
import { TextInput } from '../kit/control/text-input.tsx';

type Errors = Partial<Record<'date_of_birth' | 'country', string>>;

const ELSEWHERE = 'elsewhere';
const COUNTRIES = [
  { value: '', label: 'Choose a country' },
  ...ELIGIBLE_COUNTRIES.map((code) => ({ value: code, label: COUNTRY_NAMES[code] })),
  { value: ELSEWHERE, label: 'Another country' },
];

/** The two answers as they are typed, checked here first and then by the server. */
function useEligibility() {
  const user = useUser();
  const { reloadUser } = useSession();
  const cache = useQueryClient();
  const [dateOfBirth, setDateOfBirth] = useState(user.date_of_birth ?? '');
  const [country, setCountry] = useState(user.country ?? '');
  const [errors, setErrors] = useState<Errors>({});
  const save = useMutation({
    mutationFn: async () => {
      await call('changeMe', { body: { date_of_birth: dateOfBirth, country } });
      await reloadUser();
      // What the law allows decides what many pages show, such as the fee.
      await cache.invalidateQueries();
    },
    onError: (error) => {
      if (error instanceof CallError && (error.field === 'date_of_birth' || error.field === 'country')) {
        setErrors({ [error.field]: error.message });
      }
    },
  });

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found: Errors = {};
    const birthProblem = checkDateOfBirth(dateOfBirth, utcDate(instant(Date.now())));
    const countryProblem = checkCountry(country);
    if (birthProblem) found.date_of_birth = birthProblem.message;
    if (countryProblem) found.country = countryProblem.message;
    setErrors(found);
    if (!birthProblem && !countryProblem) save.mutate();
  };

  return { dateOfBirth, setDateOfBirth, country, setCountry, errors, save, submit };
}

/** Asks what decides whether a person may invest here; what they say is kept with the record of advice. */
export function EligibilityForm({ onBack }: { onBack: () => void }) {
  const { dateOfBirth, setDateOfBirth, country, setCountry, errors, save, submit } = useEligibility();
  return (
    <form noValidate onSubmit={submit} className="grid gap-5">
      <p className="text-ink-soft">
        Two checks first: by law we may serve only adults in certain countries. We keep your answers with your
        record.
      </p>
      <Field label="Date of birth" error={errors.date_of_birth}>
        {(wiring) => (
          <TextInput
            {...wiring}
            type="date"
            autoComplete="bday"
            value={dateOfBirth}
            onChange={(event) => setDateOfBirth(event.target.value)}
            className="max-w-60"
          />
        )}
      </Field>
      <Field label="Country of residence" error={errors.country}>
        {(wiring) => (
          <Select
            {...wiring}
            autoComplete="country"
            options={COUNTRIES}
            value={country}
            onChange={(event) => setCountry(event.target.value)}
            className="max-w-sm"
          />
        )}
      </Field>
      {save.isError && Object.keys(errors).length === 0 && (
        <Notice tone="failure">
          {sentenceOf(save.error, 'Your answers could not be saved. Please try again.')}
        </Notice>
      )}
      <div className="mt-3 flex flex-wrap justify-between gap-3">
        <Button variant="secondary" onClick={onBack}>
          Back
        </Button>
        <Button type="submit" busy={save.isPending} busyLabel="Saving...">
          Continue
        </Button>
      </div>
    </form>
  );
}
