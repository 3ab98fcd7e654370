// The drawdown freeze: once equity has fallen this far from its peak, no order adds exposure any more. Sticky.
import type { Micro } from '#units/money.ts';
import type { Limits } from './limits.ts';

/** How far equity is below its peak, in percent of the peak; 0 at or above it. */
export function drawdownPercent(peakEquity: Micro, equity: Micro): number {
  return peakEquity > 0 && equity < peakEquity ? ((peakEquity - equity) / peakEquity) * 100 : 0;
}

export function passesFreeze(limits: Limits, drawdown: number): boolean {
  return limits.freezeOnDrawdownPercent > 0 && drawdown >= limits.freezeOnDrawdownPercent;
}
