import type { ReactNode } from 'react';
import {
  type DeploymentSetting,
  type DeploymentSettings,
  SETTING_LABELS,
  WIZARD_RANGES,
} from '#rules/deployments/setting-ranges.ts';
import { Slider } from '../kit/control/slider.tsx';
import { showPercent } from '../kit/figure/show-figure.ts';

/** In the order in which they bind: a position, a purchase, the whole. */
const ORDER = ['stop_loss_percentage', 'max_allocation_per_trade', 'freeze_on_drawdown'] as const;

/** The three limits of a deployment before it starts. */
export function LimitSliders({
  settings,
  onChange,
  words,
  below,
}: {
  settings: DeploymentSettings;
  onChange: (settings: DeploymentSettings) => void;
  /** Without them each is only named. */
  words?: Readonly<Record<DeploymentSetting, { readonly label: string; readonly hint: string }>>;
  /** What is to be said of a limit as it stands. */
  below?: Readonly<Partial<Record<DeploymentSetting, ReactNode>>>;
}) {
  return ORDER.map((setting) => (
    <div key={setting} className="grid gap-4">
      <Slider
        label={SETTING_LABELS[setting]}
        {...words?.[setting]}
        value={settings[setting]}
        onChange={(value) => onChange({ ...settings, [setting]: value })}
        {...WIZARD_RANGES[setting]}
        show={(value) => showPercent(value, { decimals: 0 })}
      />
      {below?.[setting]}
    </div>
  ));
}
