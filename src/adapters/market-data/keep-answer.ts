import type { MarketDataAnswer } from '#ports/market-data.ts';

type Ask<Value> = () => Promise<MarketDataAnswer<Value>>;

/** Asks once for all who ask meanwhile, and again when the answer is older than `forMs`, or sooner after a failure. */
export function keepAnswer<Value>(forMs: number, now: () => number, ask: Ask<Value>): Ask<Value> {
  let kept: { readonly answer: MarketDataAnswer<Value>; readonly at: number } | null = null;
  let asking: Promise<MarketDataAnswer<Value>> | null = null;
  return async () => {
    if (kept !== null && now() - kept.at < (kept.answer.ok ? forMs : Math.min(forMs, AGAIN_MS)))
      return kept.answer;
    asking ??= ask()
      .then((answer) => {
        kept = { answer, at: now() };
        return answer;
      })
      .finally(() => {
        asking = null;
      });
    return asking;
  };
}

const AGAIN_MS = 5_000;
