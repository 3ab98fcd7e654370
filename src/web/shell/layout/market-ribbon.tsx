import { useMarketClock } from '../market-clock.ts';
import { showDate } from '../../kit/figure/show-figure.ts';

/** Shows on every page that the market is not real, or late, and its current day. */
export function MarketRibbon() {
  const { mode, now, delayMinutes } = useMarketClock();
  const words = mode === 'live' ? delayText(delayMinutes) : WORDS[mode ?? 'sandbox'];
  if (words === undefined) return null;
  return (
    <aside aria-label="Market" className="border-b bg-surface">
      <p className="page figures flex h-8 items-center justify-center gap-3 text-xs text-ink-soft">
        <span>{words}</span>
        <span className="min-w-20 text-ink">{now ? showDate(now) : ''}</span>
      </p>
    </aside>
  );
}

function delayText(minutes: number | null): string | undefined {
  return minutes === null || minutes === 0 ? undefined : `Prices of shares are delayed by ${minutes} minutes`;
}

const WORDS: Readonly<Record<string, string>> = {
  sandbox: 'Sandbox market: simulated prices',
  replay: 'Sandbox market: past prices, replayed',
};
