import type { Strategy } from '#contract/strategies/strategies.ts';
import { Badge } from '../kit/state/badge.tsx';
import { showWord } from '../kit/figure/show-figure.ts';

/** Type, kind and market in words; the risk level is shown on the risk scale. */
export function StrategyBadges({
  strategy,
}: {
  strategy: Pick<Strategy, 'strategy_type' | 'asset_class' | 'market'>;
}) {
  return (
    <ul className="flex flex-wrap gap-2" aria-label="Kind of strategy">
      {[
        showWord(strategy.strategy_type),
        showWord(strategy.asset_class),
        strategy.market === 'us' ? 'US market' : 'Global market',
      ].map((text) => (
        <li key={text}>
          <Badge>{text}</Badge>
        </li>
      ))}
    </ul>
  );
}
