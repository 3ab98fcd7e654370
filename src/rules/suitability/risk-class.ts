// The three risk classes and what follows from them (specification, section 9; the 1 to 5 scale: section 1).
// Promises one class and one client score for every percent from 0 to 100.

const RISK_CLASSES = ['conservative', 'moderate', 'aggressive'] as const;
export type RiskClass = (typeof RISK_CLASSES)[number];

/** The scale of the risk rule: 1 is the least risky. */
export type RiskScore = 1 | 2 | 3 | 4 | 5;

/** Up to 40 conservative, up to 70 moderate, above aggressive. */
export function riskClass(percent: number): RiskClass {
  if (percent <= 40) return 'conservative';
  return percent <= 70 ? 'moderate' : 'aggressive';
}

/** The client's score from 1 to 5: up to 36, 40, 70, 85 percent, and above. The bounds at 40 and 70 are the classes'. */
export function clientRiskScore(percent: number): RiskScore {
  if (percent <= 36) return 1;
  if (percent <= 40) return 2;
  if (percent <= 70) return 3;
  return percent <= 85 ? 4 : 5;
}

/** The drawdown, in percent, that a person of this class says they can bear. */
export const MAX_DRAWDOWN_TOLERANCE_PERCENT: Readonly<Record<RiskClass, number>> = {
  conservative: 10,
  moderate: 20,
  aggressive: 35,
};

export const RECOMMENDATIONS: Readonly<Record<RiskClass, readonly string[]>> = {
  conservative: [
    'Prefer strategies with a low risk level and a short history of losses.',
    'Keep the stop loss tight, between 5% and 8%.',
    'Limit each trade to 10% of the deployment.',
    'Keep an emergency reserve outside of this account before you add more.',
  ],
  moderate: [
    'Combine strategies with a low and a medium risk level.',
    'Spread the investment over several markets rather than one.',
    'Set the freeze threshold at or below a drawdown of 20%.',
    'Look at the results once a month, and not after every loss.',
  ],
  aggressive: [
    'Strategies with a high risk level are open to you; invest only what you can afford to lose.',
    'Keep a freeze threshold even so: a drawdown of 35% needs a gain of 54% to recover.',
    'Do not put more than a quarter of the investment into one trade.',
    'Review your risk profile when your income or your plans change.',
  ],
};
