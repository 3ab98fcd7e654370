import type { STRATEGY_TYPES } from '#contract/strategies/strategies.ts';
import type { StrategyDraft } from '#records/strategy-builder/strategy-drafts.ts';
import { fromMicro } from '#units/money.ts';

/** A draft of its own with other rules, where a deployment trades the old ones. */
export function copyOf(
  draft: StrategyDraft,
  { definition, name }: { definition: string; name: string | undefined },
) {
  return {
    name: name ?? `Copy of ${draft.name}`.slice(0, NAME_MAX),
    shortDescription: draft.shortDescription,
    description: draft.description,
    strategy_type: draft.strategyType as (typeof STRATEGY_TYPES)[number],
    market: draft.market,
    min_investment: fromMicro(draft.minInvestment),
    definition,
  };
}

const NAME_MAX = 120;
