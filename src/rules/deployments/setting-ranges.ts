// The limits that a person sets for a deployment, and how far each slider goes (specification, section 9). Wizard and
// settings dialog each keep their own ranges.

export const DEPLOYMENT_SETTINGS = [
  'stop_loss_percentage',
  'max_allocation_per_trade',
  'freeze_on_drawdown',
] as const;
export type DeploymentSetting = (typeof DEPLOYMENT_SETTINGS)[number];

/** All in percent. */
export type DeploymentSettings = Readonly<Record<DeploymentSetting, number>>;

export type SettingRange = { readonly min: number; readonly max: number; readonly step: number };
type SettingRanges = Readonly<Record<DeploymentSetting, SettingRange>>;

export const WIZARD_RANGES: SettingRanges = {
  stop_loss_percentage: { min: 5, max: 20, step: 1 },
  max_allocation_per_trade: { min: 5, max: 50, step: 1 },
  freeze_on_drawdown: { min: 10, max: 50, step: 1 },
};

/** A freeze of 0 is off. */
export const SETTINGS_DIALOG_RANGES: SettingRanges = {
  stop_loss_percentage: { min: 5, max: 20, step: 1 },
  max_allocation_per_trade: { min: 5, max: 25, step: 1 },
  freeze_on_drawdown: { min: 0, max: 90, step: 1 },
};

/** The defaults 10, 20 and 25 of section 9, each read as the one setting whose range and order it fits. */
export const DEFAULT_SETTINGS: DeploymentSettings = {
  stop_loss_percentage: 10,
  max_allocation_per_trade: 20,
  freeze_on_drawdown: 25,
};

/** The defaults, with room for the largest position that the strategy has asked for, as far as the wizard allows it. */
export function fittingSettings(sizes: { readonly largest: number } | null): DeploymentSettings {
  const { max } = WIZARD_RANGES.max_allocation_per_trade;
  const asked = Math.min(max, Math.ceil(sizes?.largest ?? 0));
  const usual = DEFAULT_SETTINGS.max_allocation_per_trade;
  return { ...DEFAULT_SETTINGS, max_allocation_per_trade: Math.max(usual, asked) };
}

export const SETTING_LABELS: Readonly<Record<DeploymentSetting, string>> = {
  stop_loss_percentage: 'Stop loss',
  max_allocation_per_trade: 'Max allocation per trade',
  freeze_on_drawdown: 'Freeze at drawdown',
};
