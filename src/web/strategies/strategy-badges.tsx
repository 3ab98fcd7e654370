import type { Strategy } from '#contract/strategies/strategies.ts';
import { MODEL_ROLE_WORDS } from '#rules/strategies/model-role.ts';
import { Badge } from '../kit/state/badge.tsx';
import { showWord } from '../kit/figure/show-figure.ts';

/** Type, kind, market and what a model has to do with it, in words; the risk level is shown on the risk scale. */
export function StrategyBadges({
  strategy,
}: {
  strategy: Pick<Strategy, 'strategy_type' | 'asset_class' | 'market' | 'model_role'>;
}) {
  return (
    <ul className="flex flex-wrap gap-2" aria-label="Kind of strategy">
      {[
        showWord(strategy.strategy_type),
        showWord(strategy.asset_class),
        strategy.market === 'us' ? 'US market' : 'Global market',
        MODEL_ROLE_WORDS[strategy.model_role],
      ].map((text) => (
        <li key={text}>
          <Badge>{text}</Badge>
        </li>
      ))}
    </ul>
  );
}
