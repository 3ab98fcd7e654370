import {
  type DeploymentSetting,
  type DeploymentSettings,
  SETTING_LABELS,
  WIZARD_RANGES,
} from '#rules/deployments/setting-ranges.ts';
import { Slider } from '../kit/control/slider.tsx';
import { showPercent } from '../kit/figure/show-figure.ts';

const ORDER = ['stop_loss_percentage', 'max_allocation_per_trade', 'freeze_on_drawdown'] as const;

/** The three limits of a deployment, without their explanations. */
export function LimitSliders({
  settings,
  onChange,
}: {
  settings: DeploymentSettings;
  onChange: (settings: DeploymentSettings) => void;
}) {
  const set = (setting: DeploymentSetting, value: number) => onChange({ ...settings, [setting]: value });
  return ORDER.map((setting) => (
    <Slider
      key={setting}
      label={SETTING_LABELS[setting]}
      value={settings[setting]}
      onChange={(value) => set(setting, value)}
      {...WIZARD_RANGES[setting]}
      show={(value) => showPercent(value, { decimals: 0 })}
    />
  ));
}
