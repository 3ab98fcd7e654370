import type { Deployment } from '#contract/deployments.ts';
import {
  SILENT_MINUTES_OFFERED,
  type SilentBroker,
  type SilentBrokerChoice,
  silentBrokerLabel,
  silentBrokerMeaning,
} from '#rules/deployments/silent-broker.ts';
import { Field } from '../kit/control/field.tsx';
import { Select } from '../kit/control/select.tsx';

/** What happens after a silence of the broker, as one choice. */
export function SilentBrokerField({
  value,
  onChange,
}: {
  value: SilentBroker;
  onChange: (value: SilentBroker) => void;
}) {
  const offered = OFFERED.some((one) => keyOf(one) === keyOf(value)) ? OFFERED : [...OFFERED, value];
  return (
    <Field label="If your broker does not respond" hint={silentBrokerMeaning(value)}>
      {(wiring) => (
        <Select
          {...wiring}
          className="max-w-80"
          value={keyOf(value)}
          onChange={(event) => {
            const chosen = offered.find((one) => keyOf(one) === event.target.value);
            if (chosen) onChange(chosen);
          }}
          options={offered.map((one) => ({ value: keyOf(one), label: silentBrokerLabel(one) }))}
        />
      )}
    </Field>
  );
}

export function silentBrokerOf(
  deployment: Pick<Deployment, 'silent_broker_choice' | 'silent_broker_minutes'>,
): SilentBroker {
  return { choice: deployment.silent_broker_choice, minutes: deployment.silent_broker_minutes };
}

export function keyOf({ choice, minutes }: SilentBroker): string {
  return choice === 'wait' ? choice : `${choice} ${minutes}`;
}

const every = (choice: SilentBrokerChoice): readonly SilentBroker[] =>
  SILENT_MINUTES_OFFERED.map((minutes) => ({ choice, minutes }));
const OFFERED: readonly SilentBroker[] = [
  { choice: 'wait', minutes: 60 },
  ...every('pause'),
  ...every('close'),
];
