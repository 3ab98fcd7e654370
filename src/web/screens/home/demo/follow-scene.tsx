import type { StrategyTrade } from '#contract/strategies/strategies.ts';
import { Change } from '../../../kit/figure/change.tsx';
import { showDate, showPrice } from '../../../kit/figure/show-figure.ts';

const SHOWN = 5;

export function FollowScene({ trades }: { trades: readonly StrategyTrade[] }) {
  return (
    <ol className="mx-auto grid h-full max-w-xl content-center">
      {trades.slice(0, SHOWN).map((trade, i) => (
        <li
          key={trade.id}
          className="figures flex animate-rise items-baseline justify-between gap-4 border-b py-3 text-sm last:border-0"
          style={{ animationDelay: `${i * 400}ms`, animationFillMode: 'backwards' }}
        >
          <span>
            <span className="font-medium">{trade.symbol}</span>{' '}
            <span className="text-ink-soft">
              {showPrice(trade.entry_price)} to {showPrice(trade.exit_price)}
            </span>
          </span>
          <span className="text-ink-faint max-sm:hidden">{showDate(trade.exit_date)}</span>
          <Change value={trade.pnl} />
        </li>
      ))}
    </ol>
  );
}
