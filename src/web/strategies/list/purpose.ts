// What a strategy is for, by how it decides and what it risks: the shelves of the marketplace.
import type { Strategy } from '#contract/strategies/strategies.ts';

export const PURPOSES = ['calm', 'steps_aside', 'comes_back', 'income', 'picks'] as const;
export type Purpose = (typeof PURPOSES)[number];

export const SHELVES: Readonly<Record<Purpose, { readonly title: string; readonly note: string }>> = {
  calm: {
    title: 'Small swings',
    note: 'For money that must not fall much. A risk score of 1 or 2, and returns to match.',
  },
  steps_aside: {
    title: 'Step aside when prices fall',
    note: 'In cash, or on the other side, while their markets fall. They lag when prices turn quickly.',
  },
  comes_back: {
    title: 'Wait for prices to come back',
    note: 'They trade against stretched prices: many small gains, and now and then a large loss.',
  },
  income: { title: 'Income from options', note: 'They sell some of the upside for a premium.' },
  picks: {
    title: 'Pick what should rise',
    note: 'By rules or by trained models. They seek growth and bear large falls.',
  },
};

type Sorted = Pick<Strategy, 'risk_score' | 'strategy_type' | 'asset_class'>;

/** What it risks comes first: a calm strategy is looked for as such, however it decides. */
export function purposeOf({ risk_score: score, strategy_type: type, asset_class: kind }: Sorted): Purpose {
  if (score <= 2) return 'calm';
  if (kind === 'options') return 'income';
  if (type === 'trend_following') return 'steps_aside';
  if (type === 'mean_reversion' || type === 'arbitrage') return 'comes_back';
  return 'picks';
}

/** The shelves that hold something, in their order; on each the strategies in theirs. */
export function onShelves<S extends Sorted>(
  strategies: readonly S[],
): readonly { readonly purpose: Purpose; readonly strategies: readonly S[] }[] {
  return PURPOSES.map((purpose) => ({
    purpose,
    strategies: strategies.filter((one) => purposeOf(one) === purpose),
  })).filter((shelf) => shelf.strategies.length > 0);
}
