import { expect, it } from 'vitest';
import { DEFAULT_SETTINGS, fittingSettings } from './setting-ranges.ts';

it('a strategy begins with the usual limits, and with room for its largest position', () => {
  expect(fittingSettings(null)).toEqual(DEFAULT_SETTINGS);
  expect(fittingSettings({ largest: 12 })).toEqual(DEFAULT_SETTINGS);
  expect(fittingSettings({ largest: 33.3 })).toEqual({ ...DEFAULT_SETTINGS, max_allocation_per_trade: 34 });
  expect(fittingSettings({ largest: 100 }).max_allocation_per_trade).toBe(50);
});
