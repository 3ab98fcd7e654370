import { showQuantity } from '../kit/show-figure.ts';

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
  const says = `Its books say ${showQuantity(held)} ${symbol} now, and ${showQuantity(after)} then.`;
  if (replaced === null || after >= 0 || after >= held) return says;
  const least = Math.min(0, held);
  return `${says} If its strategy only buys, they say ${showQuantity(least)} then, and ${showQuantity(least - after)} that it no longer holds are kept apart.`;
}
