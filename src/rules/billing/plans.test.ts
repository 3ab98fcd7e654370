import { describe, expect, it } from 'vitest';
import { toMicro } from '#units/money.ts';
import { PLANS, planRefusal, pricePerMonth } from './plans.ts';

const [free, basic, , enterprise] = PLANS;

describe('the plans', () => {
  it('cost 0, 29, 79 and 199 a month, and a fifth less by the year in whole dollars', () => {
    expect(PLANS.map((plan) => [pricePerMonth(plan, 'monthly'), pricePerMonth(plan, 'yearly')])).toEqual([
      [0, 0],
      [29, 23],
      [79, 63],
      [199, 159],
    ]);
  });

  it('refuse one deployment or one dollar too many, and say which cap', () => {
    expect(
      planRefusal(free!, { activeDeployments: 0, totalInvestment: toMicro(0) }, toMicro(1_000)),
    ).toBeNull();
    expect(planRefusal(free!, { activeDeployments: 1, totalInvestment: toMicro(0) }, toMicro(1))).toContain(
      '1 active strategy',
    );
    expect(
      planRefusal(basic!, { activeDeployments: 2, totalInvestment: toMicro(45_000) }, toMicro(5_001)),
    ).toContain('$50,000');
  });

  it('say what a strategy needs that no amount makes fit, and that practice needs no plan', () => {
    const use = { activeDeployments: 0, totalInvestment: toMicro(0) };
    const sentence = planRefusal(free!, use, toMicro(5_000), toMicro(5_000));
    expect(sentence).toBe(
      'This strategy needs $5,000, and the Free plan allows a total investment of $1,000. Practise it, which needs no plan, or choose a larger plan.',
    );
    expect(planRefusal(free!, use, toMicro(1_500), toMicro(1_000))).toContain('Lower the amount');
  });

  it('set no number of strategies for Enterprise', () => {
    const use = { activeDeployments: 10_000, totalInvestment: toMicro(0) };
    expect(planRefusal(enterprise!, use, toMicro(5_000))).toBeNull();
  });
});
