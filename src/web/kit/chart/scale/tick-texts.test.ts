import { expect, it } from 'vitest';
import { moneyTicks, percentTicks } from './tick-texts.ts';

it('money is written short only where every value of the axis can be', () => {
  expect(moneyTicks([9_900, 10_000, 10_100])).toEqual(['$9.9K', '$10.0K', '$10.1K']);
  expect(moneyTicks([10_000, 10_050, 10_100])).toEqual(['$10,000', '$10,050', '$10,100']);
  expect(moneyTicks([0, 20_000, 40_000])).toEqual(['$0', '$20K', '$40K']);
  expect(moneyTicks([-5_000, 0, 5_000])).toEqual(['\u2212$5K', '$0', '$5K']);
  expect(moneyTicks([500_000, 1_000_000, 1_500_000])).toEqual(['$0.5M', '$1.0M', '$1.5M']);
  expect(moneyTicks([99.5, 100, 100.5])).toEqual(['$99.50', '$100.00', '$100.50']);
});

it('percentages have the decimals that one of them needs', () => {
  expect(percentTicks([0, 2.5, 5])).toEqual(['0.0%', '+2.5%', '+5.0%']);
  expect(percentTicks([-20, 0, 20])).toEqual(['\u221220%', '0%', '+20%']);
  expect(percentTicks([0.25, 0.5])).toEqual(['+0.25%', '+0.50%']);
});
