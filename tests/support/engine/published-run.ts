import type { EvidenceRunInput } from '#engine/evidence/evidence-run.ts';
import { TRADING_COSTS } from '#engine/market/costs.ts';
import { instant } from '#units/instant.ts';
import { toMicro } from '#units/money.ts';
import { toQuantity } from '#units/quantity.ts';
import { type MARKETS, randomBacktest } from './random-backtest.ts';

export const NO_LIMITS = { stopLossPercentage: 0, maxAllocationPercent: 0, freezeOnDrawdownPercent: 0 };
export const LIMITS = { stopLossPercentage: 4, maxAllocationPercent: 20, freezeOnDrawdownPercent: 12 };

/** What a published record is made from, on a random market: without limits, and with a fee of 30%. */
export function publishedRun(
  market: (typeof MARKETS)[number],
  { seed, days, actionEvery }: { readonly seed: number; readonly days: number; readonly actionEvery: number },
): EvidenceRunInput {
  const settings = {
    initialCash: toMicro(100_000),
    costs: TRADING_COSTS,
    limits: NO_LIMITS,
    collar: 0.02,
    noTradeBand: 0.01,
  };
  const run = randomBacktest({
    market,
    seed,
    days,
    actionEvery,
    swing: 0.03,
    gapEvery: 0,
    badEvery: 0,
    barsADay: 1,
    definition: seed,
    step: toQuantity(1),
    settings,
  });
  return { ...run, settings: { ...settings, performanceFeePercent: 30, committedAt: instant(0) } };
}
