import { useMarketClock } from '../market-clock.ts';
import { showDate } from '../../kit/figure/show-figure.ts';

/** Shows on every page that the market is not real, and its current day. */
export function SandboxRibbon() {
  const { mode, now } = useMarketClock();
  if (mode !== null && !(mode in WORDS)) return null;
  return (
    <aside aria-label="Market" className="border-b bg-surface">
      <p className="page figures flex h-8 items-center justify-center gap-3 text-xs text-ink-soft">
        <span>{WORDS[mode ?? 'sandbox']}</span>
        <span className="min-w-20 text-ink">{now ? showDate(now) : ''}</span>
      </p>
    </aside>
  );
}

const WORDS: Readonly<Record<string, string>> = {
  sandbox: 'Sandbox market: simulated prices',
  replay: 'Sandbox market: past prices, replayed',
};
