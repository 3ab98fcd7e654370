import { showQuantity } from '../../kit/figure/show-figure.ts';

/** What a deployment's books come to; and what of that a strategy that only buys could not hold. */
export function booksThen({
  symbol,
  held,
  units,
  replaced,
}: {
  symbol: string;
  held: number;
  units: number;
  replaced: { quantity: number } | null;
}): string {
  const after = held + units - (replaced?.quantity ?? 0);
  const says = `Books now: ${showQuantity(held)} ${symbol}. After the adjustment: ${showQuantity(after)}.`;
  if (replaced === null || after >= 0 || after >= held) return says;
  const least = Math.min(0, held);
  return `${says} If the strategy is long-only, its books stop at ${showQuantity(least)} and ${showQuantity(least - after)} go to the suspense account.`;
}
