import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toMicro } from '#units/money.ts';
import { checkChangedSettings, checkNewSettings } from './check-settings.ts';
import { checkInvestmentAmount, defaultInvestment } from './investment-amount.ts';
import { DEFAULT_SETTINGS } from './setting-ranges.ts';

const fields = (problems: readonly { field: string; code: string }[]) =>
  problems.map(({ field, code }) => [field, code]);

describe('the limits of a deployment', () => {
  it('accepts the defaults, and the ends of every wizard range', () => {
    expect(checkNewSettings(DEFAULT_SETTINGS)).toEqual([]);
    for (const [stop, allocation, freeze] of [
      [5, 5, 10],
      [20, 50, 50],
    ] as const) {
      const settings = {
        stop_loss_percentage: stop,
        max_allocation_per_trade: allocation,
        freeze_on_drawdown: freeze,
      };
      expect(checkNewSettings(settings)).toEqual([]);
    }
  });

  it('names every field outside its range, with the range in words', () => {
    const problems = checkNewSettings({
      stop_loss_percentage: 4,
      max_allocation_per_trade: 51,
      freeze_on_drawdown: Number.NaN,
    });
    expect(fields(problems)).toEqual([
      ['stop_loss_percentage', 'below_minimum'],
      ['max_allocation_per_trade', 'above_maximum'],
      ['freeze_on_drawdown', 'not_a_number'],
    ]);
    expect(problems[0]!.message).toBe('Stop loss must be between 5% and 20%.');
  });

  it('holds a change to the ranges of the settings dialog', () => {
    expect(checkChangedSettings({ freeze_on_drawdown: 0 }, DEFAULT_SETTINGS)).toEqual([]);
    expect(checkChangedSettings({ freeze_on_drawdown: 90 }, DEFAULT_SETTINGS)).toEqual([]);
    expect(fields(checkChangedSettings({ max_allocation_per_trade: 26 }, DEFAULT_SETTINGS))).toEqual([
      ['max_allocation_per_trade', 'above_maximum'],
    ]);
  });

  it('never refuses a stored value that was not touched', () => {
    const stored = { ...DEFAULT_SETTINGS, max_allocation_per_trade: 50 };
    expect(checkChangedSettings({ ...stored, stop_loss_percentage: 12 }, stored)).toEqual([]);
  });

  it('refuses a third decimal', () => {
    expect(checkChangedSettings({ stop_loss_percentage: 7.25 }, DEFAULT_SETTINGS)).toEqual([]);
    expect(fields(checkChangedSettings({ stop_loss_percentage: 7.125 }, DEFAULT_SETTINGS))).toEqual([
      ['stop_loss_percentage', 'too_precise'],
    ]);
  });
});

describe('the investment amount', () => {
  const minimum = toMicro(5_000);

  it('starts at the larger of the minimum and 10,000 dollars', () => {
    expect(defaultInvestment(minimum)).toBe(toMicro(10_000));
    expect(defaultInvestment(toMicro(25_000))).toBe(toMicro(25_000));
  });

  it('accepts the minimum itself and refuses a cent less', () => {
    expect(checkInvestmentAmount(minimum, minimum)).toBeNull();
    expect(checkInvestmentAmount(minimum - 10_000, minimum)).toEqual({
      field: 'investment_amount',
      code: 'below_minimum',
      message: 'Minimum: $5,000',
    });
  });

  it('refuses fractions of a cent, nonsense and more than the product takes', () => {
    expect(checkInvestmentAmount(minimum + 1, minimum)?.code).toBe('too_precise');
    expect(checkInvestmentAmount(Number.NaN, minimum)?.code).toBe('not_a_number');
    expect(checkInvestmentAmount(toMicro(10_000_000.01), minimum)?.code).toBe('above_maximum');
  });

  it('accepts exactly the whole cents between minimum and maximum', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2_000_000_000 }), (cents) => {
        const accepted = checkInvestmentAmount(cents * 10_000, minimum) === null;
        expect(accepted).toBe(cents >= 500_000 && cents <= 1_000_000_000);
      }),
    );
  });
});
