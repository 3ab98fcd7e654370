// A slipped decimal point rather than a real move: the largest one-day moves on record are far below tenfold.
import type { IsoDate } from '#units/instant.ts';
import type { CorporateAction } from '../market/corporate-action.ts';
import { ratioBetween } from '../market/split-ratio.ts';

/** An accepted price, and the trading day whose shares it is quoted in. */
export type KnownPrice = { readonly price: number; readonly date: IsoDate };

export function isOutsidePriceBand(before: number, after: number): boolean {
  return after >= before * 10 || after <= before / 10;
}

/** An older price in the shares of another day. */
export function priceOn(
  { price, date }: KnownPrice,
  day: IsoDate,
  actions: readonly CorporateAction[],
): number {
  return price / ratioBetween(actions, date, day);
}
