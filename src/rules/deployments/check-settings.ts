// Whether the limits of a deployment are in their ranges (specification, section 9): the wizard's for a new deployment,
// the settings dialog's for a change. A stored value that the person did not touch is never refused.
import type { FieldProblem } from './field-problem.ts';
import {
  DEPLOYMENT_SETTINGS,
  type DeploymentSetting,
  type DeploymentSettings,
  SETTING_LABELS,
  SETTINGS_DIALOG_RANGES,
  type SettingRange,
  WIZARD_RANGES,
} from './setting-ranges.ts';

/** What is wrong with the limits of a new deployment; an empty list when nothing is. */
export function checkNewSettings(settings: DeploymentSettings): readonly FieldProblem[] {
  return DEPLOYMENT_SETTINGS.flatMap(
    (field) => problemOf(field, settings[field], WIZARD_RANGES[field]) ?? [],
  );
}

/** What is wrong with a change; fields that are absent, or equal to the stored value, are left alone. */
export function checkChangedSettings(
  change: Partial<DeploymentSettings>,
  stored: DeploymentSettings,
): readonly FieldProblem[] {
  return DEPLOYMENT_SETTINGS.flatMap((field) => {
    const value = change[field];
    if (value === undefined || value === stored[field]) return [];
    return problemOf(field, value, SETTINGS_DIALOG_RANGES[field]) ?? [];
  });
}

function problemOf(field: DeploymentSetting, value: number, range: SettingRange): FieldProblem | null {
  const label = SETTING_LABELS[field];
  if (!Number.isFinite(value)) {
    return { field, code: 'not_a_number', message: `${label} must be a percentage.` };
  }
  const between = `${label} must be between ${range.min}% and ${range.max}%${range.min === 0 ? ' (0% turns it off)' : ''}.`;
  if (value < range.min) return { field, code: 'below_minimum', message: between };
  if (value > range.max) return { field, code: 'above_maximum', message: between };
  if (Math.abs(Math.round(value * 100) / 100 - value) > 1e-9) {
    return { field, code: 'too_precise', message: `${label} can have at most two decimals.` };
  }
  return null;
}
