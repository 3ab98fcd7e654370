import { describe, expect, it } from 'vitest';
import { type AdviceInputs, adviceOn, adviceText, jointFall } from './advice.ts';

const inputs: AdviceInputs = {
  clientScore: 5,
  tolerancePercent: 35,
  strategyScore: 4,
  deployments: [{ investment: 10_000, worstFallPercent: 30 }],
};

describe('advice', () => {
  it('finds a strategy suitable at or below the score of the person', () => {
    expect(adviceOn(inputs).outcome).toBe('suitable');
    expect(adviceOn({ ...inputs, clientScore: 3, tolerancePercent: 20 }).outcome).toBe('not_suitable');
    expect(adviceOn({ ...inputs, clientScore: null, tolerancePercent: null }).outcome).toBe(
      'risk_profile_missing',
    );
  });

  it('looks at all deployments together: two that each suit can be too much', () => {
    const together = [...inputs.deployments, { investment: 10_000, worstFallPercent: 60 }];
    const advice = adviceOn({ ...inputs, deployments: together });
    expect(advice).toEqual({ outcome: 'beyond_joint_tolerance', jointFallPercent: 45 });
    expect(adviceText(inputs, advice)).toContain('45%');
  });

  it('weighs by money, and counts an unmeasured strategy as lost whole', () => {
    expect(
      jointFall([
        { investment: 30_000, worstFallPercent: 10 },
        { investment: 10_000, worstFallPercent: null },
      ]),
    ).toBe(32.5);
    expect(jointFall([])).toBe(0);
    expect(jointFall([{ investment: 1, worstFallPercent: 250 }])).toBe(100);
  });
});
