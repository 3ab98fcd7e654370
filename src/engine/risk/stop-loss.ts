// The stop loss of a position, measured from its average cost, commission left out.
import { notional } from '#units/money.ts';
import type { Instrument } from '../market/instrument.ts';
import type { Position } from '../portfolio/portfolio.ts';
import type { Limits } from './limits.ts';

/** What the position has lost of its cost, in percent; negative while it gains. */
export function lossPercent(position: Position, mark: number, instrument: Instrument): number {
  const worth = notional(position.quantity, mark, instrument.multiplier);
  return position.cost === 0 ? 0 : ((position.cost - worth) / Math.abs(position.cost)) * 100;
}

export function passesStopLoss(limits: Limits, loss: number): boolean {
  return limits.stopLossPercentage > 0 && loss >= limits.stopLossPercentage;
}
