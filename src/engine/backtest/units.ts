// A number of units as a share of equity, because targets are always shares of equity.
import type { Quantity } from '#units/quantity.ts';

/**
 * The share that sizing turns back into exactly these units: half a step more, which it cuts off. `unit` is what one
 * whole unit is worth in dollars, `equity` is in Micro.
 */
export function shareOfUnits(
  units: Quantity,
  { step, unit, equity }: { readonly step: number; readonly unit: number; readonly equity: number },
): number {
  return equity > 0 ? ((units + step / 2) * unit) / (equity * 100) : 0;
}
