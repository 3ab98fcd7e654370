import { type DeploymentSetting, WIZARD_RANGES } from '#rules/deployments/setting-ranges.ts';
import { PlanCapNotice, usePlanCap } from '../../billing/plan-cap.tsx';
import { Field } from '../../kit/field.tsx';
import { showMoney, showPercent } from '../../kit/show-figure.ts';
import { Slider } from '../../kit/slider.tsx';
import { TextInput } from '../../kit/text-input.tsx';
import { SilentBrokerField } from '../silent-broker-field.tsx';
import { StepButtons } from './step-buttons.tsx';
import { SuitabilityNotice, unsuitableReason } from './suitability-notice.tsx';
import type { Wizard } from './wizard-state.ts';

export function ConfigurationStep({ wizard }: { wizard: Wizard }) {
  const { strategy, draft, change, amount, goBack, goOn } = wizard;
  const beyondPlan = usePlanCap(amount.ok ? amount.micro : null);
  const minimum = `Minimum: ${showMoney(strategy.min_investment, { cents: 'auto' })}`;
  return (
    <>
      <div className="grid gap-8">
        <Field label="Investment Amount" hint={minimum} error={amount.ok ? null : amount.problem}>
          {(wiring) => (
            <TextInput
              {...wiring}
              type="number"
              inputMode="decimal"
              lead="$"
              min={strategy.min_investment}
              step="0.01"
              value={draft.amountText}
              onChange={(event) => change({ amountText: event.target.value })}
              className="max-w-60"
            />
          )}
        </Field>
        {SLIDERS.map(({ setting, label, hint }) => (
          <Slider
            key={setting}
            label={label}
            hint={hint}
            value={draft.settings[setting]}
            onChange={(value) => change({ settings: { ...draft.settings, [setting]: value } })}
            {...WIZARD_RANGES[setting]}
            show={(value) => showPercent(value, { decimals: 0 })}
          />
        ))}
        <SilentBrokerField value={draft.silentBroker} onChange={(silentBroker) => change({ silentBroker })} />
        <SuitabilityNotice wizard={wizard} />
        {beyondPlan && <PlanCapNotice sentence={beyondPlan} />}
      </div>
      <StepButtons
        onBack={goBack}
        next={{
          label: 'Review Deployment',
          missing: amount.ok ? (unsuitableReason(wizard) ?? beyondPlan) : amount.problem,
          onPress: goOn,
        }}
      />
    </>
  );
}

const SLIDERS: readonly { setting: DeploymentSetting; label: string; hint: string }[] = [
  {
    setting: 'stop_loss_percentage',
    label: 'Stop Loss',
    hint: 'A position that has lost this much from its average cost is sold at the next chance.',
  },
  {
    setting: 'max_allocation_per_trade',
    label: 'Max Allocation',
    hint: 'No single trade builds a position larger than this share of the deployment.',
  },
  {
    setting: 'freeze_on_drawdown',
    label: 'Freeze Threshold',
    hint: 'When the deployment falls this far from its highest value, nothing new is bought until you decide.',
  },
];
