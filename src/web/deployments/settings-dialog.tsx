import { useState } from 'react';
import type { Deployment } from '#contract/deployments.ts';
import {
  DEPLOYMENT_SETTINGS,
  type DeploymentSettings,
  SETTING_LABELS,
  SETTINGS_DIALOG_RANGES,
} from '#rules/deployments/setting-ranges.ts';
import type { DisconnectPolicy } from '#engine/lifecycle/disconnect-policy.ts';
import { sentenceOf } from '../call/call-error.ts';
import { TripwireField } from '../expectation/tripwire-field.tsx';
import { ConfirmDialog } from '../kit/overlay/confirm-dialog.tsx';
import { Notice } from '../kit/state/notice.tsx';
import { showMoney, showPercent } from '../kit/figure/show-figure.ts';
import { Slider } from '../kit/control/slider.tsx';
import { useChangeSettings } from './deployment-queries.ts';
import { keyOf, disconnectPolicyOf, DisconnectPolicyField } from './disconnect-policy-field.tsx';
import { freezeFloor } from './deployment-figures.ts';

/** Stop loss, allocation cap, freeze, and what returns below the record and a silent broker lead to. What was moved stays as typed when saving fails. */
export function SettingsDialog({ deployment, onClose }: { deployment: Deployment; onClose: () => void }) {
  const [settings, setSettings] = useState<DeploymentSettings>(() => settingsOf(deployment));
  const [disconnectPolicy, setDisconnectPolicy] = useState<DisconnectPolicy>(() =>
    disconnectPolicyOf(deployment),
  );
  const [tripwireChoice, setTripwireChoice] = useState(deployment.tripwire_choice);
  const change = useChangeSettings(deployment.id);
  const touched = DEPLOYMENT_SETTINGS.filter((field) => settings[field] !== settingsOf(deployment)[field]);
  const silenceTouched = keyOf(disconnectPolicy) !== keyOf(disconnectPolicyOf(deployment));
  const tripwireTouched = tripwireChoice !== deployment.tripwire_choice;
  const save = () =>
    change.mutate(
      {
        ...Object.fromEntries(touched.map((field) => [field, settings[field]])),
        ...(silenceTouched && {
          disconnect_choice: disconnectPolicy.choice,
          disconnect_minutes: disconnectPolicy.minutes,
        }),
        ...(tripwireTouched && { tripwire_choice: tripwireChoice }),
      },
      { onSuccess: onClose },
    );
  return (
    <ConfirmDialog
      onClose={onClose}
      title="Strategy Settings"
      description={`${deployment.strategy_name}. Changes apply from the next decision. Open positions stay, unless the new stop loss is already hit.`}
      keep="Cancel"
      action="Save Changes"
      busy={change.isPending}
      busyLabel="Saving..."
      disabled={touched.length === 0 && !silenceTouched && !tripwireTouched}
      onConfirm={save}
      variant="primary"
    >
      <div className="grid gap-8">
        {DEPLOYMENT_SETTINGS.map((field) => (
          <Slider
            key={field}
            label={SETTING_LABELS[field]}
            hint={`${hintOf(field, settings[field], deployment)}${beyondText(field, settings[field])}`}
            value={settings[field]}
            onChange={(value) => setSettings({ ...settings, [field]: value })}
            {...SETTINGS_DIALOG_RANGES[field]}
            show={(value) =>
              field === 'freeze_on_drawdown' && value === 0 ? 'Disabled' : showPercent(value, { decimals: 0 })
            }
          />
        ))}
        <TripwireField value={tripwireChoice} onChange={setTripwireChoice} />
        {deployment.mode !== 'practice' && (
          <DisconnectPolicyField value={disconnectPolicy} onChange={setDisconnectPolicy} />
        )}
        {change.isError && (
          <Notice tone="failure" title="The settings were not saved">
            {sentenceOf(change.error, 'Please try again. Your changes are still here.')}
          </Notice>
        )}
      </div>
    </ConfirmDialog>
  );
}

function settingsOf(deployment: Deployment): DeploymentSettings {
  return {
    stop_loss_percentage: deployment.stop_loss_percentage,
    max_allocation_per_trade: deployment.max_allocation_per_trade,
    freeze_on_drawdown: deployment.freeze_on_drawdown,
  };
}

/** A limit chosen when deploying may be outside the range available here. */
function beyondText(field: keyof DeploymentSettings, percent: number): string {
  const { max } = SETTINGS_DIALOG_RANGES[field];
  const [set, most] = [percent, max].map((value) => showPercent(value, { decimals: 0 }));
  return percent > max ? ` You chose ${set} when you deployed; here the maximum is ${most}.` : '';
}

function hintOf(field: keyof DeploymentSettings, percent: number, deployment: Deployment): string {
  const { equity, peak_equity: peak } = deployment;
  if (field === 'stop_loss_percentage') return 'A position is sold once it has lost this much of its cost.';
  if (field === 'max_allocation_per_trade')
    return `No position grows beyond ${dollars((equity * percent) / 100)} at today’s value.`;
  return percent === 0 ? 'Trading never freezes automatically.' : freezeHint(peak, equity, percent);
}

/** The limit as a value in dollars; whether it is passed already. */
function freezeHint(peak: number, equity: number, percent: number): string {
  const floor = freezeFloor(peak, percent);
  const rule = `Below ${dollars(floor)}, ${showPercent(percent, { decimals: 0 })} under the peak of ${dollars(peak)}, no new positions are opened until you resume trading.`;
  return equity <= floor ? `${rule} The value is ${dollars(equity)}: trading would freeze at once.` : rule;
}

function dollars(amount: number): string {
  return showMoney(amount, { cents: 'never' });
}
