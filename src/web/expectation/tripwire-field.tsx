import { TRIPWIRE_CHOICES, type TripwireChoice } from '#engine/risk/tripwire.ts';
import {
  TRIPWIRE_CHOICE_LABELS,
  TRIPWIRE_CHOICE_MEANINGS,
  TRIPWIRE_RATE_SENTENCE,
} from '#rules/deployments/tripwire-text.ts';
import { Field } from '../kit/control/field.tsx';
import { Select } from '../kit/control/select.tsx';

/** What happens once its returns have proved worse than the published record. */
export function TripwireField({
  value,
  onChange,
}: {
  value: TripwireChoice;
  onChange: (value: TripwireChoice) => void;
}) {
  return (
    <Field
      label="If it does worse than its record"
      hint={`${TRIPWIRE_CHOICE_MEANINGS[value]} ${TRIPWIRE_RATE_SENTENCE}`}
    >
      {(wiring) => (
        <Select
          {...wiring}
          className="max-w-80"
          value={value}
          onChange={(event) => {
            const chosen = TRIPWIRE_CHOICES.find((one) => one === event.target.value);
            if (chosen) onChange(chosen);
          }}
          options={TRIPWIRE_CHOICES.map((one) => ({ value: one, label: TRIPWIRE_CHOICE_LABELS[one] }))}
        />
      )}
    </Field>
  );
}
