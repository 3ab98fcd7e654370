import type { Deployment } from '#contract/deployments.ts';
import type { DisconnectPolicy, DisconnectChoice } from '#engine/lifecycle/disconnect-policy.ts';
import {
  DISCONNECT_MINUTES_OFFERED,
  disconnectPolicyLabel,
  disconnectPolicyMeaning,
} from '#rules/deployments/disconnect-policy-text.ts';
import { Field } from '../kit/control/field.tsx';
import { Select } from '../kit/control/select.tsx';

/** What happens after a silence of the broker, as one choice. */
export function DisconnectPolicyField({
  value,
  onChange,
}: {
  value: DisconnectPolicy;
  onChange: (value: DisconnectPolicy) => void;
}) {
  const offered = OFFERED.some((one) => keyOf(one) === keyOf(value)) ? OFFERED : [...OFFERED, value];
  return (
    <Field label="If your broker does not respond" hint={disconnectPolicyMeaning(value)}>
      {(wiring) => (
        <Select
          {...wiring}
          className="max-w-80"
          value={keyOf(value)}
          onChange={(event) => {
            const chosen = offered.find((one) => keyOf(one) === event.target.value);
            if (chosen) onChange(chosen);
          }}
          options={offered.map((one) => ({ value: keyOf(one), label: disconnectPolicyLabel(one) }))}
        />
      )}
    </Field>
  );
}

export function disconnectPolicyOf(
  deployment: Pick<Deployment, 'disconnect_choice' | 'disconnect_minutes'>,
): DisconnectPolicy {
  return { choice: deployment.disconnect_choice, minutes: deployment.disconnect_minutes };
}

export function keyOf({ choice, minutes }: DisconnectPolicy): string {
  return choice === 'wait' ? choice : `${choice} ${minutes}`;
}

const every = (choice: DisconnectChoice): readonly DisconnectPolicy[] =>
  DISCONNECT_MINUTES_OFFERED.map((minutes) => ({ choice, minutes }));
const OFFERED: readonly DisconnectPolicy[] = [
  { choice: 'wait', minutes: 60 },
  ...every('pause'),
  ...every('close'),
];
