// The prices and sizes of a research run, as plain numbers, so that the path by columns and the path by events fill
// alike to the last bit.
import { QUANTITY_PER_UNIT } from '#units/quantity.ts';
import { roundHalfEven } from '#units/round.ts';
import type { Execution } from './execution.ts';

/** `direction` is 1 long, -1 short. */
export function entryPrice(market: number, direction: number, spreadRate: number): number {
  return market * (1 + direction * spreadRate);
}

/** Micro. */
export function commissionMicro(quantity: number, price: number, commissionRate: number): number {
  return roundHalfEven((Math.abs(quantity) * price * commissionRate) / 100);
}

/** How much is entered, whole 1e-8 units and unsigned; 0 when the cash does not reach. */
export function entryQuantity(
  cashMicro: number,
  { market, entry }: { readonly market: number; readonly entry: number },
  { execution, step }: { readonly execution: Execution; readonly step: number },
): number {
  const cost = entry + market * execution.commissionRate;
  const cash = cashMicro / 1e6;
  if (execution.size.type === 'all_cash') {
    const steps = Math.floor(cash / (cost * (step / QUANTITY_PER_UNIT)));
    return steps > 0 ? steps * step : 0;
  }
  const { quantity } = execution.size;
  return (quantity / QUANTITY_PER_UNIT) * cost > cash ? 0 : quantity;
}

export type ExitLevels = { readonly stop: number; readonly target: number };

/** Measured from the close of the bar that gave the signal; NaN is off. */
export function exitLevels(
  signalClose: number,
  direction: number,
  { stopPercent, targetPercent }: { readonly stopPercent?: number; readonly targetPercent?: number },
): ExitLevels {
  return {
    stop: stopPercent === undefined ? Number.NaN : signalClose * (1 - direction * (stopPercent / 100)),
    target: targetPercent === undefined ? Number.NaN : signalClose * (1 + direction * (targetPercent / 100)),
  };
}

/** At what price a bar takes the position out, NaN when it does not; the stop comes before the target. */
export function exitWithin(
  { stop, target }: ExitLevels,
  direction: number,
  bar: { readonly open: number; readonly high: number; readonly low: number },
): number {
  if (direction > 0) {
    if (bar.low <= stop) return Math.min(bar.open, stop);
    return bar.high >= target ? Math.max(bar.open, target) : Number.NaN;
  }
  if (bar.high >= stop) return Math.max(bar.open, stop);
  return bar.low <= target ? Math.min(bar.open, target) : Number.NaN;
}
